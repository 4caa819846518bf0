"""`python -m controller`: the program, from a checkout too."""

from controller.cli import main

raise SystemExit(main())
