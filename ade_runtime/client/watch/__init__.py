"""``ade runs watch``: a run as it goes on."""
