"""Adapters to other programs: MCP, language servers, retrieval and evaluation frameworks; each an extra."""


def not_installed(extra: str, error: ModuleNotFoundError) -> ModuleNotFoundError:
    """The error of an adapter whose packages are missing, with the command that installs them."""
    return ModuleNotFoundError(f"{error}: pip install 'fabula[{extra}]'", name=error.name)
