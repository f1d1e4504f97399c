"""The page: a live view of the board for browsers, and hands for a board made of software."""
