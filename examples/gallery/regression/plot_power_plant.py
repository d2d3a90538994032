"""
How much power can the plant promise? From data to a deployed model
===================================================================

A power plant sells the output of its next hour. If it delivers less than it sold, each missing
megawatt costs three times as much as a megawatt that it could have sold but did not. From four
estimators roctopus chooses one for the promise. It is saved in a file and used by another process.

The data are real: 9,568 hours of a combined cycle power plant under full load, with the weather of
each hour (Tüfekci and Kaya 2014, UCI, doi:10.24432/C5002N, CC BY 4.0). The costs are assumed.
"""

import contextlib
import subprocess
import sys
import tempfile

import joblib
import matplotlib.pyplot as plt
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor

import roctopus as rt
from roctopus.datasets import load_power_plant

# %%
# From data to a prediction in another process
# --------------------------------------------
#
# ``compare_estimators`` trains the models in five folds and predicts each hour with models that
# have not seen it. ``decide`` chooses the model and what to add to its predictions. ``deploy``
# trains that model on all hours and wraps it, so that ``predict`` returns the number to promise. To
# load the file, only scikit-learn and roctopus are needed.

X, y = load_power_plant(return_X_y=True)
models = {"linear": LinearRegression(), "neighbours": KNeighborsRegressor()}
models["forest"] = ExtraTreesRegressor(20, min_samples_leaf=2, random_state=0)
models["boosting"] = HistGradientBoostingRegressor(random_state=0)
comparison = rt.compare_estimators(models, X, y, arm="regression")
decision = comparison.decide(under_cost=1, over_cost=3)  # promised too little : promised too much
ready = decision.deploy()
with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
    decision.to_json("decision.json")
    joblib.dump(ready, "promise.joblib")
    program = "import joblib; print(joblib.load('promise.joblib').predict([[15, 42, 1020, 70]]))"
    elsewhere = subprocess.check_output([sys.executable, "-c", program], text=True)

print("elsewhere:", elsewhere, end="")
print("here:     ", ready.predict([[15, 42, 1020, 70]]))

# %%
# What was decided
# ----------------
#
# The cost is measured out of sample, per hour, in units of one megawatt left unsold.

print(decision)
saved = 1 - decision.value / decision.raw.value
print(f"That is {saved:.0%} less than it costs to promise the model's predictions as they are.")

# %%
# The picture shows how much more each choice costs than the best one, for all ratios of the two
# costs. The vertical line marks the ratio that was assumed.

comparison.plot(under_cost=1, over_cost=3, title="Boosting costs least at every cost ratio")
plt.show()
