"""The way in for callers in a sandbox that forbids sockets: a request file in the lane's ``.ade/spool``, an answer file out.

``layout`` and ``folder`` are shared with the thin client; ``evidence`` tells who asks; ``desk`` handles one folder;
``watch`` keeps an eye on the folders of all lanes.
"""
