"""``python -m roctopus.cli`` is the same program."""

from roctopus.cli import run

if __name__ == "__main__":
    run()
