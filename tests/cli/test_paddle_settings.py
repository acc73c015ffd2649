"""inference.yml beside a program of PaddlePaddle: it is shown, feeds the script of --emit_check, and changes nothing of the IR."""
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "paddle"))
from small import fed, op, var  # noqa: E402

MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))

OCR = """Global:
  model_name: PP-OCRv5_mobile_det
Hpi:
  backend_configs:
    paddle_infer:
      trt_dynamic_shapes: &id001
        x:
        - - 1
          - 3
          - 32
          - 32
        - - 1
          - 3
          - 736
          - 736
    tensorrt:
      dynamic_shapes: *id001
PreProcess:
  transform_ops:
  - DecodeImage:
      channel_first: false
      img_mode: BGR
  - DetLabelEncode: null
  - DetResizeForTest:
      resize_long: 960
  - NormalizeImage:
      mean:
      - 0.485
      - 0.456
      - 0.406
      order: hwc
      scale: 1./255.
      std:
      - 0.229
      - 0.224
      - 0.225
  - ToCHWImage: null
  - KeepKeys:
      keep_keys:
      - image
      - shape
PostProcess:
  name: DBPostProcess
  thresh: 0.3
"""
READER = """PreProcess:
  transform_ops:
  - DecodeImage: {channel_first: false, img_mode: BGR}
  - MultiLabelEncode:
      gtc_encode: NRTRLabelEncode
  - RecResizeImg:
      image_shape: [3, 48, 320]
PostProcess:
  name: CTCLabelDecode
  character_dict:
  - '!'
  - '"'
  - ''''
  - '#'
  - "\\u3000"
  - 疗
"""
CLASSES = """PreProcess:
  transform_ops:
  - ResizeImage:
      resize_short: 256
  - CropImage:
      size: 224
  - NormalizeImage:
      channel_num: 3
      mean: [0.485, 0.456, 0.406]
      order: ''
      scale: 0.00392156862745098
      std: [0.229, 0.224, 0.225]
  - ToCHWImage: null
PostProcess:
  Topk:
    topk: 5
    class_id_map_file: ../ppcls/utils/imagenet1k_label_list.txt
"""
DETECTOR = """mode: paddle
draw_threshold: 0.5
metric: COCO
use_dynamic_shape: false
arch: YOLO
Preprocess:
- interp: 2
  keep_ratio: false
  target_size:
  - 640
  - 640
  type: Resize
- is_scale: true
  mean:
  - 0.0
  - 0.0
  - 0.0
  norm_type: none
  std: [1.0, 1.0, 1.0]
  type: NormalizeImage
- type: Permute
label_list:
- person
- bicycle
NMS: {}
"""
UNSCALED = DETECTOR.replace("is_scale: true", "is_scale: false").replace("norm_type: none", "norm_type: mean_std").replace("std: [1.0, 1.0, 1.0]", "std: [2, 2.5, 4]").replace("  - 0.0\n", "  - 1.5\n")
SEGMENTS = """Deploy:
  input_shape:
  - -1
  - 3
  - 512
  - 1024
  model: model.pdmodel
  output_op: argmax
  params: model.pdiparams
  transforms:
  - type: Normalize
"""


def said(**facts):
    return {name: facts.get(name, "") for name in ("file", "model", "mean_values", "scale_values", "colours", "order", "size", "dictionary")}


IMAGENET = {"mean_values": "[123.675,116.28,103.53]", "scale_values": "[58.395,57.12,57.375]"}
CASES = {
    "ocr": ("inference.yml", OCR, said(model="PP-OCRv5_mobile_det", **IMAGENET, colours="BGR", order="hwc")),
    "reader": ("inference.yml", READER, said(colours="BGR", size="[3,48,320]", dictionary="character_dict")),
    "classes": ("inference.yml", CLASSES, said(**IMAGENET, size="[224]", dictionary="imagenet1k_label_list.txt")),
    "detector": ("infer_cfg.yml", DETECTOR, said(model="YOLO", mean_values="[0]", scale_values="[255]", size="[640,640]", dictionary="label_list")),
    "detector, unscaled": ("infer_cfg.yml", UNSCALED, said(model="YOLO", mean_values="[1.5,1.5,1.5]", scale_values="[2,2.5,4]", size="[640,640]", dictionary="label_list")),
    "segments": ("deploy.yaml", SEGMENTS, said(mean_values="[127.5]", scale_values="[127.5]", size="[-1,3,512,1024]")),
    "under the program's name": ("m.yml", "Transforms:\n- Normalize:\n    max_val: [255, 255]\n    mean: [0.5, 0.25]\n    std: [0.5, 1]\n- Resize: {target_size: 320}\n",
                                 said(mean_values="[127.5,63.75]", scale_values="[127.5,255]", size="[320]")),
    "a list of PaddleClas's defaults": ("inference.yml", "PreProcess:\n  transform_ops:\n  - NormalizeImage: null\n", said(**IMAGENET)),
}


@pytest.fixture
def model(tmp_path):
    """y = relu(x) of pictures."""
    path = tmp_path / "m.pdmodel"
    path.write_bytes(fed([var("x", (-1, 3, 8, 8))], ["y"], [op("relu", {"X": "x"}, {"Out": "y"})], [var("y", (-1, 3, 8, 8))]))
    return path


def run(*arguments):
    return subprocess.run([MO, *map(str, arguments)], capture_output=True, text=True, timeout=60)


