"""
Which grade does this wine get? From data to a deployed model
=============================================================

A wine maker wants to know how tasters will grade a wine, from its laboratory values. A bad wine that
is sold as a better one loses customers, so errors about the two lowest grades cost more. Estimators
score the wines; the decision says at which scores one grade ends and the next begins.

The data are real: 4,898 Portuguese white wines (Cortez, Cerdeira, Almeida, Matos and Reis 2009, UCI,
doi:10.24432/C56S3T, CC BY 4.0). The 25 wines of grade 3 or 9 count as 4 or 8. The costs are assumed: an
error costs 3 for a wine of grade 4, 2 for grade 5, and 1 for the other grades.
"""

import contextlib
import subprocess
import sys
import tempfile

import joblib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import roctopus as rt
from roctopus.datasets import load_wine
from roctopus.display import OrdinalThresholdDisplay

# %%
# From data to a grade in another process
# ---------------------------------------
#
# Equal rows are one group, since 937 rows repeat an earlier one. A regressor predicts the grade as
# a number. For a classifier, roctopus uses the expected grade: the mean of the classes, weighted by
# their probabilities.

X, y = load_wine(return_X_y=True)
same = np.unique(X, axis=0, return_inverse=True)[1]
models = {"linear": LinearRegression(), "forest": ExtraTreesRegressor(30, random_state=0)}
models["logistic"] = make_pipeline(StandardScaler(), LogisticRegression())
comparison = rt.compare_estimators(models, X, y.clip(4, 8), arm="ordinal", groups=same)
decision = comparison.decide(costs=[3, 2, 1, 1, 1])
ready = decision.deploy()
with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
    decision.to_json("decision.json")
    joblib.dump((ready, X[::600]), "grade.joblib")
    program = "import joblib; ready, new = joblib.load('grade.joblib'); print(ready.predict(new))"
    elsewhere = subprocess.check_output([sys.executable, "-c", program], text=True)

print("elsewhere:", elsewhere, end="")
print("here:     ", ready.predict(X[::600]))

# %%
# What was decided
# ----------------
#
# The cost is measured out of sample, per wine, in units of one error about a good wine.

print(decision)

# %%
# The picture shows the scores of wines that the forest was not trained on, by their true grade. The
# vertical lines are the thresholds between the grades.

OrdinalThresholdDisplay.from_predictions(
    y.clip(4, 8),
    comparison.predictions[decision.model],
    costs=[3, 2, 1, 1, 1],
    title="Where the forest's scores change the grade",
)
plt.show()
