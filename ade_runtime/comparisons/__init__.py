"""What lanes changed and how they would merge: what the handlers of diff and conflicts share."""
