"""What the user said, as it was said."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from roctopus.arms import find_arm, known_arms
from roctopus.cli.options import lines
from roctopus.concepts.arm import Arm
from roctopus.concepts.wording import listed
from roctopus.core.errors import InputError
from roctopus.core.names import flag


@dataclass(frozen=True)
class Request:
    """What was said to a command, by the names of the table; what was not has its default."""

    files: list[str]
    said: Mapping[str, Any]

    @classmethod
    def of(cls, command: str, files: list[str], said: Mapping[str, Any]) -> Self:
        """Complete what was said by the table of options."""
        default = {line.name: line.default for line in lines(command)}
        strange = [name for name in said if name not in default]
        if strange:
            raise InputError(f"roctopus {command} has no option {flag(strange[0])}.")
        return cls(files, {**default, **said})

    def __getitem__(self, name: str) -> Any:
        """Return what was said of an option; None if that is not one of the command's."""
        return self.said.get(name)

    def given(self, *names: str) -> dict[str, Any]:
        """Return those of some options that were said."""
        return {name: self[name] for name in names if self[name] is not None}

    def replaced(self, **said: Any) -> Self:
        """Return a request in which something else was said."""
        return type(self)(self.files, {**self.said, **said})


def read_arm(request: Request) -> Arm:
    """Return the arm, given or derived from the costs; options of other arms raise an error."""
    known = {arm.name: [option.name for option in arm.spoken] for arm in known_arms().values()}
    said = request.given(*dict.fromkeys(name for names in known.values() for name in names))
    if request["arm"] is not None:
        arm = find_arm(request["arm"])
    elif not said:
        raise InputError(
            f"Choose the kind of problem with --arm ({', '.join(known)}), or say what "
            "errors cost, such as --under-cost 4 --over-cost 1."
        )
    else:
        arm = find_arm(_arm_of(list(said), known))
    for name in said:
        if name not in known[arm.name]:
            its = [repr(each) for each, names in known.items() if name in names]
            raise InputError(
                f"{flag(name)} is not an option of the arm {arm.name!r}, but of {listed(its)}. "
                f"Leave out {flag(name)}, or choose another --arm."
            )
    return arm


def _arm_of(said: list[str], known: Mapping[str, list[str]]) -> str:
    """Return the arm that has all that was said; of several that under which the help has it."""
    panels = {line.name: line.panel for line in lines("compare")}
    unclear = {o.name for arm in known for o in find_arm(arm).spoken if o.ambiguous}
    owners = [
        arm
        for arm, names in known.items()
        if any(name in names and panels[name] == find_arm(arm).panel for name in said)
    ]
    if unclear.issuperset(said):
        ways = " or ".join(f"--arm {arm}" for arm, names in known.items() if said[0] in names)
        raise InputError(f"{flag(said[0])} is an option of several arms. Choose one with {ways}.")
    return next((arm for arm in owners if set(said) <= set(known[arm])), owners[0])


def command(files: Sequence[str], said: Mapping[str, str | list[str]]) -> str:
    """Return what to type for the same answer."""
    words = ["roctopus", "compare", *files]
    for name, value in said.items():
        words += [flag(name), *([value] if isinstance(value, str) else value)]
    return shlex.join(words)
