"""What each client of the Model Context Protocol wants in which of its files, put in and taken out again."""
