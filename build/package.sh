#!/bin/sh
# Make dist/AncreMed: the application in one folder that needs no Python, with the starter index, the
# bundled model and its engine; then ask it a question. Run on the system it is made for.
set -eu
cd "$(dirname "$0")/.."
. build/setup.sh
setup_environment requirements.txt
.venv/bin/pip install -q -r requirements-package.txt
.venv/bin/python main.py models setup
.venv/bin/python main.py ask "Posologie du paracétamol chez l’adulte" >/dev/null   # makes the index
.venv/bin/pyinstaller --noconfirm --distpath dist --workpath work-build build/ancremed.spec
# What was made must answer by itself, from its own files.
aside="$(mktemp -d)"
ANCREMED_DATA_DIR="$aside" ANCREMED_CONFIG_DIR="$aside" ANCREMED_CACHE_DIR="$aside" \
  dist/AncreMed/AncreMed ask "Posologie du paracétamol chez l’adulte"
ANCREMED_DATA_DIR="$aside" ANCREMED_CONFIG_DIR="$aside" ANCREMED_CACHE_DIR="$aside" \
  dist/AncreMed/AncreMed models list
rm -rf "$aside"
