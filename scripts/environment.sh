# Shared by the scripts: virtual environments made from nothing on a bare machine, and kept until what
# they were made from changes. Source it; it changes to the project's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PYTHON=${PYTHON:-python3}
export PIP_DISABLE_PIP_VERSION_CHECK=1

say() { printf '\n\033[1m== %s\033[0m\n' "$*"; }

# Debian ships Python without venv: bring it where that is possible, else say what is missing.
require_venv() {
  "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    { echo "roctopus needs Python 3.11 or newer; set PYTHON to one." >&2; exit 1; }
  "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null && return
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq && apt-get install -y -qq python3-venv
  else
    echo "Python's venv module is missing. On Debian: sudo apt-get install python3-venv" >&2
    exit 1
  fi
}

# require COMMAND PACKAGES...: bring a program from Debian's packages where that is possible.
require() {
  local command=$1
  shift
  command -v "$command" >/dev/null && return
  if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
  else
    echo "$command is missing. On Debian: sudo apt-get install $*" >&2
    exit 1
  fi
}

# environment FOLDER PIP-ARGUMENTS...: make the virtual environment, once per state of pyproject.toml.
environment() {
  local folder=$1 state
  shift
  state="$(cat pyproject.toml scripts/*.sh | cksum) $*"
  if [ -f "$folder/made-from" ] && [ "$(cat "$folder/made-from")" = "$state" ]; then return; fi
  require_venv
  rm -rf "$folder"
  "$PYTHON" -m venv "$folder"
  "$folder/bin/python" -m pip install -q --upgrade 'pip>=25.1'
  "$folder/bin/python" -m pip install -q "$@"
  printf '%s' "$state" >"$folder/made-from"
}

# The environment of developers: newest versions, tests, checks and documentation.
developer_environment() { environment .venv -e '.[all]' --group test --group check --group docs; }
