"""``python -m fabula`` is the console command."""

from .cli.commands import main

main()
