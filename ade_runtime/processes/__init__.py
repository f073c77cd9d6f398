"""The programs of a project: from their definitions in ``.ade/config.yaml`` to runs in holders."""
