"""Rows of a Spark table: executors take them into states, the driver merges the states.

The digits depend on the rows alone, not on which executor ran what, nor on how often: a task that
is lost with its worker is run again, and states are merged in a fixed order.

- ``reduce`` merges in the order of Spark's partitions. Within one, a scan of files gives rows in
  one order; after a shuffle (a join, a grouping) Spark gives them as they arrive, and then sums of
  doubles may differ in their last bits from run to run.
- ``ordered`` cuts the keys into ranges of its own. ``repartitionByRange`` would draw its borders
  anew in every run, and would compute all records twice to do so. Here the borders come from rows
  that are picked by a hash of their values, and records of one key are put into one order, so that
  even a shuffle leaves no trace.
"""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roctopus.concepts.streams import Columns, OrderedState, RowsDone
from roctopus.core.arrays import Floats
from roctopus.core.errors import InputError, MissingDependencyError, RoctopusError
from roctopus.core.names import refuse_missing
from roctopus.engines.spark_tasks import (
    PLACE,
    STATES,
    make_records,
    read_columns,
    take_records,
    take_rows,
)

SAMPLED = 100_000
"""Rows from which the borders of ranges are found."""
ENOUGH = 1_000
"""Different rows below which a sample is too coarse."""
PER_RANGE = 500_000
"""Records that a range should hold: a worker holds one range in memory."""
MOST_RANGES = 4_000


