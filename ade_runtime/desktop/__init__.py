"""Computer use: the screen, its programs, mouse and keyboard, through mss, ffmpeg and xdotool where they are installed.

All of them run as processes of their own: a lost X connection ends the process that had it, and that must not be the
runtime.
"""
