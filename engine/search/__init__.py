"""Search: which action is best, and by how much. The ideas are told in docs/search.md.

from engine import EDITIONS, State
from engine.search import Search

thought = Search().think(State.initial(EDITIONS["zen"]), nodes=10_000)
thought.best.action, thought.best.margin
"""

from engine.search.deepening import DEFAULT_MEMORY_BYTES, Search, never
from engine.search.thought import Judged, Thought

__all__ = ["DEFAULT_MEMORY_BYTES", "Judged", "Search", "Thought", "never"]
