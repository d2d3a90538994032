"""Errors and warnings know the arguments they speak of."""

import copy
import pickle
import warnings

import pytest

from roctopus.core.checks import check_unit
from roctopus.core.errors import InputError, RoctopusWarning, arg, warn

OPTIONS = {"sample_weight": "--weight", "missing": "--missing", "exact": "--exact"}


def test_a_sentence_knows_its_arguments():
    found = InputError(f"{arg('sample_weight')} and {arg('labels')} differ in 'labels'.")
    assert str(found) == "'sample_weight' and 'labels' differ in 'labels'."
    assert found.argument == "sample_weight"
    assert found.arguments == ("sample_weight", "labels")
    assert found.said(OPTIONS) == "--weight and 'labels' differ in 'labels'."


def test_values_to_give():
    found = InputError(f"Use {arg('missing', 'common')} or {arg('exact', True)}.")
    assert str(found) == "Use missing='common' or exact=True."
    assert found.said(OPTIONS) == "Use --missing common or --exact."
    parts = InputError(arg("delimiter", ";") + arg("delimiter", "\t"))
    assert str(parts) == r"delimiter=';'delimiter='\t'"
    assert parts.said({"delimiter": "-d"}) == r"-d ';'-d $'\t'"


def test_data_are_never_taken_for_arguments():
    column = arg("sample_weight")
    found = InputError(f"There is no column {'sample_weight'!r}, and none called {column!r}.")
    assert found.arguments == ()
    assert "--weight" not in found.said(OPTIONS)


def test_a_sentence_inside_another():
    with pytest.raises(InputError) as caught:
        check_unit(2.0, "prevalence")
    outer = InputError(f"Model 'a': {caught.value.marked}")
    assert outer.argument == "prevalence"
    assert str(outer) == f"Model 'a': {caught.value}"


@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_copies_know_as_much(again):
    found = again(InputError(f"{arg('y_true')} is empty."))
    assert (str(found), found.argument) == ("'y_true' is empty.", "y_true")
    assert isinstance(found, ValueError)


def test_warnings_know_them_too():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn(f"{arg('sample_weight')} counts.")
    (note,) = caught
    assert note.category is RoctopusWarning
    assert note.filename == __file__
    assert str(note.message) == "'sample_weight' counts."
    assert note.message.said(OPTIONS) == "--weight counts."
