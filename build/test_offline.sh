#!/bin/sh
# Run the tests where there is no network at all: in a namespace whose only interface, the loop, is
# down. Left out are the tests that speak to a fake server of this machine (marked « allow_hosts »).
# Usage: build/test_offline.sh [options of pytest]; needs ./test.sh run once, and Linux.
set -eu
cd "$(dirname "$0")/.."
alone="unshare --map-current-user --net"
if ! $alone true 2>/dev/null; then
  echo "« $alone » cannot be used here (Linux with user namespaces needed): nothing was run." >&2
  exit 1
fi
reach="import socket; socket.create_connection(('127.0.0.1', 9), 5)"
if ! $alone .venv/bin/python -c "$reach" 2>&1 | grep -q "Network is unreachable"; then
  echo "A network can be reached from « $alone »: nothing was run." >&2
  exit 1
fi
exec $alone .venv/bin/python -m pytest -n 2 -m "not allow_hosts" "$@"
