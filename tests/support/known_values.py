"""Inputs and results that are known without the code, for the tests of the package and of the views' scripts.

The running example is typed in from the design: integers are exact, A and B rounded to four places. Everything else
has a closed form, which stands beside it.
"""

import json
from pathlib import Path

KNOWN = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
