"""A project's ``.ade/config.yaml``: reading, checking, changing it, and whether its commands may run."""
