"""Hand-written half of ADE: pipeline, server, client and the domains that satisfy the generated protocols."""
