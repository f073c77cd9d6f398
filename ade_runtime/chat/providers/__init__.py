"""One module for each agent program, all behind :mod:`~.base`."""
