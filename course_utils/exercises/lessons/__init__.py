"""One file per lesson: its EXERCISES and its QUESTIONS, the quiz."""
