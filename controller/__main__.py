"""`python -m controller`: the program, as from an installed package."""

from controller.cli import main

raise SystemExit(main())
