"""Which modules a piece of code imports."""

import ast


def imported_modules(source, package):
    """The full names of all modules a file imports; package is the dotted package the file lies in."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            base = parents[: len(parents) - node.level + 1] if node.level else []
            module = ".".join(base + [node.module] * bool(node.module))
            yield module
            # `from . import attention` names the module after the import.
            yield from (f"{module}.{alias.name}" for alias in node.names)
