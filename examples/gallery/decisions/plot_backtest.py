"""
What would each way of deciding have saved?
===========================================

A bakery bakes for tomorrow. How much a missing loaf costs compared with a spare one changes with
the season and the day of the week. Should the bakery tune once, let the shift follow the costs, or
tune again every week? ``backtest`` replays all of these on past data. At every step, it uses
earlier days only.
"""

import numpy as np

import roctopus as rt
from roctopus.datasets import load_bakery

# %%
# A year of days
# --------------
#
# The demand and the forecasts come with the package; the file numbers its days, and here they get
# the dates of a year. The costs are made up: a missing loaf costs more on Fridays and Saturdays,
# and towards summer.

bakery = load_bakery()
day = np.arange("2025-01-01", "2026-01-01", dtype="datetime64[D]")
busy = np.is_busday(day, weekmask="Fri Sat")
season = np.sin(np.pi * np.arange(365) / 365)
missing = 1.0 + 2.0 * busy + 4.0 * season
costs = {"under_cost": missing, "over_cost": np.ones(365)}

comparison = rt.compare(bakery.y_true, bakery.predictions, arm="regression", context=costs)

# %%
# The replay
# ----------
#
# Each week is a period. The first third of the weeks is used for tuning only; then every week is
# judged with settings tuned on earlier weeks. The intervals allow for correlation between
# neighbouring weeks.

backtest = comparison.backtest(time=day, period="week", refit=4)
print(backtest)

# %%
# In a picture
# ------------
#
# The picture shows how much each policy has saved so far, compared with the model whose raw
# predictions looked best. The dashed line uses later data: for every four weeks, it has the model
# and the shift that were best in them.

backtest.plot()

# %%
# What was used when
# ------------------
#
# Re-tuning can also do harm: it may use last month's costs in a different season, or change the
# model by chance. A shift that follows each day's costs does not have these problems.

choices = backtest.choices()
print(choices[choices["policy"].isin(["frozen", "following", "retuned"])].to_string(index=False))
