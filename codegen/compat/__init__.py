"""Whether a change of the specs breaks those who rely on what was there before."""
