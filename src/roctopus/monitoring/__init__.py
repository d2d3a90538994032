"""After the decision: backtests, checks, and what is kept between looks."""

from roctopus.monitoring.arrivals import ArrivedCases
from roctopus.monitoring.backtests import Backtest, Setting
from roctopus.monitoring.diagnosis import Diagnosis, Part
from roctopus.monitoring.verdicts import DecisionCheck, Finding
from roctopus.monitoring.watching import Look, Watch

__all__ = [
    "ArrivedCases",
    "Backtest",
    "DecisionCheck",
    "Diagnosis",
    "Finding",
    "Look",
    "Part",
    "Setting",
    "Watch",
]
