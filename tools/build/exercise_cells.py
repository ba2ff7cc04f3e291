"""The exercise section of a lesson, made from the lists of exercises and of quiz questions."""

from __future__ import annotations

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_utils.exercises.catalogue import of_lesson
from course_utils.exercises.exercise import Exercise

from .lessons import Lesson

INTRODUCTION = """## 练习

把 `...` 换成你的代码，运行这个单元。`check` 先说对不对、错在哪里，再画出输入、应有的结果和你的结果。
卡住了就在新的单元里运行 `hint("{first}")`，每次多给一条。做完的题记在这个文件夹的一个小文件里，重启内核也不会忘。"""
SOLUTION = """<details>
<summary>参考答案（先自己试一试）</summary>

```python
{solution}
```

</details>"""
QUIZ = """### 小测验

点一个选项，马上知道为什么对、为什么不对。"""


def section(lesson: Lesson) -> list[nbformat.NotebookNode]:
    """The cells of a lesson's exercises and quiz."""
    exercises = of_lesson(lesson.number)
    cells = [
        _tagged(new_markdown_cell(INTRODUCTION.format(first=exercises[0].id)), "exercises"),
        _tagged(new_code_cell(_imports(exercises)), "exercises"),
    ]
    for exercise in exercises:
        cells += [
            _tagged(new_markdown_cell(_heading(exercise)), "exercise"),
            _tagged(new_code_cell(exercise.cell(exercise.stub)), "exercise"),
            _tagged(new_markdown_cell(SOLUTION.format(solution=exercise.solution)), "solution"),
        ]
    return [
        *cells,
        # What is done differs from student to student.
        _tagged(new_code_cell("progress()"), "exercises", "nbval-ignore-output"),
        _tagged(new_markdown_cell(QUIZ), "quiz"),
        _tagged(new_code_cell(f'quiz("{lesson.number}")'), "quiz"),
    ]


def _tagged(cell: nbformat.NotebookNode, *tags: str) -> nbformat.NotebookNode:
    cell.metadata["tags"] = list(tags)
    return cell


def _imports(exercises: tuple[Exercise, ...]) -> str:
    layers = "from torch import nn\n" if any("nn." in exercise.code for exercise in exercises) else ""
    return f"import torch\n{layers}\nfrom course_utils.exercises import check, hint, progress, quiz"


def _heading(exercise: Exercise) -> str:
    stars = "★" * exercise.difficulty + "☆" * (3 - exercise.difficulty)
    return (
        f"### 练习 {exercise.id}　{exercise.title}\n\n"
        f"*{exercise.kind} · 约 {exercise.minutes} 分钟 · 难度 {stars}*\n\n{exercise.task}"
    )
