"""What runs in the process of the ``ade`` command itself."""
