"""A real Spark cluster on this machine: a master and two workers, each a process of its own."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).parent
PATIENCE = 60.0
"""Seconds until a process must have started."""
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData"
"""Java that starts soon, rather than runs fast for long."""


def environment() -> dict[str, str]:
    """Return what every process of Spark needs: this Python, this address, little memory."""
    import pyspark

    return os.environ | {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": QUICK,
        "SPARK_LAUNCHER_OPTS": QUICK,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PYTHONPATH": str(HERE),  # the states of tests
    }


@dataclass
class Cluster:
    """Processes of one cluster, each with the executors that it starts in a group."""

    folder: Path
    url: str = ""
    master: subprocess.Popen[bytes] | None = None
    workers: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    """By the name of the folder that a worker's executors run in."""

    def start(self) -> None:
        what = ["master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        self.master = self._launch("master", what)
        self.url = self._wait_for(r"Starting Spark master at (spark://\S+)", 1)[0]
        self.bring_workers(2)

    def bring_workers(self, count: int) -> None:
        """Start workers until so many live, and wait until the master knows them."""
        self.workers = {name: one for name, one in self.workers.items() if one.poll() is None}
        known = len(self._seen("Registering worker"))
        missing = count - len(self.workers)
        for name in (f"worker-{number}" for number in range(known, known + missing)):
            own = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0", "--cores", "1"]
            own += ["--memory", "1g", "--work-dir", str(self.folder / name), self.url]
            self.workers[name] = self._launch(name, ["worker.Worker", *own])
        self._wait_for("Registering worker", known + missing)

    def kill_worker(self, path: str | Path | None = None) -> None:
        """Kill a worker and its executors, as a power cut would; that of a path, or any."""
        inside = [name for name in self.workers if path is None or name in Path(path).parts]
        os.killpg(self.workers[inside[0]].pid, signal.SIGKILL)
        self.workers[inside[0]].wait()

    def stop(self) -> None:
        for process in [*self.workers.values(), *([self.master] if self.master else [])]:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)  # executors may outlive their worker
            process.wait()

    def _launch(self, name: str, words: list[str]) -> subprocess.Popen[bytes]:
        home = environment()["SPARK_HOME"]
        with (self.folder / f"{name}.log").open("w") as log:
            return subprocess.Popen(
                [f"{home}/bin/spark-class", f"org.apache.spark.deploy.{words[0]}", *words[1:]],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment(),
                cwd=self.folder,
                start_new_session=True,
            )

    def _seen(self, pattern: str) -> list[str]:
        return re.findall(pattern, (self.folder / "master.log").read_text())

    def _wait_for(self, pattern: str, count: int) -> list[str]:
        end = time.monotonic() + PATIENCE
        while len(found := self._seen(pattern)) < count:
            processes = [*filter(None, [self.master]), *self.workers.values()]
            if time.monotonic() > end or any(one.poll() is not None for one in processes):
                logs = "\n".join(each.read_text()[-2000:] for each in self.folder.glob("*.log"))
                raise RuntimeError(f"Spark's cluster did not start:\n{logs}")
            time.sleep(0.05)
        return found


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Start a master and two workers with one core each; stop all, whatever happens."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = Cluster(Path(folder))
        try:
            made.start()
            yield made
        finally:
            made.stop()


@contextmanager
def session(master: str, java: str = QUICK, **options: str) -> "Iterator[SparkSession]":
    """Start a session; a process has one at a time."""
    from pyspark.sql import SparkSession

    before = dict(os.environ)
    os.environ.update(environment())
    builder = SparkSession.builder.master(master).appName("roctopus")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "768m",
        "spark.executor.memory": "768m",
        "spark.driver.extraJavaOptions": java,
        "spark.executor.extraJavaOptions": java,
        "spark.executorEnv.PYTHONPATH": str(HERE),
        "spark.ui.showConsoleProgress": "false",
        **options,
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        spark = builder.getOrCreate()
    finally:
        os.environ.clear()
        os.environ.update(before)
    try:
        spark.sparkContext.setLogLevel("OFF")
        yield spark
    finally:
        spark.stop()
