"""Start AncreMed Desktop."""

import sys

if __name__ == "__main__":
    # Imported here: child processes load this file again and need none of it.
    from ancremed_desktop.app import main

    sys.exit(main())
