from fabula.llm.scripted import ScriptedGenerator

TALE = """# The Ferry

## Chapter 1: The Mill

Anna Reed ran the ferry with Tom Hale. Anna hated Tom, and Tom feared her. "Mind the rope," said Anna.

## Chapter 2: The Weir

Tom Hale drowned a cat in the weir. Anna wept, and went home to the mill.
"""


class Counting(ScriptedGenerator):
    """``made`` counts the drafts of all that there are; the one of number ``dies_at`` ends the run."""

    made = 0

    def __init__(self, reply="Anna Reed came home with Tom Hale. Call {n}.", *, dies_at=0):
        def answer(prompt):
            Counting.made += 1
            if Counting.made == dies_at:
                raise KeyboardInterrupt
            return reply.format(n=len(prompt.user))

        super().__init__(answer)
