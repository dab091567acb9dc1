"""Start AncreMed Desktop."""

import sys

if __name__ == "__main__":
    # Imported here: child processes load this file again and need none of it.
    try:
        import gc
        import multiprocessing

        # In a packaged application a child process starts here and goes no further.
        multiprocessing.freeze_support()
        gc.disable()  # what imports make stays: looking through it is a tenth of their time
        from ancremed_desktop.app import main

        gc.freeze()
        gc.enable()
        code = main()
    except KeyboardInterrupt:
        # Imports take a second; a command that runs says this itself.
        print("Erreur\u00a0: Interrompu à votre demande.", file=sys.stderr)  # noqa: T201 - see above
        code = 130
    sys.exit(code)
