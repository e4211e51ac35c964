"""The command line: ``python -m fairaudit check | run | preset | describe``."""

import os
import signal
import sys


def start() -> int:
    """Run the command line; Ctrl-C is answered from the first moment, when an import cannot be interrupted in peace."""
    signal.signal(signal.SIGINT, _stop)
    from fairaudit import interrupts
    from fairaudit.cli.main import main

    try:
        return main(begun=interrupts.listen)
    except KeyboardInterrupt:
        # Just before the command begins to listen, or when it has ended.
        return _stop()
    finally:
        # The end of Python cannot be interrupted in peace either.
        signal.signal(signal.SIGINT, _stop)


def _stop(*_: object) -> int:
    os.write(2, b"Stopped.\n")
    os._exit(130)


if __name__ == "__main__":
    sys.exit(start())
