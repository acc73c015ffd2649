import pytest

from downloads import qemu_command, wine_command


@pytest.fixture(scope="session")
def wine():
    return wine_command()


@pytest.fixture(scope="session")
def qemu():
    return qemu_command()


@pytest.fixture(scope="session", params=["wine", "qemu"])
def elsewhere(request):
    """The programs for other machines than this one, one by one."""
    return request.getfixturevalue(request.param)
