#!/bin/sh
# Writes constraints.txt: one tested version of every package, for Python 3.10 to 3.13 and every system.
# ipywidgets stays at 8.1.8 (8.1.9 is reported blank in VS Code); torch at the build that installs quickly.
set -eu
cd "$(dirname "$0")/../.."
printf 'torch==2.13.0\nipywidgets==8.1.8\n' | .venv/bin/uv pip compile pyproject.toml --all-extras \
  --universal --python-version 3.10 --fork-strategy fewest --no-annotate --no-header --quiet \
  --constraint - --upgrade \
  | grep -vE '^(nvidia|cuda|triton)' > constraints.new
{ echo '# Versions the tests ran with. Written by `make constraints`.'; cat constraints.new; } > constraints.txt
rm constraints.new
