"""AUC and ROC curve of tensors on a GPU: roctopus and torchmetrics take turns.

Usage, where there is a GPU: python -m benchmarks.peers.gpu [n ...]   (10⁶ and 10⁷ by default)

Both get the same double precision tensors on the device; every time ends with a synchronisation.
torchmetrics is told to leave its checks out, which wait for the device; ours are made.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import roctopus as rt

ROUNDS = 9


def seconds(run: Callable[[], object]) -> float:
    """Time one run, until the device is done."""
    import torch

    torch.cuda.synchronize()
    start = time.perf_counter()
    run()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def gibibytes(run: Callable[[], object]) -> float:
    """Return the peak of the device memory that one run takes."""
    import torch

    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    run()
    torch.cuda.synchronize()
    return (torch.cuda.max_memory_allocated() - before) / 2**30


def compare(n: int) -> None:
    """Print one row per task."""
    import torch
    from torchmetrics.functional.classification import binary_auroc, binary_roc

    generator = torch.Generator("cuda").manual_seed(0)
    p = torch.rand(n, dtype=torch.float64, device="cuda", generator=generator)
    y = (torch.rand(n, dtype=torch.float64, device="cuda", generator=generator) < p).to(torch.int64)
    tasks = {
        "AUC": (lambda: rt.roc_auc(y, p), lambda: binary_auroc(p, y, validate_args=False)),
        "ROC curve": (
            lambda: rt.smoothed_roc_curve(y, p, width=0.0),
            lambda: binary_roc(p, y, validate_args=False),
        ),
    }
    print(f"n = {n:,}: AUC {rt.roc_auc(y, p):.9f} (ours), {float(binary_auroc(p, y)):.9f} (theirs)")
    for name, sides in tasks.items():
        times: tuple[list[float], list[float]] = ([], [])
        for side in sides:  # warms up
            seconds(side)
        for _ in range(ROUNDS):
            for side, taken in zip(sides, times, strict=True):
                taken.append(seconds(side))
        own, other = (1000 * statistics.median(each) for each in times)
        mine, their = (gibibytes(side) for side in sides)
        print(
            f"{name:<10} theirs {other:8.1f} ms, ours {own:8.1f} ms: {other / own:5.1f} x;"
            f" memory {their:.2f} / {mine:.2f} GiB"
        )


if __name__ == "__main__":
    import torch
    import torchmetrics

    print(torch.cuda.get_device_name(), "torch", torch.__version__, end=" ")
    print("torchmetrics", torchmetrics.__version__)
    for size in [int(float(word)) for word in sys.argv[1:]] or [10**6, 10**7]:
        compare(size)