class SparkSource:
    """The rows of a Spark table.

    Every executor must be able to import roctopus: install it beside the workers' Python, or send
    it along with ``spark.archives`` (a packed virtual environment) or, where numpy and pyarrow are
    installed, with ``spark.sparkContext.addPyFile`` (the wheel).

    The driver holds one state per partition while it merges them; raise ``spark.driver.memory``
    and ``spark.driver.maxResultSize`` for large states and thousands of partitions.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The table; nothing of it is computed before it is needed.
    name : str, default="the Spark table"
        What messages call it.
    """

    def __init__(self, frame: Any, *, name: str = "the Spark table") -> None:
        _require_spark()
        if not hasattr(frame, "mapInArrow"):
            raise InputError(
                "The data must be a Spark DataFrame, but are of the type "
                f"{type(frame).__name__!r}. Convert them first, for example with "
                "spark.createDataFrame(...)."
            )
        self.frame = frame
        self.name = name
        self._rows: int | None = None

    def names(self) -> list[str]:
        """Return the names of the columns."""
        return list(self.frame.columns)

    def rows(self) -> int:
        """Return the number of rows; Spark counts them once."""
        if self._rows is None:
            self._rows = int(self.frame.count())
        return self._rows

    def pilot(self, columns: Sequence[str], rows: int) -> dict[str, NDArray[Any]]:
        """Return some rows of the first partitions."""
        return read_columns(self._chosen(columns).limit(rows).toArrow(), columns)

    def table(self, columns: Sequence[str]) -> Any:
        """Return columns as an Arrow table in memory."""
        return self._chosen(columns).toArrow().rename_columns(list(columns))

    def reduce(self, columns: Sequence[str], start: Any, told: RowsDone) -> Any:
        """Return the state after all rows, in any order.

        Parameters
        ----------
        columns : sequence of str
            What the state reads.
        start : object with ``update(batch)`` and ``merge(other)``
            The state before the first row; it stays as it is.
        told : callable
            Is told the number of rows when all are done.

        Returns
        -------
        object
            The state, the same on every run, bit for bit, if the table is a scan of files.
        """
        work = partial(take_rows, tuple(columns), start)
        return _merged(start, self._chosen(columns).mapInArrow(work, STATES), told)

    def ordered(self, columns: Sequence[str], start: Any, told: RowsDone) -> Any:
        """Return the state after the records of all rows, in the order of their keys.

        Parameters
        ----------
        columns : sequence of str
            What the state makes records from.
        start : OrderedState
            The state before the smallest key; it stays as it is.
        told : callable
            Is told the number of rows when all are done.

        Returns
        -------
        OrderedState
            The same on every run and on every cluster, bit for bit.
        """
        chosen = self._chosen(columns)
        sample = self._sample(chosen, columns)
        if sample is None:
            return copy.deepcopy(start)
        records = start.records(sample)
        kept = ["key", *sorted(set(records) - {"key"})]
        borders = self._borders(records["key"], len(next(iter(sample.values()))))
        schema = ", ".join([f"{_quoted(PLACE)} int", *(f"{_quoted(one)} double" for one in kept)])
        make = partial(make_records, tuple(columns), start, kept, borders)
        take = partial(take_records, start, kept, borders)
        placed = (
            chosen.mapInArrow(make, schema)
            .repartition(len(borders) + 1, _quoted(PLACE))
            .select(*map(_quoted, kept))
            .sortWithinPartitions("key")
        )
        states = placed.mapInArrow(take, STATES)
        try:
            state = _merged(start, states, lambda _: told(self.rows()))
        except _RefusedRowsError:
            self.reduce(columns, _Refusals(start), lambda _: None)  # raises the sentence
            raise
        return state

    def _chosen(self, columns: Sequence[str]) -> Any:
        """Return the columns that are needed; missing or non-numeric ones raise an error."""
        refuse_missing(columns, self.names(), self.name)
        # By place: mapInArrow stumbles over dots in names.
        told = [f"{_quoted(name)} AS c{place}" for place, name in enumerate(columns)]
        chosen = self.frame.selectExpr(*told)
        read_columns(chosen.limit(0).toArrow(), columns)
        return chosen

    def _sample(self, chosen: Any, columns: Sequence[str]) -> dict[str, NDArray[Any]] | None:
        """Return rows picked by a hash of their values; None if there are none at all.

        Rows that are alike are picked together, so where few differ, more are needed.
        """
        listed = list(chosen.columns)
        every = max(1, self.rows() // SAMPLED)
        while True:
            picked = chosen.where(f"pmod(xxhash64({', '.join(listed)}), {every}) = 0")
            found = picked.groupBy(*listed).count().toArrow()
            if every == 1 or found.num_rows >= ENOUGH:
                break
            every = max(1, every // 100)
        if found.num_rows == 0:
            return None
        counts = np.asarray(found.column(len(columns)).to_numpy())
        repeats = np.maximum(1, counts // max(1, int(counts.sum()) // SAMPLED))
        alone = read_columns(found.select(list(range(len(columns)))), columns)
        return {name: np.repeat(column, repeats) for name, column in alone.items()}

    def _borders(self, keys: Floats, rows: int) -> Floats:
        """Return the keys at which ranges begin, so that all hold about the same."""
        expected = self.rows() * len(keys) / rows
        ranges = int(min(np.ceil(expected / PER_RANGE), MOST_RANGES))
        levels = np.arange(1, ranges) / max(ranges, 1)
        found: Floats = np.unique(np.quantile(keys, levels, method="inverted_cdf"))
        return found


class _RefusedRowsError(RoctopusError):
    """Some rows gave no records; why is found by asking again."""


class _Refusals:
    """Makes records and keeps none: finds the first rows that have none."""

    def __init__(self, start: OrderedState) -> None:
        self.start = start

    def update(self, batch: Columns) -> None:
        self.start.records(batch)

    def merge(self, other: _Refusals) -> None:
        pass


def _merged(start: Any, states: Any, told: RowsDone) -> Any:
    """Run a job and merge what it gives, from the first place to the last."""
    found = sorted(_collected(states), key=lambda row: row.place)
    for row in found:
        if row.trouble is not None:
            raise _RefusedRowsError() if row.place < 0 else InputError(row.trouble)
    if len({row.place for row in found}) < len(found):
        raise AssertionError("Spark gave one part of the rows to several tasks.")
    total = copy.deepcopy(start)
    for row in found:
        total.merge(pickle.loads(row.state))
    told(sum(row.rows for row in found))
    return total


def _collected(states: Any) -> list[Any]:
    from pyspark.errors import PySparkException

    try:
        return list(states.collect())
    except PySparkException as error:
        missing = re.search(r"No module named '([\w.]+)'", str(error))
        if missing is None:
            raise
        raise MissingDependencyError(
            "Every executor of Spark",
            missing[1],
            "pip install 'roctopus[spark]' for the workers' Python (PYSPARK_PYTHON)",
        ) from None


def _quoted(name: str) -> str:
    """Return a name as Spark reads it: dots in it mean nothing."""
    return "`" + name.replace("`", "``") + "`"


def _require_spark() -> None:
    """Say what is missing; pandas is not used here, but PySpark insists on it."""
    for package in ("pyspark", "pyarrow", "pandas"):
        if find_spec(package) is None:
            raise MissingDependencyError(
                "Reading Spark tables",
                package,
                "pip install 'roctopus[spark]', and Java (on Debian: apt-get install "
                "openjdk-17-jre-headless)",
            )
