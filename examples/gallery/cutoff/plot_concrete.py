"""
Is this concrete stronger than 40 MPa? From data to a deployed model
====================================================================

A building needs concrete of at least 40 MPa. Estimators predict the strength of a mix from its
ingredients and its age; the answer is yes or no. The chosen model is saved in a file that another
process loads, and the next building may ask for another strength.

The data are real: 1,030 samples of 427 mixes (Yeh 1998, UCI, doi:10.24432/C5PK67, CC BY 4.0). We
assume that a wrong yes and a wrong no cost the same.
"""

import contextlib
import subprocess
import sys
import tempfile

import joblib
import matplotlib.pyplot as plt
import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression

import roctopus as rt
from roctopus.datasets import load_concrete

# %%
# From data to an answer in another process
# -----------------------------------------
#
# Samples of one mix are similar, so they form a group: each is predicted by models that have seen
# no sample of its mix. ``predict`` of the deployed model returns 1 for yes and 0 for no, at 40 MPa
# or at the cutoff it is given. The new mix has 475 kg of cement, and is tested after 28 days.

X, y = load_concrete(return_X_y=True)
mix = np.unique(X[:, :-1], axis=0, return_inverse=True)[1]  # all columns but the age
models = {"linear": LinearRegression(), "forest": RandomForestRegressor(50, random_state=0)}
models["boosting"] = HistGradientBoostingRegressor(random_state=0)
comparison = rt.compare_estimators(models, X, y, arm="cutoff", groups=mix)
decision = comparison.decide(cutoff=40)
ready = decision.deploy()
with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
    decision.to_json("decision.json")
    joblib.dump((ready, [[475, 0, 0, 181, 8.9, 852, 782, 28]]), "strong.joblib")
    program = "import joblib; ready, new = joblib.load('strong.joblib'); print(ready.predict(new))"
    elsewhere = subprocess.check_output([sys.executable, "-c", program], text=True)

print("elsewhere:", elsewhere, end="")
print("here:     ", ready.predict([[475, 0, 0, 181, 8.9, 852, 782, 28]]))
print("at 70 MPa:", ready.predict([[475, 0, 0, 181, 8.9, 852, 782, 28]], cutoff=70))

# %%
# What was decided
# ----------------
#
# The cost is the share of wrong answers about mixes that the models have not seen.

print(decision)

# %%
# The picture shows the share of wrong answers for every cutoff. It is small at both ends, where
# nearly all samples are on one side.

comparison.plot(
    kind="cost",
    cutoff=40,
    title="Forest and boosting err least, whatever the building asks for",
)
plt.show()
