"""Evidence that work is done: contents by their hash, and what each shows, whose it is and how long it stays."""
