"""YAML as people expect it to be read, with the place of every value: for specs and for files that users write."""
