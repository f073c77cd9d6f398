"""Linear: its GraphQL interface as plain functions and dataclasses, without anything of ADE's models."""
