"""The recipes of docs/recipes/ and the programs of docs/deploying.md run as they stand, on a model of that structure (models.py).

Blocks of a page run one after the other in a folder with the model's files and a picture: `sh` with `mo` and `python` on the path, `python`,
and `cpp` against the headers of the runtime's package. What is marked `python framework` needs the model's own framework, and is only compiled.
"""
import os
import re
import subprocess
import sys

import numpy as np
import pytest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(TESTS, "numeric")]
import judge  # noqa: E402
import models  # noqa: E402

DOCS = os.path.join(judge.ROOT, "docs")
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.S | re.M)
MODELS = {
    "yolo": models.yolo, "hugging-face-encoder": models.hugging_face_encoder, "whisper-encoder": models.whisper_encoder,
    "mediapipe-task": models.mediapipe_task, "ssd-tflite": models.ssd_tflite, "tensorflow-detection-zoo": models.tensorflow_detection_zoo,
    "pp-ocr": models.pp_ocr, "insightface": models.insightface, "ssd-caffe": models.ssd_caffe, "mobilenet-ssd": models.mobilenet_ssd, "kaldi-chain": models.kaldi_chain,
    "torchvision-resnet": models.torchvision_resnet,
}
# The sections of docs/deploying.md, and the recipe whose model each runs.
DEPLOYED = {"ONNX": "yolo", "TensorFlow": "tensorflow-detection-zoo", "TensorFlow Lite": "mediapipe-task", "Caffe": "ssd-caffe", "PaddlePaddle": "pp-ocr",
            "MXNet": "insightface", "PyTorch": "torchvision-resnet", "Kaldi": "kaldi-chain"}


def text_of(*path):
    with open(os.path.join(DOCS, *path), encoding="utf-8") as file:
        return file.read()


def run(words, folder):
    path = [os.path.join(folder, ".bin"), os.path.dirname(sys.executable), os.environ["PATH"]]
    environment = {**os.environ, "PATH": os.pathsep.join(path)}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{words[-1]}\n{done.stdout}{done.stderr}"
    return done.stdout


def compiled(code, folder):
    """The path of the program."""
    import openvino
    place = os.path.dirname(openvino.__file__)
    library = next(name for name in sorted(os.listdir(os.path.join(place, "libs"))) if name.startswith("libopenvino.so."))
    with open(os.path.join(folder, "main.cpp"), "w", encoding="utf-8") as file:
        file.write(code)
    run(["g++", "-std=c++17", "-I", os.path.join(place, "include"), "main.cpp", "-o", "main", "-L", os.path.join(place, "libs"), f"-l:{library}",
         f"-Wl,-rpath,{place}/libs", f"-Wl,-rpath-link,{place}/libs"], folder)
    return os.path.join(folder, "main")


@pytest.fixture
def kitchen(tmp_path):
    """A folder with the model of a recipe, a picture, and the commands."""
    def prepared(recipe):
        folder = str(tmp_path)
        os.mkdir(os.path.join(folder, ".bin"))
        os.symlink(judge.MO, os.path.join(folder, ".bin", "mo"))
        MODELS[recipe](folder)
        import cv2
        rng = np.random.default_rng(4)
        coarse = rng.integers(0, 256, (6, 8, 3), np.uint8)
        picture = cv2.resize(coarse, (320, 240), interpolation=cv2.INTER_CUBIC)
        cv2.imwrite(os.path.join(folder, "picture.png"), picture)
        picture.tofile(os.path.join(folder, "picture.bgr"))
        return folder
    return prepared


def run_blocks(text, folder):
    """What each block printed, by its language."""
    printed = []
    for at, (language, more, code) in enumerate(BLOCK.findall(text)):
        if "framework" in more:
            compile(code, f"block {at}", "exec")
        elif language == "sh":
            printed.append((language, run(["bash", "-euo", "pipefail", "-c", code], folder)))
        elif language == "python":
            printed.append((language, run([sys.executable, "-c", code], folder)))
        elif language == "cpp":
            printed.append((language, run([compiled(code, folder)], folder)))
    return printed


@pytest.mark.parametrize("recipe", MODELS)
def test_recipe(recipe, kitchen):
    printed = run_blocks(text_of("recipes", recipe + ".md"), kitchen(recipe))
    assert any("SUCCESS" in text for language, text in printed if language == "sh")
    assert any("The outputs agree." in text for _, text in printed), printed
    assert all(text.strip() for language, text in printed if language == "python")


@pytest.mark.parametrize("framework", DEPLOYED)
def test_deploying(framework, kitchen):
    """Python and C++ print the same lines."""
    section = text_of("deploying.md").partition(f"\n## {framework}\n")[2].partition("\n## ")[0]
    by_language = dict(run_blocks(section, kitchen(DEPLOYED[framework])))
    assert by_language["python"].strip()
    assert by_language["python"] == by_language["cpp"]


def test_each_recipe_has_a_model_and_is_listed():
    names = {name[:-3] for name in os.listdir(os.path.join(DOCS, "recipes"))}
    assert names == set(MODELS)
    assert set(re.findall(r"\(recipes/([\w-]+)\.md\)", text_of("recipes.md"))) == names
    assert re.findall(r"^## (.*)$", text_of("deploying.md"), re.M)[:len(DEPLOYED)] == list(DEPLOYED)
