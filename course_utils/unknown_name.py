"""An IPython extension: a name that isn't known is told in Chinese, since the cell that makes it was mostly not run.

It is loaded before the first cell, by the settings that tools/jupyterlab_settings.py leaves in the environment.
"""

from __future__ import annotations


def load_ipython_extension(shell) -> None:
    shell.set_custom_exc((NameError,), _explain)


def _explain(shell, kind, error, traceback, tb_offset=None) -> None:
    shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)
    if kind is NameError:  # and not a variable of a function, read before it was set
        print(
            f"这里还没有 {error.name} 这个名字。先运行这一课的第一个单元和准备单元，再从上往下运行到这里；"
            "重启内核以后也要这样。都运行过的话，看看名字有没有写错。"
        )
