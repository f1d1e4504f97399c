"""Long trials of what must never fail: each is a function that is told how often, and says what it found."""
