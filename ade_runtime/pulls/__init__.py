"""Pull requests of lanes, at GitHub."""
