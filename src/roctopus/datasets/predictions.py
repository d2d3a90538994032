"""Examples on real data: ``examples/make_real_examples.py`` made the predictions."""

from __future__ import annotations

from roctopus.datasets.example import Example, load_example


def load_concrete_predictions() -> Example:
    """Return four models' predictions of the strength of 1,030 concrete samples, in MPa.

    The samples are from 427 mixes: give the column ``mix`` as ``clusters``. Each was predicted by
    models that were not trained on its mix. By I-Cheng Yeh (1998), UCI, doi:10.24432/C5PK67,
    licence CC BY 4.0.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_concrete_predictions
    >>> len(set(load_concrete_predictions().columns["mix"]))
    427
    """
    return load_example("concrete-predictions")


def load_power_plant_predictions() -> Example:
    """Return four models' predictions of a power plant's output in 9,568 hours, in MW.

    By Pınar Tüfekci and Heysem Kaya (2014), UCI, doi:10.24432/C5002N, licence CC BY 4.0.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_power_plant_predictions
    >>> plant = load_power_plant_predictions()
    >>> plant.unit, float(plant.y_true.max())
    ('MW', 495.76)
    """
    return load_example("power-plant-predictions")


def load_wine_predictions() -> Example:
    """Return four models' scores of 4,898 white wines, and the tasters' grade from 4 to 8.

    The 25 wines of grade 3 or 9 count as 4 or 8. 937 rows repeat an earlier one: give the column
    ``wine`` as ``clusters``. By Paulo Cortez, António Cerdeira, Fernando Almeida, Telmo Matos and
    José Reis (2009), UCI, doi:10.24432/C56S3T, licence CC BY 4.0.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_wine_predictions
    >>> sorted(set(load_wine_predictions().y_true.tolist()))
    [4.0, 5.0, 6.0, 7.0, 8.0]
    """
    return load_example("wine-predictions")


def load_thyroid_predictions() -> Example:
    """Return four models' probabilities that 7,200 patients have a diseased thyroid gland.

    71 rows repeat an earlier one: give the column ``patient`` as ``clusters``. By Ross Quinlan
    (1986), UCI, doi:10.24432/C5D010, licence CC BY 4.0.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_thyroid_predictions
    >>> int(load_thyroid_predictions().y_true.sum())
    534
    """
    return load_example("thyroid-predictions")


def load_bank_predictions() -> Example:
    """Return what calling each of 5,000 bank clients brought in, in euros, and four scores of them.

    It is assumed that a term deposit earns the bank 1 % of the client's balance. Clients who did
    not agree to one earn it nothing. By Sérgio Moro, Paulo Rita and Paulo Cortez (2014), UCI,
    doi:10.24432/C5K306, licence CC BY 4.0.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_bank_predictions
    >>> list(load_bank_predictions().predictions)
    ['boosting value', 'naive Bayes value', 'boosting chance', 'balance']
    """
    return load_example("bank-predictions")
