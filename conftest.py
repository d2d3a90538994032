"""Pictures need no screen; hypothesis draws 100 examples (quick: 25, thorough: 500)."""

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("MPLBACKEND", "Agg")

for name, examples in (("quick", 25), ("ci", 100), ("thorough", 500)):
    settings.register_profile(
        name,
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
