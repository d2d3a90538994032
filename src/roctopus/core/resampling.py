"""Random weights for resampling, in blocks of bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import array_api_compat
import numpy as np
from numpy.typing import NDArray

from roctopus.core.arrays import Array, Floats, on_device_of, shared_namespace, to_numpy
from roctopus.core.errors import InputError

Random: TypeAlias = "int | np.random.Generator"

BLOCK = 1 << 22
"""Counts held at a time."""
DEVICE_BLOCK = 1 << 26
"""Counts held at a time on a device, where small blocks would leave it idle."""
CELLS = 1 << 16


def _poisson_table() -> NDArray[np.uint8]:
    """Return counts such that a cell drawn evenly is a Poisson(1) count, to 1 in 65,536.

    The mean is then 1 up to 1e-5, which is less than any bootstrap can see.
    """
    share, total = 1.0, 0.0
    table: list[int] = []
    for count in range(12):
        share = float(np.exp(-1.0)) if count == 0 else share / count
        until = round(CELLS * (total + share))
        table += [count] * (until - len(table))
        total += share
    return np.array(table + [1] * (CELLS - len(table)), dtype=np.uint8)[:CELLS]


TABLE = _poisson_table()


def read_generator(rng: Random) -> np.random.Generator:
    """Return a generator from a seed, or as given."""
    whole = isinstance(rng, (int, np.integer)) and not isinstance(rng, bool)
    if isinstance(rng, np.random.Generator) or (whole and rng >= 0):
        return np.random.default_rng(rng)
    raise InputError(
        f"'rng' must be a seed (a whole number of at least 0) or a Generator, but is {rng!r}."
    )


def poisson_counts(
    size: int, replicates: int, generator: np.random.Generator
) -> Iterator[NDArray[np.float32]]:
    """Yield blocks of Poisson(1) counts: a row per replicate, a column per unit.

    Counts are looked up in a table, which takes a tenth of the time of drawing them. They are small
    and whole, so single precision holds them exactly, at half the cost.
    """
    rows = max(1, BLOCK // max(size, 1))
    for begin in range(0, replicates, rows):
        shape = (min(rows, replicates - begin), size)
        cells = np.frombuffer(generator.bytes(2 * shape[0] * size), dtype=np.uint16)
        yield TABLE[cells].reshape(shape).astype(np.float32)


def can_draw_like(array: Array) -> bool:
    """Tell whether random numbers can be drawn where an array is."""
    return bool(array_api_compat.is_torch_array(array) or array_api_compat.is_cupy_array(array))


def device_poisson_counts(
    like: Array, replicates: int, generator: np.random.Generator
) -> Iterator[Array]:
    """Yield blocks of Poisson(1) counts where an array is, a column for each of its values.

    The generator gives the seed. A count is the number of cumulative probabilities that an even
    random number has reached.
    """
    xp, size = shared_namespace(array=like), int(like.shape[0])
    draw = _even_numbers(like, int(generator.integers(1 << 62)))
    share = np.cumprod(np.append(1.0, 1.0 / np.arange(1.0, 12.0))) * np.exp(-1.0)
    borders = on_device_of(like, np.cumsum(share).astype(np.float32), xp=xp)
    rows = max(1, DEVICE_BLOCK // size)
    for begin in range(0, replicates, rows):
        numbers = draw((min(rows, replicates - begin), size))
        yield xp.astype(xp.searchsorted(borders, numbers, side="right"), xp.float32)


def _even_numbers(like: Array, seed: int) -> Callable[[tuple[int, int]], Array]:
    """Return what draws numbers between 0 and 1, in single precision, where an array is."""
    if array_api_compat.is_torch_array(like):
        import torch

        source = torch.Generator(device=like.device).manual_seed(seed)
        return lambda shape: torch.rand(
            shape, generator=source, device=like.device, dtype=torch.float32
        )
    import cupy

    even = cupy.random.default_rng(seed)
    return lambda shape: even.random(shape, dtype=cupy.float32)


def sums_of_weightings(parts: list[Array], weights: Array) -> list[Floats]:
    """Return the sums of some columns under many weightings (a row each), in numpy.

    The product is taken where the arrays are, in the precision of the weights.
    """
    xp: Any = shared_namespace(parts=parts[0])
    columns = xp.astype(xp.stack(parts, axis=1), weights.dtype)
    sums = to_numpy(xp.matmul(weights, columns)).astype(np.float64)
    return [sums[:, number] for number in range(len(parts))]


def means_of_weightings(values: Array, weights: Array) -> Floats:
    """Return the means of one value per case under many weightings, a row each.

    Values are taken about their mean and brought near 1, so that single precision is enough.
    """
    xp: Any = shared_namespace(values=values)
    centre = float(xp.mean(values))
    spread = float(xp.max(xp.abs(values - centre)))
    if not 0.0 < spread < np.inf:
        return np.full(int(weights.shape[0]), centre)
    parts = [xp.ones_like(values), (values - centre) / spread]
    drawn, moved = sums_of_weightings(parts, weights)
    with np.errstate(invalid="ignore", divide="ignore"):  # nothing drawn has no mean
        return np.asarray(centre + spread * (moved / drawn))
