"""A stand-in for Linear: a server that executes requests against the schema, keeps what they change, and fails on demand."""
