"""The loss of predicted quantiles."""

from __future__ import annotations

from typing import Any

from roctopus.concepts.registry import metric
from roctopus.core.arrays import Array
from roctopus.core.checks import check_unit
from roctopus.regression.errors import Errors, read_errors
from roctopus.regression.two_costs import LinLin


def _pinball(errors: Errors, level: float) -> Array:
    """Return half of the lin-lin loss, whose costs sum to 2."""
    return 0.5 * LinLin(check_unit(level, "level")).values(errors.values, errors.xp)


@metric(arm="regression", read=read_errors, per_case=_pinball)
def pinball_loss(y_true: Any, y_pred: Any, *, level: float, sample_weight: Any = None) -> float:
    """Return the mean pinball loss of predicted quantiles.

    An under-estimate by 1 costs the level τ, an over-estimate by 1 costs 1 − τ. The true
    τ-quantiles minimise it in expectation.

    Parameters
    ----------
    y_true, y_pred : array of shape (n,)
        True values and predictions, one per case.
    level : float
        Level τ of the quantile, from 0 to 1.
    sample_weight : array of shape (n,), optional
        Weight of each case; cases of weight 0 are ignored.

    Returns
    -------
    float
        The mean loss per case.

    See Also
    --------
    asymmetric_absolute_error : The same loss in units of your costs, and the one that is tuned for.

    Notes
    -----
    It is scikit-learn's ``mean_pinball_loss`` with ``alpha=level``, half of
    ``asymmetric_absolute_error`` with ``asymmetry=level``, and exactly that with
    ``under_cost=level, over_cost=1 - level``.

    Examples
    --------
    >>> import roctopus as rt
    >>> round(rt.pinball_loss([3, 5, 8], [4, 4, 9], level=0.9), 6)
    0.366667
    """
    errors = read_errors(y_true, y_pred, sample_weight)
    return errors.sample.mean(_pinball(errors, level))
