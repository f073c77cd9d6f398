"""The command line as the runtime sees it: parse, run, render."""
