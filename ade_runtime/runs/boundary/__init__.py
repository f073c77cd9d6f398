"""What the members of runs changed outside of their own lanes, found after the fact and told; nothing is put back.

ADE's own tools hold a session to its lane before they act (:mod:`ade_runtime.pipeline.reach`). A shell is held to nothing, so
the repository is looked at before and after a member works (:mod:`.picture`), the two are compared (:mod:`.compare`), and what
differs is laid at somebody's door only where nobody else was at work (:mod:`.suspects`).
"""
