#!/bin/sh
# Set the development tools up in .venv, then run every check and every test.
set -eu
cd "$(dirname "$0")"
. build/setup.sh
setup_environment requirements-dev.txt
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
.venv/bin/lint-imports
exec .venv/bin/python -m pytest -n 2 "$@"
