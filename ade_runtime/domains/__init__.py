"""One module a domain; each class implements the generated protocol of its domain."""
