"""The files of a checkout, reached only through its own root, whatever the checkout holds and whoever changes it meanwhile."""
