"""The command line: ``python -m fairaudit check | run | preset | describe``."""

import sys

from fairaudit.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
