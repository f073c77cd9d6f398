"""A run as a picture: who spawned whom, and who worked at what from when to when. Nothing here reads or writes anything."""
