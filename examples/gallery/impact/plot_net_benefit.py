"""
Is a model better than operating on everyone? From data to a deployed classifier
================================================================================

Some patients would accept nine unnecessary operations for every cancer that is found: they act at a
probability of 10 %. Net benefit is the number of cancers found, minus the unnecessary operations at
this rate. Operating on everyone and operating on no one need no model, so a model must beat both.

The data are real and come with scikit-learn: 569 patients, 212 of them with cancer (Wolberg,
Mangasarian and Street 1993, UCI, doi:10.24432/C5DW2B, CC BY 4.0). The threshold probability is assumed.
"""

import contextlib
import subprocess
import sys
import tempfile

import joblib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import roctopus as rt

# %%
# From data to a diagnosis in another process
# -------------------------------------------
#
# The price θ is the cost of an unnecessary operation, in units of a cancer found: 1/9 at a
# probability of 10 %. In these data 0 means malignant, so we give ``pos_label``.

X, y = load_breast_cancer(return_X_y=True)
models = {"naive Bayes": GaussianNB(), "forest": ExtraTreesClassifier(50, random_state=0)}
models["logistic"] = make_pipeline(StandardScaler(), LogisticRegression())
told = {"utility": rt.net_benefit_utility, "pos_label": 0}
comparison = rt.compare_estimators(models, X, y, arm="impact", **told)
decision = comparison.decide(theta=1 / 9)
ready = decision.deploy()
with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
    decision.to_json("decision.json")
    joblib.dump((ready, X[18:22]), "surgery.joblib")
    program = "import joblib; ready, new = joblib.load('surgery.joblib'); print(ready.predict(new))"
    elsewhere = subprocess.check_output([sys.executable, "-c", program], text=True)

print("elsewhere:", elsewhere, end="")
print("here:     ", ready.predict(X[18:22]))

# %%
# What was decided
# ----------------
#
# The gain is measured out of sample, in cancers found per patient.

print(decision)
everyone = np.mean(y == 0) - np.mean(y == 1) / 9
print(f"Operating on everyone gains {everyone:.3f}, operating on no one 0.")

# %%
# The picture shows the net benefit of every model at its best threshold, for all threshold
# probabilities up to one half.

comparison.plot(
    kind="cost", theta=1 / 9, low=0, high=1, title="Every model beats operating on everyone"
)
plt.show()
