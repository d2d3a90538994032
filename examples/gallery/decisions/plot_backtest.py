"""
What would each way of deciding have saved?
===========================================

A bakery bakes for tomorrow, and what a missing loaf costs against a spare one changes with the season
and the day of the week. Should it tune once and freeze, let the shift follow the costs, or tune anew
every week? ``backtest`` replays all of these through the past. At every step only earlier days teach.
"""

import numpy as np

import roctopus as rt
from roctopus.datasets import load_bakery

# %%
# A year of days
# --------------
#
# The demand and the forecasts come with the package; the file numbers its days, and here they get the
# dates of a year. The costs are made up: a missing loaf costs more on Fridays and Saturdays, and towards
# summer.

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
# Weeks are periods. The first third of them teaches; from then on every week is judged with settings
# that were learned before it. The intervals allow for weeks that resemble their neighbours.

backtest = comparison.backtest(time=day, period="week", refit=4)
print(backtest)

# %%
# In a picture
# ------------
#
# What has been saved so far against the model that looked best as it is. The dashed line knows the
# future: for every four weeks, it has the model and the shift that were best in them.

backtest.plot()

# %%
# What was used when
# ------------------
#
# Retuning is no free lunch: it can follow the costs of the past month into the wrong season, or take
# another model on thin evidence. A shift that follows each day's costs needs no retuning for that.

choices = backtest.choices()
print(choices[choices["policy"].isin(["frozen", "following", "retuned"])].to_string(index=False))
