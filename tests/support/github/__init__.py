"""A stand-in for GitHub: a real HTTP server over real bare repositories, held to GitHub's description of its answers."""
