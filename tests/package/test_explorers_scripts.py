"""The views' scripts and styles, as far as they can be judged without a browser."""

import json
import os
import re
import shutil
import subprocess

import pytest
from support.project import ROOT

from course_utils import explorers, style
from course_utils.explorers.shared import bundle

VIEWS = [getattr(explorers, name) for name in explorers.__all__]
PALETTE = bundle.FOLDER / "shared" / "colour.js"


def colours(path):
    """The colours typed in a file, as six hexadecimal digits where they are three."""
    found = re.findall(r"#[0-9a-f]{3,8}\b", path.read_text("utf-8").lower())
    return [re.sub(r"^#(.)(.)(.)$", r"#\1\1\2\2\3\3", colour) for colour in found]


def run_node(*arguments):
    node = shutil.which("node")
    if node is None:
        message = "没有找到 node，浏览器里的数学没有检查。"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    return subprocess.run([node, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_pure_functions_of_the_browser():
    files = sorted(str(path) for path in (ROOT / "tests" / "js").glob("*.test.js"))
    result = run_node("--test", *files)
    assert result.returncode == 0, result.stdout
    assert f"# pass {result.stdout.count('# Subtest')}" in result.stdout


# Bundles


@pytest.mark.parametrize("view", VIEWS)
def test_scripts_and_styles_need_nothing_else(view):
    """One piece of text: no import, no address, no markup put in as HTML."""
    text = view().view._esm
    assert "import " not in text and text.count("export ") == 1
    for forbidden in ("http://", "https://", "url(", "innerHTML", "insertAdjacentHTML", "eval("):
        assert forbidden not in text.replace("http://www.w3.org/2000/svg", "")
        assert forbidden not in view().view._css


def test_each_module_is_put_in_once():
    text = bundle.script("saturation.js")
    assert text.count("function softmax(") == 1 and text.count("function css(") == 1


def parsed(script, folder):
    """What node says of a script that it reads as a module and doesn't run: nothing where it is good."""
    file = folder / "view.mjs"
    file.write_text(script, "utf-8")
    result = run_node("--check", str(file))
    return result.stderr if result.returncode else ""


@pytest.mark.parametrize("view", VIEWS)
def test_modules_get_on_in_the_one_scope_of_a_bundle(view, tmp_path):
    assert parsed(view().view._esm, tmp_path) == ""


@pytest.mark.parametrize("kind", ["const twice = 1;", "let twice;", "class twice {}", "function twice() {}"])
def test_two_modules_with_one_name_are_noticed(kind, tmp_path, monkeypatch):
    """Alone each module is good; the bundle of both isn't."""
    (tmp_path / "shared.js").write_text(f"{kind}\nexport const shared = 1;\n")
    (tmp_path / "view.js").write_text('import { shared } from "./shared.js";\nfunction twice() {}\n')
    monkeypatch.setattr(bundle, "FOLDER", tmp_path)
    assert "Identifier 'twice' has already been declared" in parsed(bundle.script("view.js"), tmp_path)


# Colours


def test_the_palette_is_that_of_the_figures():
    code = f'import {{ ACCENTS, PALETTE, channels }} from "{PALETTE.as_uri()}";'
    code += "console.log(JSON.stringify([PALETTE, ACCENTS, channels(PALETTE.INPUT)]))"
    palette, accents, channels = json.loads(run_node("--input-type=module", "-e", code).stdout)
    assert palette == {name: getattr(style, name) for name in palette}
    assert [colour.lower() for colour in palette.values()] == colours(PALETTE)
    assert "#{:02X}{:02X}{:02X}".format(*channels) == style.INPUT
    expected = {
        "X": "INPUT",
        "Q": "QUERY",
        "K": "KEY",
        "V": "VALUE",
        "S": "WEIGHT",
        "A": "WEIGHT",
        "B": "OUTPUT",
    }
    assert {name: "#{:02X}{:02X}{:02X}".format(*rgb) for name, rgb in accents.items()} == {
        name: palette[constant] for name, constant in expected.items()
    }


def test_no_colour_is_typed_twice():
    """Those of style.py stand once more, in PALETTE, held to them above; every other colour of the views stands once."""
    files = {path for suffix in ("js", "css") for path in bundle.FOLDER.rglob(f"*.{suffix}")} - {PALETTE}
    typed = [colour for path in (ROOT / "course_utils" / "style.py", *files) for colour in colours(path)]
    assert sorted(set(typed)) == sorted(typed)
