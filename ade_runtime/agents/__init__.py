"""Agent programs in terminals: their command line, their brief, their session, and the end of it."""
