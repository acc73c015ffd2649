import pytest

from downloads import arm64_command, wine_command


@pytest.fixture(scope="session")
def wine():
    return wine_command()


@pytest.fixture(scope="session")
def arm64():
    return arm64_command()


@pytest.fixture(scope="session", params=["arm64", "wine"])
def foreign(request):
    """The program for another system or processor than that of the tests."""
    return request.getfixturevalue(request.param)
