"""What is wrong with a command's input, as one sentence."""


class Refusal(Exception):
    """Ends a command: its text goes to stderr, as it is."""
