"""Who changed what, and who was denied what: rows that are only ever added."""
