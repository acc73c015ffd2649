"""Where the runtime keeps what it has compiled, by the content of each model, of its properties and of the runtime's version: to compile takes most of
the time of a small test, and most IRs are the same from one run of the tests to the next. To remove the folder is to compile all of them again."""
import functools
import os
import shutil

MOST_BYTES = 1 << 20  # of the constants of one model
LARGEST = 1 << 30


@functools.cache
def folder():
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    path = os.path.join(cache, "mo", "compiled-by-openvino")
    os.makedirs(path, exist_ok=True)
    if sum(entry.stat().st_size for entry in os.scandir(path)) > LARGEST:
        shutil.rmtree(path)
        os.makedirs(path)
    return path
