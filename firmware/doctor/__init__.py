"""`linja doctor`: is it the wiring, a magnet or the program?

Each module knows one part of the board: facts about it go in, findings come out, and nothing else happens. Who
gathers the facts is `visit`, on a real board and on a simulated one, and `resident` on a board that plays.
"""
