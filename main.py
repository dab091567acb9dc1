"""Start AncreMed Desktop."""

import multiprocessing
import sys

if __name__ == "__main__":
    # In a packaged application a child process starts here and goes no further.
    multiprocessing.freeze_support()
    # Imported here: child processes load this file again and need none of it.
    from ancremed_desktop.app import main

    sys.exit(main())
