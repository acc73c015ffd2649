"""Models of real architecture: numbers, names, dynamic dimensions, FP16, and the old runtime."""
import os
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import environments
import judge

IMAGE = np.random.default_rng(7).standard_normal((1, 3, 224, 224), dtype=np.float32)


def tokens(batch, sequence, vocabulary=30522):
    rng = np.random.default_rng(8)
    mask = np.ones((batch, sequence), np.int64)
    mask[:, sequence * 3 // 4:] = 0
    return {"input_ids": rng.integers(0, vocabulary, (batch, sequence)), "attention_mask": mask}


FEEDS = {
    "mobilenetv2": [{"input": IMAGE}],
    "resnet50": [{"input": IMAGE}, {"input": np.concatenate([IMAGE, IMAGE[:, :, ::-1]])}],
    "bert_base": [tokens(1, 16), tokens(2, 40)],
}


@pytest.mark.parametrize("compress,tolerance", [(False, 1e-3), (True, 1e-2)], ids=["f32", "fp16"])
@pytest.mark.parametrize("name", FEEDS)
def test_numbers(model, tmp_path, name, compress, tolerance):
    xml = judge.convert(model(name), tmp_path, compress=compress)
    for feeds in FEEDS[name]:
        judge.assert_same(model(name), xml, feeds, tolerance)


def test_wide_3gb(model, tmp_path):
    path = model("wide_3gb")
    xml = judge.convert(path, tmp_path)
    judge.assert_same(path, xml, tokens(1, 8), 1e-3)
    os.remove(os.path.splitext(xml)[0] + ".bin")


def test_fp16_halves_the_weights(model, tmp_path):
    xml = judge.convert(model("mobilenetv2"), tmp_path, compress=True)
    size = os.path.getsize(os.path.splitext(xml)[0] + ".bin")
    assert size < 0.51 * os.path.getsize(model("mobilenetv2"))


def test_input_shape_becomes_the_models(model, tmp_path):
    xml = judge.convert(model("bert_base"), tmp_path, "--input_shape=[2,1..64],[2,1..64]", "--static_shape")
    shapes = [l.find("data").get("shape") for l in ET.parse(xml).getroot().find("layers") if l.get("type") == "Parameter"]
    assert shapes == ["2,1..64", "2,1..64"]
    judge.assert_same(model("bert_base"), xml, tokens(2, 24))


@pytest.mark.parametrize("name", FEEDS)
def test_no_more_operations_than_the_reference(model, tmp_path, name):
    import openvino
    theirs = len([n for n in openvino.convert_model(model(name)).get_ops() if n.get_type_name() != "Constant"])
    xml = judge.convert(model(name), tmp_path)
    ours = [l.get("type") for l in ET.parse(xml).getroot().find("layers") if l.get("type") != "Const"]
    assert len(ours) <= theirs


def test_bert_in_2023_3(model, tmp_path):
    xml, path = judge.convert(model("bert_base"), tmp_path), model("bert_base")
    got = judge.in_openvino_2023(xml, tokens(2, 24), tmp_path)
    for name, want in judge.in_onnxruntime(path, tokens(2, 24)).items():
        assert judge.relative_error(got[name], want) < 1e-3


@pytest.mark.parametrize("name", ["mobilenetv2", "resnet50", "bert_base", "wide_3gb"])
def test_read_by_2023_3(model, tmp_path, name):
    """The runtime of 2023.3 lives in an environment of its own: it reads, compiles and answers with the inputs' shapes."""
    xml = judge.convert(model(name), tmp_path)
    code = ("import sys, openvino as ov; m = ov.Core().read_model(sys.argv[1]); "
            "print(sorted(n for p in m.inputs + m.outputs for n in p.get_names()))")
    names = environments.run(environments.OLDEST, code, xml)
    want = ["input", "logits"] if name in ("mobilenetv2", "resnet50") else ["attention_mask", "input_ids", "last_hidden_state"]
    assert all(n in names for n in want), names
    os.remove(os.path.splitext(xml)[0] + ".bin")
