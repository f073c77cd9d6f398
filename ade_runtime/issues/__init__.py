"""Issues in Linear, and the lanes in which they are worked on."""
