"""What pyproject.toml and environment.yml ask for."""

import sys

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .project import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def requirements(*extras):
    """The dependencies of pyproject, and those of the extras: name -> version specifiers."""
    listed = list(PROJECT["project"]["dependencies"])
    for extra in extras:
        listed += PROJECT["project"]["optional-dependencies"][extra]
    parsed = [Requirement(line) for line in listed]
    return {canonicalize_name(requirement.name): requirement.specifier for requirement in parsed}
