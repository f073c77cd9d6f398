"""Secrets: names in the database, values in the system's keyring or in an encrypted file."""
