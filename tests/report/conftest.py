"""The pages of all arms, each made once for all processes."""

import pytest
from pages import examples


@pytest.fixture(scope="session")
def pages(tmp_path_factory, worker_id):
    """Return the page of an arm, which is made when it is first needed."""
    base = tmp_path_factory.getbasetemp()
    folder = base if worker_id == "master" else base.parent  # which all processes share
    compared = examples()

    def page(arm, *, exact=False):
        path = folder / f"page-{arm}{'-exact' if exact else ''}.html"
        if not path.exists():
            comparison, first = compared[arm]
            more = {"exact": True} if exact else {"unit": "units"}
            comparison.to_html(path, **first, **more)
        return path

    return page
