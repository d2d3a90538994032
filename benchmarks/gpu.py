"""Kernels and public functions on a CUDA device against torch.sort, and their equality with numpy.

Usage: python benchmarks/gpu.py [n]   (10⁸ by default; equality is judged at 10⁶)

A ratio is the median time of a job over the median time of torch.sort of one tensor of n doubles,
with the sorts interleaved between the jobs. Times are those of CUDA events, so they include every
wait for the host.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import array_api_compat
import numpy as np

import roctopus as rt
from roctopus.core.chain_steps import share_of_parts
from roctopus.core.running_sums import two_sided_sums
from roctopus.impact import LinearUtility, value_times_price
from roctopus.impact.lines import prefix_lines
from roctopus.inference import bootstrap

ROUNDS = 7
CLASSES = 5


@dataclass(frozen=True)
class Job:
    """A piece of work with its budget."""

    name: str
    run: Callable[[], object]
    budget: float | None
    """In sorts of n doubles; None for what is measured without one."""


def milliseconds(run: Callable[[], object]) -> float:
    """Time one run on the device."""
    import torch

    torch.cuda.synchronize()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    run()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end)


def peak_arrays(run: Callable[[], object], n: int) -> float:
    """Return the peak of the device memory a job takes, in arrays of n doubles."""
    import torch

    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    run()
    torch.cuda.synchronize()
    return (torch.cuda.max_memory_allocated() - before) / (8 * n)


def measure(jobs: list[Job], n: int) -> None:
    """Run all jobs in turn, a sort before each; print ratios of medians."""
    import torch

    data = torch.randn(n, dtype=torch.float64, device="cuda")
    sorts: list[float] = []
    times: dict[str, list[float]] = {job.name: [] for job in jobs}
    peaks = {job.name: peak_arrays(job.run, n) for job in jobs}  # also warms up
    milliseconds(lambda: torch.sort(data))
    for _ in range(ROUNDS):
        for job in jobs:
            sorts.append(milliseconds(lambda: torch.sort(data)))
            times[job.name].append(milliseconds(job.run))
    sort = statistics.median(sorts)
    device = torch.cuda.get_device_name()
    print(f"\n{device}, n = {n:,}: torch.sort takes {sort:.2f} ms (median of {len(sorts)})")
    print(f"{'work':<46}{'x torch.sort':>13}{'budget':>8}{'ms':>10}{'peak arrays':>13}")
    for job in jobs:
        middle = statistics.median(times[job.name])
        ratio = middle / sort
        over = "*" if job.budget is not None and ratio > job.budget else " "
        budget = "" if job.budget is None else f"{job.budget:g}"
        print(
            f"{job.name:<46}{ratio:>12.2f}{over}{budget:>8}{middle:>10.2f}{peaks[job.name]:>13.1f}"
        )


def large_jobs(n: int) -> list[Job]:
    """Return the work with a budget at n rows: public functions, and the kernels beneath."""
    import torch

    source = torch.Generator(device="cuda").manual_seed(1)

    def normal():
        return torch.randn(n, dtype=torch.float64, device="cuda", generator=source)

    y = normal()
    p = y + normal()
    classes = torch.randint(0, CLASSES, (n,), device="cuda", generator=source).double()
    score = classes + 2.0 * normal()
    coarse = (score * 1e6).round() / 1e6
    weight = torch.rand(n, dtype=torch.float64, device="cuda", generator=source) + 0.5
    utility = value_times_price(y.abs())
    xp = array_api_compat.array_namespace(y)
    parts = [torch.sort(score[classes == number])[0] for number in range(CLASSES)]
    return [
        Job("AOC", lambda: rt.rroc_area_over_curve(y, p), 1),
        Job("AOC, weighted", lambda: rt.rroc_area_over_curve(y, p, sample_weight=weight), None),
        Job("RROC curve", lambda: rt.rroc_curve(y, p), 3),
        Job("RROC curve, weighted", lambda: rt.rroc_curve(y, p, sample_weight=weight), None),
        Job("  kernel: two-sided sums", lambda: two_sided_sums(p, None, xp=xp), 3),
        Job(f"VUS, {CLASSES} classes", lambda: rt.volume_under_surface(classes, score), 3),
        Job("VUS, weighted", lambda: _weighted_volume(classes, score, weight), None),
        Job("VUS, scores with ties", lambda: rt.volume_under_surface(classes, coarse), None),
        Job(
            "  kernel: chains through sorted classes",
            lambda: share_of_parts(parts, None, "average", xp=xp),
            None,
        ),
        Job("AUC", lambda: rt.roc_auc((y > 0.5).double(), p), None),
        Job("A_OCE", lambda: rt.output_cutoff_area(y, p), 8),
        Job("A_OCE in a region", lambda: rt.output_cutoff_area(y, p, low=-1.0, high=1.0), None),
        Job("A_OCE, weighted", lambda: rt.output_cutoff_area(y, p, sample_weight=weight), None),
        Job("impact curve", lambda: rt.impact_curve(p, utility), None),
        Job(
            "  kernel: impact prefix lines",
            lambda: prefix_lines(p, utility.slope, -1.0, None, xp=xp),
            3,
        ),
        Job(
            "  kernel: impact prefix lines, two columns",
            lambda: prefix_lines(p, utility.slope, weight, None, xp=xp),
            3,
        ),
    ]


def _weighted_volume(classes, score, weight):
    return rt.volume_under_surface(classes, score, sample_weight=weight)


def resample(rows: int = 10**6, replicates: int = 1000) -> None:
    """Time Poisson bootstraps on the device, in seconds of the wall."""
    import torch

    y = torch.randn(rows, dtype=torch.float64, device="cuda")
    p = y + torch.randn(rows, dtype=torch.float64, device="cuda")
    print(f"\nPoisson bootstrap, {rows:,} rows, {replicates} replicates (budget 0.2 s)")
    for metric, context in (
        (rt.asymmetric_absolute_error, {"asymmetry": 0.7}),
        (rt.rroc_area_over_curve, {"normalize": True}),
    ):

        def run(metric=metric, context=context):
            options = {"replicates": replicates, "progress": False}
            return bootstrap(metric, y, p, **options, **context)

        found = run()
        seconds = []
        for _ in range(ROUNDS):
            torch.cuda.synchronize()
            start = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - start)
        formula = rt.estimate(metric, y, p, **context).standard_error
        middle = statistics.median(seconds)
        print(
            f"{metric.__name__:<46}{middle:>9.3f} s{'*' if middle > 0.2 else ' '}  standard error "
            f"{found.standard_error:.4g}, by formula {formula:.4g}"
        )


def libraries() -> dict[str, Callable[[np.ndarray], object]]:
    """Return what brings numpy arrays to the device, for every library there is."""
    import torch

    found: dict[str, Callable[[np.ndarray], object]] = {
        "torch": lambda array: torch.from_numpy(array).cuda()
    }
    try:
        import cupy

        found["cupy"] = cupy.asarray
    except ImportError as missing:
        print(f"no CuPy: {missing}")
    try:
        import jax

        jax.config.update("jax_enable_x64", True)
        found["jax"] = jax.numpy.asarray
    except ImportError as missing:
        print(f"no JAX: {missing}")
    return found


def numbers(y, p, classes, weight) -> dict[str, np.ndarray]:
    """Return every number that is compared, as small or whole arrays."""
    weighted = {} if weight is None else {"sample_weight": weight}
    curve = rt.rroc_curve(y, p, **weighted)
    utility = LinearUtility(y, -0.3)
    impact = rt.impact_curve(p, utility, **weighted)
    at = np.linspace(-3.0, 3.0, 61)
    sums = prefix_lines(p, y, y * y, weight, xp=array_api_compat.array_namespace(y))
    return {
        "AOC": np.array(rt.rroc_area_over_curve(y, p, **weighted)),
        "RROC over": host(curve.over),
        "RROC under": host(curve.under),
        "VUS": np.array(rt.volume_under_surface(classes, p, **weighted)),
        "VUS, strict ties": np.array(
            rt.volume_under_surface(classes, p, ties="strict", **weighted)
        ),
        "AUC": np.array(rt.roc_auc(classes > 2.5, p, **weighted)),
        "A_OCE": np.array(rt.output_cutoff_area(y, p, **weighted)),
        "A_OCE, region": np.array(rt.output_cutoff_area(y, p, low=-1.0, high=1.0, **weighted)),
        "A_OCE, no self pairs": np.array(_without_self_pairs(y, p, weight)),
        "prefix slopes": host(sums.slope),
        "prefix intercepts": host(sums.intercept),
        "impact curve": impact.at(at),
        "impact, accepted share": impact.accepted_at(at),
    }


def _without_self_pairs(y, p, weight):
    if weight is None:
        return rt.output_cutoff_area(y, p, exclude_self=True)
    whole = array_api_compat.array_namespace(weight).ceil(weight)
    return rt.output_cutoff_area(y, p, exclude_self=True, sample_weight=whole)


def host(array) -> np.ndarray:
    """Bring an array of any library to numpy."""
    from roctopus.core.arrays import to_numpy

    return to_numpy(array)


def differences(n: int = 10**6) -> None:
    """Print the largest difference from numpy, relative to the largest number of its kind."""
    rng = np.random.default_rng(0)
    classes = rng.integers(0, CLASSES, n).astype(float)
    y = 0.5 * classes + rng.normal(size=n)
    p = y + rng.normal(size=n)
    weights = rng.uniform(0.5, 2.0, n)
    known = libraries()
    print(f"\nLargest relative difference from numpy, n = {n:,} (budget 1e-11)")
    print(f"{'number':<26}{'rows':<18}" + "".join(f"{name:>12}" for name in known))
    for tied in (False, True):
        for weighted in (False, True):
            data = [np.round(y, 2), np.round(p, 2)] if tied else [y, p]
            data += [classes, weights] if weighted else [classes]
            expected = numbers(*data, *([] if weighted else [None]))
            found = {}
            for name, make in known.items():
                arrays = [make(each) for each in data]
                found[name] = numbers(*arrays, *([] if weighted else [None]))
            rows = ", ".join(["tied" if tied else "distinct"] + ["weights"] * weighted)
            for number, want in expected.items():
                line = f"{number:<26}{rows:<18}"
                for name in known:
                    apart = relative(found[name][number], want)
                    line += f"{apart:>11.1e}{'*' if not apart <= 1e-11 else ' '}"
                print(line)


def relative(found: np.ndarray, want: np.ndarray) -> float:
    """Return the largest difference over the largest value; infinite for another shape."""
    if found.shape != want.shape:
        return float("inf")
    return float(np.max(np.abs(found - want)) / np.max(np.abs(want)))


def main() -> None:
    """Measure, then compare."""
    try:
        import torch
    except ImportError:
        sys.exit("This benchmark needs torch, which is not installed.")
    if not torch.cuda.is_available():
        sys.exit("This benchmark needs a CUDA device, and torch finds none.")
    n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10**8
    measure(large_jobs(n), n)
    print(f"peak device memory {torch.cuda.max_memory_reserved() / 2**30:.1f} GiB")
    torch.cuda.empty_cache()
    resample()
    torch.cuda.empty_cache()
    differences()


if __name__ == "__main__":
    main()
