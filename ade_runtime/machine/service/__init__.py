"""The runtime as a service of the user's own session: systemd on Linux, launchd on macOS."""
