"""Generated from specs/ by `make gen`; do not edit."""
