"""``python -m fabula`` is the console command."""

from .cli import main

main()
