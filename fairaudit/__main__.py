"""The command line: ``python -m fairaudit check | run | preset | describe``."""

import os
import signal
import sys


def start() -> int:
    """Run the command line; Ctrl-C is answered from the first moment, when an import cannot be interrupted in peace."""
    signal.signal(signal.SIGINT, _stop)
    from fairaudit.cli.main import main

    return main(begun=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))


def _stop(*_: object) -> None:
    os.write(2, b"Stopped.\n")
    os._exit(130)


if __name__ == "__main__":
    sys.exit(start())
