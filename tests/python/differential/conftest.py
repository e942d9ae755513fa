"""Eelbrain in its process, and the count of what was compared with it, for all tests of a session."""
import pytest
from original import VERSION, Eelbrain

COUNTS = pytest.StashKey()


@pytest.fixture(scope="session")
def eelbrain():
    other_process = Eelbrain()
    yield other_process
    other_process.close()


@pytest.fixture(scope="session")
def compared(request):
    """How many fits were compared with what; printed at the end."""
    return request.config.stash.setdefault(COUNTS, {"eelbrain": 0, "definition": 0, "differences": 0})


def pytest_terminal_summary(terminalreporter, config):
    counts = config.stash.get(COUNTS, None)
    if counts:
        terminalreporter.write_line(
            f"{counts['eelbrain']} random fits compared with Eelbrain {VERSION}, and {counts['definition']} more, in "
            f"which that leaves its arrays, with the definition: {counts['differences']} differences"
        )
