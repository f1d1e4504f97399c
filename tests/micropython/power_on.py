"""Runs the firmware as a Pico does: main.py at start and again after each restart, then the prompt."""

import sys

from machine import Restart

FIRMWARE = ("main", "board", "scan", "faults", "link")


def run():
    while True:
        for module in FIRMWARE:
            sys.modules.pop(module, None)
        try:
            __import__("main")
        except Restart:
            continue
        sys.stdout.buffer.write(b">>> ")
        return


run()
sys.stdin.buffer.read(1)
