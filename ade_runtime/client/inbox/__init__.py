"""``ade inbox``: what waits for the user, live, and answered in place."""
