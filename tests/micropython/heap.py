"""Runs the firmware for a while and says on standard error how many bytes of the heap it then holds, of how many."""

import gc
import sys

import machine

TURNS = 500
turns = 0


def feed(watchdog):
    global turns
    turns += 1
    if turns == TURNS:
        gc.collect()
        print(gc.mem_alloc(), gc.mem_alloc() + gc.mem_free(), file=sys.stderr)
        sys.exit()


machine.WDT.feed = feed
__import__("main")
