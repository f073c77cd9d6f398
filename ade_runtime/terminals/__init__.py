"""Terminals: what people and agents type into and read from; kept alive by holders."""