def looked_at(model):
    done = run(model, "--info", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", CASES)
def test_what_it_says_is_shown(name, model):
    file, text, wanted = CASES[name]
    (model.parent / file).write_text(text, encoding="utf-8")
    found = looked_at(model)
    assert found["preparation"] == {**wanted, "file": file} and found["messages"] == []


def test_the_card_has_it_as_options(model):
    assert "Preparation" not in run(model, "--info").stdout
    (model.parent / "inference.yml").write_text(OCR)
    assert """
Preparation:    inference.yml, PP-OCRv5_mobile_det,
                --mean_values [123.675,116.28,103.53],
                --scale_values [58.395,57.12,57.375], BGR, order hwc
Operations:""" in run(model, "--info").stdout


def test_the_report_has_it_and_the_ir_is_the_same(model):
    folder = model.parent
    plain = json.loads(run(model, "--json", "-o", folder / "plain").stdout)
    (folder / "inference.yml").write_text(OCR)
    done = json.loads(run(model, "--json", "-o", folder / "with").stdout)
    assert done["report"].pop("preparation") == {**CASES["ocr"][2], "file": "inference.yml"}
    assert done["report"] == plain["report"]
    for ending in ("xml", "bin"):
        assert (folder / "with" / f"m.{ending}").read_bytes() == (folder / "plain" / f"m.{ending}").read_bytes()


@pytest.mark.parametrize("text,place", [
    ("a: 'x\n", 'a quote is not closed (file "inference.yml", line 2, column 1)'),
    ("a: 1\n  b: 2\n", 'a key in a text (file "inference.yml", line 2, column 3)'),
    ("[" * 1000, "more than 64 collections in each other"),
])
def test_what_cannot_be_read_is_a_warning(text, place, model):
    (model.parent / "inference.yml").write_text(text)
    done = run(model, "-o", model.parent / "ir")
    assert done.returncode == 0 and (model.parent / "ir" / "m.xml").exists()
    assert f"[ WARNING ]  MO1039 settings beside the model cannot be read, and are ignored: {place}" in done.stderr, done.stderr


@pytest.mark.parametrize("text", ["", "apiVersion: v1\nkind: Job\n", "- 1\n", "PreProcess: 5\nDeploy: [a]\nPostProcess:\n- 1\n", "PreProcess:\n  transform_ops:\n  - NormalizeImage: {std: [0, 0, 0]}\n",
                                  "PreProcess:\n  transform_ops:\n  - NormalizeImage: {mean: [x], std: [nan]}\n", "Transforms:\n- Normalize: {min_val: [-1]}\n",
                                  "PreProcess:\n  transform_ops:\n  - NormalizeImage: {scale: 1e-320}\n", "PreProcess:\n  transform_ops:\n  - NormalizeImage: {scale: 1/0}\n"])
def test_other_settings_say_nothing(text, model):
    (model.parent / "inference.yml").write_text(text)
    found = looked_at(model)
    assert "preparation" not in found and found["messages"] == []


def test_the_largest_file_is_read_in_time(model):
    with open(model.parent / "inference.yml", "w", encoding="utf-8") as file:
        file.write(READER + "".join(f"  - '{at}'\n" for at in range(1_000_000)))
    assert looked_at(model)["preparation"]["dictionary"] == "character_dict"
    with open(model.parent / "inference.yml", "a", encoding="utf-8") as file:
        file.write("#" * (17 << 20))
    assert [message["code"] for message in looked_at(model)["messages"]] == ["MO1039"]


def facts_of(script):
    return json.loads(re.search(r"FACTS = json\.loads\(r'''(.*?)'''\)", script.read_text(), re.S)[1])


def test_the_script_feeds_pictures_that_are_prepared_so(model):
    folder = model.parent
    (folder / "inference.yml").write_text(OCR)
    assert run(model, "--emit_check", "-o", folder / "ir").returncode == 0
    script = folder / "ir" / "check_m.py"
    one, = facts_of(script)["inputs"]
    assert (one["usual_mean"], one["usual_scale"]) == ("123.675,116.28,103.53,", "58.395,57.12,57.375,") or np.allclose([float(x) for x in one["usual_mean"].split(",")[:3]], [123.675, 116.28, 103.53])
    import importlib.util
    spec = importlib.util.spec_from_file_location("check_m", script)
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    numbers = check.random_input(check.INPUTS[0], [1, 3, 8, 8], np.random.default_rng(0), None)
    pictures = numbers * np.reshape([58.395, 57.12, 57.375], (3, 1, 1)) + np.reshape([123.675, 116.28, 103.53], (3, 1, 1))
    assert np.abs(pictures - np.round(pictures)).max() < 0.1 and pictures.min() > -0.5 and pictures.max() < 255.5
    assert pictures.max() > 200


@pytest.mark.parametrize("options", [["--mean_values", "[1,2,3]"], ["--scale_values", "[2]"]])
def test_options_take_the_place_of_what_it_says(options, model):
    (model.parent / "inference.yml").write_text(OCR)
    assert run(model, "--emit_check", *options, "-o", model.parent / "ir").returncode == 0
    assert "usual_mean" not in facts_of(model.parent / "ir" / "check_m.py")["inputs"][0]


def test_numbers_for_other_channels_are_not_used(model):
    (model.parent / "inference.yml").write_text(CASES["under the program's name"][1])
    assert run(model, "--emit_check", "-o", model.parent / "ir").returncode == 0
    assert "usual_mean" not in facts_of(model.parent / "ir" / "check_m.py")["inputs"][0]
