"""Start AncreMed Desktop."""

import sys

from ancremed_desktop.app import main

if __name__ == "__main__":
    sys.exit(main())
