import pytest

from downloads import wine_command


@pytest.fixture(scope="session")
def wine():
    return wine_command()
