"""From object schemas to the sources of pydantic classes, through datamodel-code-generator."""
