"""Programs of PyTorch: long lists in their JSON, small values in their pickles, weights that repeat one element."""
import json
import os
import sys

from . import save

TESTS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path += [os.path.join(TESTS, "pytorch"), os.path.join(TESTS, "recorded")]
import pickled  # noqa: E402
import stored_torch  # noqa: E402

CASE = stored_torch.everything(["wrappers"])["wrappers/tied"]
CONFIGURATION, PROGRAM = "model_weights_config.json", "model.json"


def _archive(folder, end, change, form="2.9", **facts):
    """The file whose name ends so is another one."""
    top = "" if form == "2.6" else "net/"
    files = [(top + name, change(content) if name.endswith(end) else content) for name, content in CASE.entries(form)]
    return save(folder, stored_torch.zipped(files), name="m.pt2", **{"nodes": 50, **facts})


def _edited(change):
    def edit(content):
        value = json.loads(content)
        change(value)
        return json.dumps(value, separators=(",", ":")).encode()

    return edit


def list_that_nobody_reads(folder, n):
    return _archive(folder, PROGRAM, _edited(lambda program: program.update(more=[1] * n)))


def objects_that_nobody_reads(folder, n):
    return _archive(folder, PROGRAM, _edited(lambda program: program.update(more=[{"": i} for i in range(n)])))


def list_of_a_node(folder, n):
    arguments = lambda program: program["graph_module"]["graph"]["nodes"][0]["inputs"]  # noqa: E731
    return _archive(folder, PROGRAM, _edited(lambda program: arguments(program).append({"name": "more", "arg": {"as_ints": [1] * n}})), **({"code": "MO1005", "says": "more than 4194304 numbers"} if n > 4 << 20 else {}))


def list_of_a_configuration(folder, n):
    return _archive(folder, CONFIGURATION, _edited(lambda configuration: configuration.update(more=[1] * n)))


def _repeated(folder, n, count, **facts):
    """Weights that nobody reads, and one that is read, of n elements that are one."""
    def change(configuration):
        ints = lambda *numbers: [{"as_int": number} for number in numbers]  # noqa: E731
        weights = configuration["config"]
        first = weights["first.weight"]
        for i in range(count):
            meta = {**first["tensor_meta"], "sizes": ints(2, n, 2), "strides": ints(0, 0, 1)}
            weights[f"more{i}"] = {**first, "tensor_meta": meta}

    return _archive(folder, CONFIGURATION, _edited(change), **facts)


def weights_of_one_element(folder, n):
    return _repeated(folder, n, 10)


def _values_of_a_pickle(folder, values):
    """A dictionary of weights has one entry more."""
    import io
    import zipfile

    def change(content):
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            files = [(name, file.read(name)) for name in file.namelist()]
        more = pickled.text("more") + b"(" + values + b"ts."
        return stored_torch.zipped([(name, inner[:-1] + more if name.endswith("data.pkl") else inner) for name, inner in files])

    return _archive(folder, "state_dict.pt", change, "2.6")


def dictionaries_in_a_pickle(folder, n):
    return _values_of_a_pickle(folder, b"}" * n)


def numbers_in_a_pickle(folder, n):
    return _values_of_a_pickle(folder, b"K\x01" * n)


def tuples_in_a_pickle(folder, n):
    return _values_of_a_pickle(folder, b"N" + b"\x85" * (n - 1))


LISTS = (list_that_nobody_reads, list_of_a_node, list_of_a_configuration)
PICKLES = (dictionaries_in_a_pickle, numbers_in_a_pickle, tuples_in_a_pickle)
CASES = [*((function, 1_000_000, 10_000_000) for function in LISTS), (objects_that_nobody_reads, 500_000, 5_000_000), (weights_of_one_element, 1 << 28, 1 << 40), *((function, 900_000, None) for function in PICKLES)]
