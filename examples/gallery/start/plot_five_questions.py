"""
One idea, five kinds of question
================================

A **context** says what errors cost. A **rule** turns it into a **setting**. A **curve** is the
outcome along contexts, and the **envelope** of the models' curves shows which model is best where.
The five arms of roctopus apply this idea to five kinds of question, with the same methods.

The data are real and bundled; the costs are assumed.
"""

import matplotlib.pyplot as plt

import roctopus as rt
from roctopus import datasets

plant = datasets.load_power_plant_predictions()  # output of 9,568 hours
concrete = datasets.load_concrete_predictions()  # strength of 1,030 samples
wine = datasets.load_wine_predictions()  # grades of 4,898 wines
thyroid = datasets.load_thyroid_predictions()  # 7,200 patients, ill or not
bank = datasets.load_bank_predictions()  # what calling each of 5,000 clients earned

# %%
# Five comparisons
# ----------------
#
# Only the cases differ: a number with costs on both sides, a number to be compared with a cutoff, a
# grade, a yes or no with a probability, a case with its own value.

comparisons = {
    "How much power to sell?": rt.compare(plant.y_true, plant.predictions, arm="regression"),
    "Strong enough?": rt.compare(
        concrete.y_true, concrete.predictions, arm="cutoff", clusters=concrete.columns["mix"]
    ),
    "Which grade?": rt.compare(
        wine.y_true,
        wine.predictions,
        arm="ordinal",
        clusters=wine.columns["wine"],
        costs_between=(0, 6),
    ),
    "Who sees a specialist?": rt.compare(
        thyroid.y_true, thyroid.predictions, arm="probability", clusters=thyroid.columns["patient"]
    ),
    "Which clients to call?": rt.compare(
        bank.y_true, bank.predictions, arm="impact", utility=rt.value_minus_cutoff
    ),
}

# %%
# Five decisions
# --------------

contexts = [
    {"under_cost": 1, "over_cost": 3},
    {"cutoff": 40, "false_positive_cost": 5, "false_negative_cost": 1},
    {"costs": [4, 2, 1, 1, 1]},
    {"false_positive_cost": 1, "false_negative_cost": 20},
    {"theta": 3.0},
]
for (question, comparison), context in zip(comparisons.items(), contexts, strict=True):
    decision = comparison.decide(**context)
    print(f"{question:<24} {decision.model}, {decision.knob_text}: {decision.verdict}")

# %%
# Five pictures
# -------------
#
# Each shows how much more every model costs than the best one (or how much less it earns) as the
# context changes. The strip names the best model at each context.

figure, axes = plt.subplots(3, 2, figsize=(12, 12), layout="constrained")
for ax, comparison, context in zip(axes.flat, comparisons.values(), contexts, strict=False):
    comparison.plot(ax=ax, **context)
axes.flat[-1].set_axis_off()
axes.flat[-1].text(
    0.0,
    0.95,
    "context → setting\n\n"
    "asymmetry of costs → shift\n"
    "cutoff → margin\n"
    "cost of a class → thresholds\n"
    "cost proportion → threshold\n"
    "price → threshold",
    va="top",
    fontsize=14,
    linespacing=1.6,
    color="#1f2430",
)
plt.show()
