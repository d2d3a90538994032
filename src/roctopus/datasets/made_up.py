"""Examples that are made up."""

from __future__ import annotations

from roctopus.datasets.example import Example, load_example


def load_bakery() -> Example:
    """Return a year of daily bread: the demand, and five models' forecasts of it.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_bakery
    >>> bakery = load_bakery()
    >>> len(bakery.y_true), list(bakery.predictions)[:2]
    (365, ['ridge', 'random forest'])
    """
    return load_example("bakery")


def load_apartments() -> Example:
    """Return apartments with their prices (thousands), and four models' forecasts of them.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_apartments
    >>> sorted(set(load_apartments().columns["district"]))
    ['harbour', 'north', 'old town', 'park']
    """
    return load_example("apartments")


def load_apples() -> Example:
    """Return apples graded by hand, and the scores of three models from a camera.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_apples
    >>> sorted(set(load_apples().y_true))
    ['juice', 'kitchen', 'table']
    """
    return load_example("apples")


def load_screening() -> Example:
    """Return who turned out ill (1), and four models' probabilities of it.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_screening
    >>> int(load_screening().y_true.sum()) > 50
    True
    """
    return load_example("screening")


def load_phones() -> Example:
    """Return old phones: what each resells for, what its repair costs, and three models' scores.

    The data are made up.

    Returns
    -------
    Example
        The true values, the predictions by model, and the story.

    Examples
    --------
    >>> from roctopus.datasets import load_phones
    >>> sorted(load_phones().columns)
    ['repair']
    """
    return load_example("phones")
