"""Damaged files of TensorFlow Lite: an answer within seconds, exit code 0 or 1, and nothing half written; each kind of damage with its code (tests/tflite/bad.txt)."""
import os
import re
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
TFLITE = os.path.join(ROOT, "tests", "tflite")
sys.path[:0] = [TFLITE, os.path.join(ROOT, "tests", "recorded")]
import codes  # noqa: E402
import flat  # noqa: E402
import lite  # noqa: E402
from bad import BAD, GOOD, STRANGE, field_place, loop, model, patched  # noqa: E402

CASES = lite.operations()
DAMAGED = ("convolutions/separable_int8_io", "control_flow/two_variables", "control_flow/WHILE_with_IF", "types/DENSIFY_blocks", "recurrent/keras_LSTM")
SECONDS = 240


def run(*arguments):
    return subprocess.run([MO, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=SECONDS)


def files_below(folder):
    return {os.path.join(where, name) for where, _, names in os.walk(folder) for name in names}


def is_answered(folder, content):
    """The codes if it is refused, with exit code 1 and an untouched folder; None if it converts, whole. Anything else fails."""
    folder.mkdir()
    (folder / "m.tflite").write_bytes(content)
    before = files_below(folder)
    result = run("--input_model", folder / "m.tflite", "--output_dir", folder / "out")
    said = (folder.name, result.returncode, result.stdout, result.stderr)
    written = files_below(folder) - before
    assert result.returncode in (0, 1), said
    if result.returncode == 0:
        assert "[ SUCCESS ]" in result.stdout and sorted(os.path.splitext(path)[1] for path in written) == [".bin", ".xml"], said
        return None
    codes = re.findall(r"^\[ ERROR \]  (MO\d{4}) ", result.stderr, re.M)
    assert codes and not any(code.startswith("MO7") for code in codes), said
    assert not written and not (folder / "out").exists() and "[ SUCCESS ]" not in result.stdout, said
    return codes


# Damage by seed.

def mutated(content, seed):
    """One to five places of the content changed: a bit, a byte, a word that is far away, some bytes removed or doubled."""
    rng, content = np.random.default_rng(seed), bytearray(content)
    for _ in range(rng.integers(1, 6)):
        at, size, way = int(rng.integers(len(content))), int(rng.integers(1, 17)), rng.integers(6)
        if way == 0:
            content[at] ^= 1 << int(rng.integers(8))
        elif way == 1:
            content[at] = int(rng.choice([0, 1, 0x7F, 0x80, 0xFF]))
        elif way == 2 and len(content) > 4:
            word = at & ~3
            content[word:word + 4] = struct.pack("<i", int(rng.choice([0, -1, 1, 0x7FFFFFFF, -0x80000000, len(content), len(content) - word, -word])))
        elif way == 3:
            del content[at:at + size]
        elif way == 4:
            content[at:at] = content[at:at + size]
        else:
            content[at:at + size] = rng.bytes(size)
    return bytes(content)


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_mutated_is_answered(tmp_path, name):
    content = CASES[name].model
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda seed: is_answered(tmp_path / f"{seed}", mutated(content, seed)), range(40)))
    assert any(answers)


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_cut_off_is_refused(tmp_path, name):
    content = CASES[name].model
    with ThreadPoolExecutor(2) as pool:
        assert all(pool.map(lambda part: is_answered(tmp_path / f"{part}", content[:len(content) * part // 12]), range(1, 12)))


@pytest.mark.parametrize("name", DAMAGED)
def test_what_is_not_damaged_converts(tmp_path, name):
    assert is_answered(tmp_path / "whole", CASES[name].model) is None


# One kind of damage each.

@pytest.mark.parametrize("kind", STRANGE)
def test_what_is_strange_is_answered(tmp_path, kind):
    is_answered(tmp_path / "strange", STRANGE[kind]())


def test_each_operator_without_options_is_answered(tmp_path):
    """Defaults are taken for options that are absent: a table without them is a legal file."""
    def answered(code):
        is_answered(tmp_path / str(code), model(operator={3: None, 4: None}, code={0: flat.byte(min(code, 127)), 3: flat.word(code)}))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(answered, range(210)))


CODES = codes.Codes(os.path.join(TFLITE, "bad.txt"))


@pytest.fixture(scope="module", autouse=True)
def update():
    yield
    CODES.write(BAD)


@pytest.mark.parametrize("kind", BAD)
def test_damage_has_its_code(tmp_path, kind):
    CODES.check(kind, is_answered(tmp_path / "bad", BAD[kind]()))


@pytest.mark.parametrize("takes,gives", [(1, 2), (2, 1)])
def test_a_loop_of_two_lengths_has_its_place(tmp_path, takes, gives):
    (tmp_path / "m.tflite").write_bytes(loop(takes, gives))
    said = run("--input_model", tmp_path / "m.tflite", "--output_dir", tmp_path / "out").stderr
    assert re.search(rf'MO1005 .*a loop over {takes} values that gives {gives}', said), said
    assert 'node "y", WHILE' in said and re.search(r'file "m.tflite", byte [1-9]', said) and "subgraph" not in said, said


def test_the_undamaged_one_converts(tmp_path):
    assert is_answered(tmp_path / "good", GOOD) is None


def test_two_constants_in_one_place(tmp_path):
    """Tensors may share a buffer: that is no damage."""
    content = model(x={2: flat.word(1), 0: flat.ints(3)}, graph={1: flat.ints()})
    assert is_answered(tmp_path / "shared", content) is None


def test_every_case_has_a_code():
    assert CODES.known.keys() == BAD.keys()


def test_operator_codes_may_share_a_table(tmp_path):
    """The last bytes of the file are 64 references to one table, and that table."""
    place = field_place(GOOD, 1)
    first = place + struct.unpack_from("<I", GOOD, place)[0] + 4
    code = first + struct.unpack_from("<I", GOOD, first)[0]
    vtable = code - struct.unpack_from("<i", GOOD, code)[0]
    size, count, start = struct.unpack_from("<H", GOOD, vtable + 2)[0], 64, len(GOOD)
    table = start + 4 + 4 * count
    references = struct.pack(f"<{count + 1}I", count, *(table - at for at in range(start + 4, table, 4)))
    content = patched(GOOD, place, start - place) + references + struct.pack("<i", table - vtable) + GOOD[code + 4:code + size]
    assert is_answered(tmp_path / "shared", content) is None
