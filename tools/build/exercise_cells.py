"""The exercise section of a lesson, made from the list of exercises; and the same lesson with the answers filled in."""

from __future__ import annotations

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_utils.exercises.catalogue import of_lesson
from course_utils.exercises.exercise import Exercise

START, END = "## 练习", "## 小结"
INTRODUCTION = """## 练习

把 `...` 换成你的代码，运行这个单元。`check` 会画出输入、应有的结果和你的结果，再说错在哪里。
卡住了就在新的单元里运行 `hint("{first}")`，每次多给一条。做完的题记在这个文件夹的一个小文件里，重启内核也不会忘。"""
SOLUTION = """<details>
<summary>参考答案（先自己试一试）</summary>

```python
{solution}
```

</details>"""
QUIZ = """### 小测验

点一个选项，马上知道为什么对、为什么不对。"""


def with_exercises(notebook: nbformat.NotebookNode, lesson: str) -> nbformat.NotebookNode:
    """The lesson with everything from 练习 up to 小结 written anew; unchanged when it has no exercises.

    Raises ValueError for a lesson with exercises but no 小结.
    """
    if not of_lesson(lesson):
        return notebook
    sources = [cell.source for cell in notebook.cells]
    end = next((k for k, source in enumerate(sources) if source.startswith(END)), None)
    if end is None:
        raise ValueError(f"lesson {lesson} has no cell that starts with {END}")
    start = next((k for k, source in enumerate(sources[:end]) if source.startswith(START)), end)
    notebook.cells[start:end] = section(lesson)
    return notebook


def section(lesson: str) -> list[nbformat.NotebookNode]:
    """The cells of a lesson's exercises and quiz."""
    exercises = of_lesson(lesson)
    cells = [
        new_markdown_cell(INTRODUCTION.format(first=exercises[0].id)),
        new_code_cell(_imports(exercises)),
    ]
    for exercise in exercises:
        cells += [
            new_markdown_cell(_heading(exercise)),
            new_code_cell(exercise.cell(exercise.stub)),
            new_markdown_cell(SOLUTION.format(solution=exercise.solution)),
        ]
    return [
        *cells,
        # What is done differs from student to student.
        new_code_cell("progress()", metadata={"tags": ["nbval-ignore-output"]}),
        new_markdown_cell(QUIZ),
        new_code_cell(f'quiz("{lesson}")'),
    ]


def with_solutions(notebook: nbformat.NotebookNode, lesson: str) -> nbformat.NotebookNode:
    """The lesson with every answer filled in. Raises ValueError unless each exercise is there exactly once."""
    for exercise in of_lesson(lesson):
        found = [cell for cell in notebook.cells if cell.source == exercise.cell(exercise.stub)]
        if len(found) != 1:
            raise ValueError(f"exercise {exercise.id} stands {len(found)} times in lesson {lesson}")
        found[0].source = exercise.cell(exercise.solution)
    return notebook


def _imports(exercises: tuple[Exercise, ...]) -> str:
    layers = "from torch import nn\n" if any("nn." in exercise.code for exercise in exercises) else ""
    return f"import torch\n{layers}\nfrom course_utils.exercises import check, hint, progress, quiz"


def _heading(exercise: Exercise) -> str:
    stars = "★" * exercise.difficulty + "☆" * (3 - exercise.difficulty)
    return (
        f"### 练习 {exercise.id}　{exercise.title}\n\n"
        f"*{exercise.kind} · 约 {exercise.minutes} 分钟 · 难度 {stars}*\n\n{exercise.task}"
    )
