"""Made-up answers from the examples of the specs, for people who build clients; see ``ade serve --mock``."""
