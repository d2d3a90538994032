"""
When outcomes are known for accepted cases only
===============================================

A lender sees who pays back among those who got a loan. The others have no outcome. A threshold that
is tuned on accepted cases is too low and promises too much, since many bad cases were rejected
before. No formula corrects that, but a few loans given at random do.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.display import ImpactProfileDisplay
from roctopus.impact import impact_profile

rng = np.random.default_rng(2)
n = 20_000
wealth, habits = rng.normal(size=(2, n))
pays = rng.random(n) < 1 / (1 + np.exp(-0.5 - wealth - 1.2 * habits))
seen_by_clerk = wealth + 1.2 * habits + 0.8 * rng.normal(size=n)
score = wealth + 0.6 * habits + 0.5 * rng.normal(size=n)  # the model to be tuned

# %%
# Three ways to tune the same threshold
# -------------------------------------
#
# A loan that is paid back earns θ = 0.4, one that is not loses 1. In the past the clerk lent to the
# better half. *Everyone* is the truth, which no lender knows. *Accepted only* is what the lender's
# data contain. *With a lottery*: one in twenty of the rejected got a loan anyway, and each of them
# counts twenty times.

accepted = seen_by_clerk > np.median(seen_by_clerk)
lottery = ~accepted & (rng.random(n) < 0.05)
known = accepted | lottery
weight = np.where(lottery, 20.0, 1.0)


def profile(rows, sample_weight=None):
    """Return the mean profit over the threshold."""
    worth = rt.LinearUtility(pays[rows].astype(float), np.where(pays[rows], 0.0, -1.0))
    return impact_profile(
        score[rows], worth, theta=0.4, normalize=True, sample_weight=sample_weight
    )


everyone = np.ones(n, dtype=bool)
profiles = {
    "everyone": profile(everyone),
    "accepted only": profile(accepted),
    "with a lottery": profile(known, weight[known]),
}
ImpactProfileDisplay(profiles).plot(title="Profit per applicant, by threshold")
plt.show()

# %%
# What each threshold earns
# -------------------------
#
# Used on everyone who will apply:

truth = profiles["everyone"]
for name, each in profiles.items():
    cut = each.best_threshold
    print(
        f"{name:<15} lend from {cut:+.2f}, promised {each.best_impact:+.3f}, "
        f"earned {truth.at(cut):+.3f} per applicant"
    )

# %%
# The lottery costs something, but without it a comparison is only valid for applicants like those
# who were accepted.
