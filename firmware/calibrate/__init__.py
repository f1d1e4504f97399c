"""Guided calibration: the board's own lights lead a person through it, and the result is how the board is wired and
what every sensor reads.

`guide` is the whole of it as a pure state machine; `walk` and `muster` are its two long parts, `light` what it shows,
`draft` what is kept of it when it is stopped, `terminal` a front end.
"""
