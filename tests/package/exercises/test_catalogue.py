"""The lists of exercises: what each entry holds, and that every lesson's file is collected."""

from importlib import import_module

from support.project import PACKAGE

from course_utils.exercises.catalogue import EXERCISES, QUESTIONS, of_lesson
from course_utils.exercises.exercise import Function, Value


def test_every_lesson_has_two_to_four_exercises_and_each_has_its_particulars():
    lessons = [exercise.lesson for exercise in EXERCISES]
    assert sorted(set(lessons)) == ["01", "02", "03", "04", "05", "06"]
    assert all(2 <= lessons.count(lesson) <= 4 for lesson in lessons)
    assert len({exercise.id for exercise in EXERCISES}) == len(EXERCISES)
    for exercise in EXERCISES:
        assert exercise.kind and 1 <= exercise.minutes <= 20 and exercise.difficulty in (1, 2, 3)
        assert len(exercise.hints) >= 2 and exercise.task.endswith(("。", "？"))
        assert isinstance(exercise.asks, (Function, Value))


def test_every_lessons_file_is_collected_and_holds_what_is_of_that_lesson():
    names = sorted(path.stem for path in (PACKAGE / "exercises/lessons").glob("lesson_*.py"))
    assert names == [f"lesson_{lesson}" for lesson in QUESTIONS]
    for name in names:
        file, lesson = import_module(f"course_utils.exercises.lessons.{name}"), name[-2:]
        assert (file.EXERCISES, file.QUESTIONS) == (of_lesson(lesson), QUESTIONS[lesson])
