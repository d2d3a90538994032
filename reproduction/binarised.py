"""Binarised regression tasks: methods and evaluation metrics, redone."""

from __future__ import annotations

from reproduction.binarised_case import case_study
from reproduction.binarised_tables import described, load_all, tables
from reproduction.binarised_theory import example, trivial_models
from reproduction.options import Options, parser, run
from reproduction.records import Page
from roctopus import InputError

__all__ = ["make"]


def make(options: Options) -> Page:
    """Return the page."""
    page = Page(
        "binarised",
        "Binarised regression tasks: methods and evaluation metrics",
        "Hernández-Orallo, Ferri, Lachiche, Martínez-Usó, Ramírez-Quintana (2015)",
    )
    example(page)
    trivial_models(page)
    case_study(page, options)
    try:
        problems = load_all(options)
    except InputError as error:
        page.section("Tables 5 to 9")
        page.absent("Tables 5 to 9 and their conclusions", str(error))
        return page
    described(page, problems)
    tables(page, problems, options)
    return page


if __name__ == "__main__":
    run(make, Options(**vars(parser(__doc__.splitlines()[0]).parse_args())))
