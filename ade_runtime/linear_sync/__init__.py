"""What happens in Linear, taken in once each, and handed on by rules."""
