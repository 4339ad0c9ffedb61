"""How documents are found: text search, seeds, traversal. Pure over the view and the searcher port."""
