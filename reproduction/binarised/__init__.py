"""Binarised regression tasks: methods and evaluation metrics, redone."""

from __future__ import annotations

from reproduction.binarised.case import case_study
from reproduction.binarised.tables import described, load_all, tables
from reproduction.binarised.theory import example, trivial_models
from reproduction.options import Options
from reproduction.records import Page

__all__ = ["make"]


def make(options: Options) -> Page:
    """Return the page."""
    page = Page(
        "binarised",
        "Binarised regression tasks: methods and evaluation metrics",
        "Hernández-Orallo, Ferri, Lachiche, Martínez-Usó, Ramírez-Quintana (2015)",
    )
    page.section("Section 1: two ways")
    page.absent("Figure 1", "a diagram of reframing and retraining, without data")
    example(page)
    trivial_models(page)
    case_study(page, options)
    problems = load_all(page, options)
    if problems:
        described(page, problems)
        tables(page, problems, options)
    return page
