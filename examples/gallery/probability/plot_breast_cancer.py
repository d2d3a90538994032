"""
Which patients need surgery? From data to a deployed classifier
===============================================================

Cells from a breast mass are photographed, and a classifier says how likely the mass is malignant.
Missing a cancer costs five times as much as an unnecessary operation. From three classifiers
roctopus chooses one, with the threshold that costs least. It answers "malignant" or "benign", like
the labels in the data.

The data are real and come with scikit-learn: 569 patients, 212 of them with cancer (Wolberg,
Mangasarian and Street 1993, UCI, doi:10.24432/C5DW2B, CC BY 4.0). The costs are assumed.
"""

import contextlib
import subprocess
import sys
import tempfile

import joblib
import matplotlib.pyplot as plt
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
# Labels may be text; ``pos_label`` names the class that you want to detect. The deployed classifier
# is scikit-learn's ``FixedThresholdClassifier``.

X, y = load_breast_cancer(return_X_y=True)
y = load_breast_cancer().target_names[y]  # 'malignant' or 'benign'
models = {"naive Bayes": GaussianNB(), "forest": ExtraTreesClassifier(50, random_state=0)}
models["logistic"] = make_pipeline(StandardScaler(), LogisticRegression())
comparison = rt.compare_estimators(models, X, y, arm="probability", pos_label="malignant")
decision = comparison.decide(false_positive_cost=1, false_negative_cost=5)
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
# The cost is measured out of sample, per patient, in units of one unnecessary operation.

print(decision)

# %%
# The picture shows how much more each model costs at its best threshold than the best one, for all
# ratios of the two costs. At the assumed ratio, 569 patients are too few to distinguish the models.

comparison.plot(
    false_positive_cost=1,
    false_negative_cost=5,
    title="Logistic regression leads at most cost ratios",
)
plt.show()
