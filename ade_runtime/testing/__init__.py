"""The tests of a project: which suites there are, running one, and what it found."""
