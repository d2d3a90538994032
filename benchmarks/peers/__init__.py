"""roctopus beside the tools people use today: time, memory, values and features, in one run.

``python -m benchmarks.peers`` makes the environments, measures, and writes ``results.json`` and
``docs/peers_table.md``. Nothing of the other tools is kept in this repository.
"""
