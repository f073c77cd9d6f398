"""Questions to the user: asked by agents, answered from any terminal, the first answer counting."""
