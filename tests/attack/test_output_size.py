"""What is written is at most four times as large as the model's files, and 1 GB besides, unless --allow_large_output allows more."""
import os

import pytest

from test_bombs import run  # and the path of bombs
from bombs import save, tf_wire as tf
from bombs.onnx_wire import FLOAT, external, graph, model, node, tensor, value


def of_fills(folder, sizes):
    """A tensor of each size in megabytes, filled with a number of its own."""
    nodes = [part for i, size in enumerate(sizes) for part in (tf.filled(f"c{i}", (size, 1 << 18), 0x3F800000 + i), tf.node(f"y{i}", "AddV2", ["x", f"c{i}"], T=tf.FLOAT))]
    return save(folder, tf.graph([tf.placeholder("x", 1, 1 << 18), *nodes]), name="m.pb")


def test_a_large_result_is_refused_before_it_is_written(tmp_path):
    bomb = of_fills(str(tmp_path), [700, 400])
    code, said, _, _ = run(bomb.model, tmp_path / "out", "--compress_to_fp16", "False")
    assert code == 1 and "MO5004 the result would be much larger than the model" in said, said
    assert "1073741824" in said and "--allow_large_output" in said
    assert not (tmp_path / "out").exists()


def test_a_result_just_below_is_written(tmp_path):
    bomb = of_fills(str(tmp_path), [64, 48])
    code, said, _, _ = run(bomb.model, tmp_path / "out", "--compress_to_fp16", "False")
    assert code == 0, said
    assert os.path.getsize(tmp_path / "out" / "m.bin") == 112 << 20


@pytest.mark.skipif(os.environ.get("ATTACK") != "all", reason="writes 1.1 GB")
def test_a_large_result_is_written_if_it_is_allowed(tmp_path):
    bomb = of_fills(str(tmp_path), [700, 400])
    code, said, _, _ = run(bomb.model, tmp_path / "out", "--compress_to_fp16", "False", "--allow_large_output")
    assert code == 0, said
    assert os.path.getsize(tmp_path / "out" / "m.bin") == 1100 << 20
    assert "allow_large_output" not in (tmp_path / "out" / "m.xml").read_text()


def test_terabytes_are_refused_at_once(tmp_path):
    bomb = of_fills(str(tmp_path), [1 << 30])
    code, said, peak, seconds = run(bomb.model, tmp_path / "out")
    assert code == 1 and "MO5004" in said, said
    assert seconds < 2 and peak < 64 << 20


@pytest.mark.parametrize("options", [(), ("--compress_to_fp16", "False")], ids=["f16", "f32"])
def test_overlapping_places_are_refused(tmp_path, options):
    """Constants that are nearly the whole file each, again and again: 1.2 GB out of 1 MB."""
    size, count = 800_000, 1500
    names = [f"w{i}" for i in range(count)]
    weights = [tensor(name, (size // 4,), FLOAT, external("w.bin", 4 * i, size)) for i, name in enumerate(names)]
    (tmp_path / "w.bin").write_bytes(os.urandom(size + 4 * count))
    sums = [node("Add", ["x", name], [f"y{i}"]) for i, name in enumerate(names)]
    bomb = save(str(tmp_path), model(graph(sums, [value("x", (1,))], [value(f"y{i}", None) for i in range(count)], weights)))
    code, said, _, _ = run(bomb.model, tmp_path / "out", *options)
    assert code == 1 and "MO5004" in said, said
    assert not (tmp_path / "out").exists()
