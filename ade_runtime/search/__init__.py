"""One search over what a project's domains know: an index of documents that catches up whenever it is asked."""
