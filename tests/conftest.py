"""How random tests are run: their findings do not depend on how fast or busy the machine is."""

from hypothesis import HealthCheck, settings

settings.register_profile("board", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("board")
