"""Hypothesis draws 100 examples in CI, 500 on request, 25 in the inner loop."""

import os

from hypothesis import HealthCheck, settings

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
