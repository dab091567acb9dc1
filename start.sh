#!/bin/sh
# Set everything up in .venv and open AncreMed Desktop (or answer in the terminal: no display).
set -eu
cd "$(dirname "$0")"
. build/setup.sh
setup_environment requirements.txt
exec .venv/bin/python main.py "$@"
