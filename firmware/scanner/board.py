"""The scanner's wiring and its figures. Everything that another board would do differently is here.

Five 16-channel analog multiplexers (74HC4067) share four select lines. Their outputs are tied together on one ADC pin,
and each has an enable line of its own (active low), so that one at a time speaks. One converter input for all means
one offset and one gain for all, where the Pico's three inputs would have differed and still not been five. The
outputs that are off add some 50 pF each: with the 1 kOhm of a sensor and a multiplexer that is a time constant of a
quarter of a microsecond.

100 kOhm from the common line to ground pull it low when nobody speaks. That is what the self-test looks for, and it
makes a broken wire read 0 instead of what the last sensor left behind; against a sensor it weighs less than a percent.
"""

FIRMWARE = (1, 0, 0)

SELECT_PINS = (2, 3, 4, 5)  # S0 to S3 of all multiplexers
ENABLE_PINS = (6, 7, 8, 9, 10)  # E of each multiplexer, low: on
SENSE_PIN = 26  # ADC0: the common line
SUPPLY_MODE_PIN = 23  # of the Pico itself; high: the regulator gives up saving power for a quieter supply
FLASH_PIN = 22  # to ground while plugging in: the scanner does not start, the Pico can be flashed

INPUTS = 1 << len(SELECT_PINS)
CHANNELS = INPUTS * len(ENABLE_PINS)

SETTLE_US = 5  # after each switch: twenty time constants
RELEASE_US = 1000  # for 100 kOhm to pull the line low
SAMPLES = 8  # conversions a level is the mean of
DEADBAND = 160  # levels; a change up to this is noise: 10 steps of the 12-bit converter
RAIL = 1024  # levels; this close to 0 or 65535 no working sensor gets

MOST_PER_S = 100
LEAST_PER_S = 5
WATCHDOG_MS = 2000
