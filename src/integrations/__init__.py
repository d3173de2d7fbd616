"""Adapters to other makers' programs, a module each; what a module needs, the extra of its name installs."""


def not_installed(extra: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The error of an import, with the command that installs what is missing."""
    return ModuleNotFoundError(f"{error}: pip install 'fabula[{extra}]'", name=error.name)
