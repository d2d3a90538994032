"""
How much would you save if you knew the cost?
=============================================

The bakery does not know how much a missing loaf costs compared with a spare one. It may make one
decision for all costs, or find out the costs and follow them. ``value_of_knowing`` compares both,
and names the question whose answer helps most.
"""

import matplotlib.pyplot as plt
import numpy as np

import roctopus as rt
from roctopus.datasets import load_bakery

bakery = load_bakery()
comparison = rt.compare(bakery.y_true, bakery.predictions, arm="regression", time=True)
distribution = rt.Uniform(0.5, 0.9)  # a missing loaf costs as much as one to nine spare ones

# %%
# Following and freezing
# ----------------------

knowing = comparison.value_of_knowing(distribution)
print(knowing)

# %%
# In a picture
# ------------
#
# The curve is the least loss at each asymmetry, for a bakery that knows it. The line is the single
# decision: one model and one shift, so its loss is a straight line. The difference is the value of
# knowing.

frozen = comparison.decide(distribution=distribution)
line = rt.asymmetry_cost_curve(
    bakery.y_true, bakery.predictions[frozen.model], shift=frozen.knob[0]
)
best = comparison.envelope.curve
x = np.linspace(0.5, 0.9, 200)
figure, ax = plt.subplots(figsize=(7, 4.8), layout="constrained")
ax.fill_between(
    x, best.at(x), line.at(x), color="#e69f00", alpha=0.3, lw=0, label="value of knowing"
)
ax.plot(x, line.at(x), color="#1f2430", lw=2, label=f"frozen: {frozen.model}, {frozen.knob_text}")
ax.plot(x, best.at(x), color="#0072b2", lw=2, label="following")
if knowing.question is not None:
    ax.axvline(knowing.question.context, color="#5f6675", lw=1.2, ls=(0, (1.5, 2.5)))
    ax.annotate(
        "the question to ask",
        (knowing.question.context, 0.03),
        xytext=(5, 0),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        color="#5f6675",
    )
ax.set_title("One decision, or one for each cost", loc="left", fontweight="bold")
ax.set(xlabel="asymmetry α", ylabel="mean loss", xlim=(0.5, 0.9), ylim=(8, None))
ax.legend(frameon=False)
ax.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# If nothing will be known
# ------------------------
#
# A single decision can also minimise the worst case of the range, or the largest regret compared
# with knowing the asymmetry.

for name, decision in {
    "expected loss": frozen,
    "worst case": comparison.decide(between=(0.5, 0.9)),
    "regret": comparison.decide(between=(0.5, 0.9), criterion="regret"),
}.items():
    print(f"{name:<14} {decision.model}, {decision.knob_text}")
