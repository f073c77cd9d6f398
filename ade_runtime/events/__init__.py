"""What has happened since this runtime started: a bounded buffer in memory, read from a cursor, followed live."""
