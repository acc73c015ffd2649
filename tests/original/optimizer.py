"""The original Model Optimizer, openvino-dev 2023.3.0, in an environment of its own, with TensorFlow, which it needs to read its graphs.

As a program of that environment it converts one model after the other: it takes a line of JSON for each, {"arguments", "folder"}, and
answers with one, {"exit", "error"}. With the argument `mxnet` it has MXNet, which it needs to read its arrays.
"""
import glob
import json
import os
import re
import signal
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, "tests", "recorded"))
import environment  # noqa: E402

ENVIRONMENT = os.path.join(ROOT, ".venv-original")
REQUIREMENTS = os.path.join(ROOT, "scripts", "requirements-original.txt")
LONGEST = 600  # seconds for one model


def make_environment():
    """The Python of the environment, which is made if it does not exist or has other packages."""
    return environment.make(ENVIRONMENT, REQUIREMENTS)


def in_environment():
    """Runs this program from its beginning with the environment's Python, unless it is that."""
    environment.go_on_as(make_environment(), ENVIRONMENT)


def load():
    """Loads what every conversion needs, before each gets a process of its own."""
    sys.modules["openvino_telemetry"] = None  # Model Optimizer runs without it, and does not wait for a network
    import networkx  # noqa: F401
    import onnx  # noqa: F401
    import openvino.tools.mo.main  # noqa: F401
    import scipy.stats  # noqa: F401
    from openvino.tools.mo.utils.version import VersionChecker
    VersionChecker().check_runtime_dependencies()
    VersionChecker().get_ie_simplified_version()


def load_mxnet():
    """That of the environment in which its results are recorded; all other packages are those of this environment."""
    folder, _ = environment.named("mxnet")
    sys.path.extend(glob.glob(os.path.join(folder, "lib", "python3*", "site-packages")))
    import numpy
    numpy.bool = bool  # MXNet says so; NumPy does not any more
    import mxnet  # noqa: F401


def apart(work, folder):
    """Runs `work` in a copy of this process, which has the packages loaded; gives its exit code and what it printed."""
    with open(os.path.join(folder, ".said"), "w+b") as said:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                signal.alarm(LONGEST)
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                os.chdir(folder)
                code = work() or 0
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else int(end.code is not None)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        return code, said.read().decode("utf-8", "replace")


def original(arguments):
    """What the command `mo` does."""
    from openvino.tools.mo.main import main
    from openvino.tools.mo.utils.cli_parser import get_all_cli_parser
    from openvino.tools.mo.utils.telemetry_utils import init_mo_telemetry
    sys.argv = ["mo", *arguments]
    init_mo_telemetry()
    return main(get_all_cli_parser(), None)


def first_error(said, *folders):
    """The first line that is an error, else the last line, without folders."""
    for folder in (*folders, ROOT):
        said = said.replace(folder + "/", "")
    every = [line for line in said.splitlines() if line.strip()]
    errors = [line for line in every if re.search(r"\[ (FRAMEWORK )?ERROR \]  .*\w|: error: ", line) and "Traceback" not in line]
    return re.sub(r"^.*?\[ (FRAMEWORK )?ERROR \] *", "", errors[0] if errors else every[-1] if every else "").strip()[:300]


def serve():
    # Text that libraries print on stdout must not be read as an answer: it goes to stderr.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
    load()
    if "mxnet" in sys.argv[1:]:
        load_mxnet()
    else:
        import tensorflow  # noqa: F401
    for line in sys.stdin:
        request = json.loads(line)
        code, said = apart(lambda: original(request["arguments"]), request["folder"])
        print(json.dumps({"exit": code, "error": first_error(said, request["folder"])}), file=answers, flush=True)


if __name__ == "__main__":
    serve()
