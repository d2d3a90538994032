"""
One idea, five kinds of question
================================

A **context** says what errors cost. A **rule** turns it into a **setting**. A **curve** is the
outcome along contexts, and the **envelope** of the models' curves shows which model is best where.
The five arms of roctopus apply this idea to five kinds of question, with the same methods.
"""

import matplotlib.pyplot as plt

import roctopus as rt
from roctopus import datasets

bakery, apartments = datasets.load_bakery(), datasets.load_apartments()
apples, screening, phones = (
    datasets.load_apples(),
    datasets.load_screening(),
    datasets.load_phones(),
)

# %%
# Five comparisons
# ----------------
#
# Only the cases differ: a number with costs on both sides, a number to be compared with a cutoff, a
# grade, a yes or no with a probability, a case with its own value.

worth = rt.LinearUtility(phones.y_true, -phones.columns["repair"])  # resale × price level − repair
comparisons = {
    "How many loaves?": rt.compare(bakery.y_true, bakery.predictions, arm="regression"),
    "Above the budget?": rt.compare(apartments.y_true, apartments.predictions, arm="cutoff"),
    "Which grade?": rt.compare(
        apples.y_true,
        apples.predictions,
        arm="ordinal",
        labels=["juice", "kitchen", "table"],
        costs_between=(0, 6),
    ),
    "Send to a second test?": rt.compare(
        screening.y_true, screening.predictions, arm="probability"
    ),
    "Which phones to repair?": rt.compare(
        phones.y_true, phones.predictions, arm="impact", utility=worth
    ),
}

# %%
# Five pictures
# -------------
#
# The first four show losses, the fifth shows gains. The strip along the bottom names the best model
# for each context.

figure, axes = plt.subplots(2, 3, figsize=(12, 7), layout="constrained")
for ax, (question, comparison) in zip(axes.flat, comparisons.items(), strict=False):
    shown = {"low": 0.0, "high": 1.0} if comparison.problem.arm == "impact" else {}
    comparison.plot(kind="cost", ax=ax, title=question, **shown)
axes.flat[-1].set_axis_off()
axes.flat[-1].text(
    0.0,
    0.95,
    "context → setting\n\n"
    "asymmetry of costs → shift\n"
    "cutoff → none: compare with it\n"
    "cost of a class → thresholds\n"
    "cost proportion → threshold\n"
    "price → threshold",
    va="top",
    fontsize=14,
    linespacing=1.6,
    color="#1f2430",
)
plt.show()

# %%
# Five decisions
# --------------

contexts = [
    {"under_cost": 4, "over_cost": 1},
    {"cutoff": 150},
    {"costs": [3, 2, 1]},
    {"false_positive_cost": 1, "false_negative_cost": 9},
    {"theta": 1.0},
]
for (question, comparison), context in zip(comparisons.items(), contexts, strict=True):
    decision = comparison.decide(**context)
    print(f"{question:<24} {decision.model}, {decision.knob_text}: {decision.verdict}")
