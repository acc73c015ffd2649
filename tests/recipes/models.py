"""The models of the recipes (docs/recipes/): for each a function that writes one of that structure, small and with drawn weights, under the
names that the recipe has. Where the model's framework is not at hand, also the `expected.npz` that it recorded, and `picture.npy`, what it was fed."""
import os
import shutil
import subprocess
import sys
import zipfile

import numpy as np

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TESTS, "weights"))
from cases import Graph, int64, layer_norm, linear  # noqa: E402


def by(framework, script, *words):
    """Runs a script with the modules of a framework's tests, in a process of its own: modules of several frameworks have the same names."""
    head = f"import sys\nsys.path[:0] = {[os.path.join(TESTS, framework), os.path.join(TESTS, 'recorded'), TESTS]!r}\n"
    head += "import os\nimport numpy as np\nfolder = sys.argv[1]\ninside = lambda name: os.path.join(folder, name)\n"
    done = subprocess.run([sys.executable, "-c", head + script, *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


class Pictures(Graph):
    """What convolutional networks are made of."""

    def conv(self, x, name, inputs, outputs, kernel=1, stride=1, activation=True):
        w = self.draw(name + "_w", outputs, inputs, kernel, kernel, scale=1.5 / (kernel * inputs ** 0.5))
        x = self.op("Conv", [x, w, self.draw(name + "_b", outputs, scale=0.1)], name, strides=[stride] * 2, pads=[kernel // 2] * 4)
        return self.op("Mul", [x, self.op("Sigmoid", [x], name + "_sigmoid")], name + "_silu") if activation else x

    def halves(self, x, at, width):
        """The channels of x as a0 and b0, and so on."""
        from onnx import helper
        size = self.integers(f"halves{at}", width // 2, width // 2)
        self.nodes.append(helper.make_node("Split", [x, size], [f"a{at}", f"b{at}"], name=f"split{at}", axis=1))

    def integers(self, name, *values):
        return self.constant(np.array(values, np.int64), name)


def yolo_heads(g, size, classes=80, bins=16):
    """Three maps of a backbone with SiLU, splits, an SPPF and an upsampling neck; the boxes as [cx, cy, w, h] and the scores, each [1, n, 8400] at 640."""
    x = g.conv("images", "stem", 3, 8, 3, 2)
    x = g.conv(x, "down1", 8, 16, 3, 2)
    maps = []
    for at, width in enumerate((16, 24, 32)):
        x = g.conv(x, f"down{at + 2}", (16, 16, 24)[at], width, 3, 2)
        g.halves(x, at, width)
        inner = g.op("Add", [g.conv(f"b{at}", f"inner{at}", width // 2, width // 2, 3), f"b{at}"], f"sum{at}")
        x = g.conv(g.op("Concat", [f"a{at}", f"b{at}", inner], f"c2f{at}", axis=1), f"fuse{at}", width // 2 * 3, width)
        maps.append(x)
    pooled = [maps[2]]
    for at in range(3):
        pooled.append(g.op("MaxPool", [pooled[-1]], f"sppf{at}", kernel_shape=[5, 5], pads=[2] * 4))
    maps[2] = g.conv(g.op("Concat", pooled, "sppf", axis=1), "after_sppf", 128, 32)
    up = g.op("Resize", [maps[2], "", g.constant(np.float32([1, 1, 2, 2]), "twice")], "up", mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    maps[1] = g.conv(g.op("Concat", [up, maps[1]], "neck", axis=1), "after_neck", 56, 24)
    boxes, scores, anchors, strides = [], [], [], []
    for at, (x, width) in enumerate(zip(maps, (16, 24, 32))):
        stride = 8 << at
        cells = size // stride
        flat = g.integers(f"flat{at}", 1, -1, cells * cells)
        boxes.append(g.op("Reshape", [g.conv(x, f"box{at}", width, 4 * bins, activation=False), flat], f"boxes{at}"))
        scores.append(g.op("Reshape", [g.conv(x, f"class{at}", width, classes, activation=False), flat], f"scores{at}"))
        ys, xs = np.meshgrid(np.arange(cells) + 0.5, np.arange(cells) + 0.5, indexing="ij")
        anchors.append(np.stack([xs.ravel(), ys.ravel()]))
        strides.append(np.full(cells * cells, stride))
    count = sum(map(len, strides))
    distances = g.op("Reshape", [g.op("Concat", boxes, "boxes", axis=2), g.integers("by_bin", 1, 4, bins, count)], "distributions")
    distances = g.op("Softmax", [g.op("Transpose", [distances], "bins_first", perm=[0, 2, 1, 3])], "dfl_softmax", axis=1)
    distances = g.op("Conv", [distances, g.constant(np.arange(bins, dtype=np.float32).reshape(1, bins, 1, 1), "dfl_w")], "dfl")
    distances = g.op("Reshape", [distances, g.integers("by_side", 1, 4, count)], "distances")
    first = g.op("Slice", [distances, g.integers("zero", 0), g.integers("two", 2), g.integers("axis", 1)], "before")
    last = g.op("Slice", [distances, g.integers("two_", 2), g.integers("four", 4), g.integers("axis_", 1)], "behind")
    centre = g.constant(np.concatenate(anchors, 1)[None].astype(np.float32), "anchors")
    low, high = g.op("Sub", [centre, first], "low"), g.op("Add", [centre, last], "high")
    middle = g.op("Div", [g.op("Add", [low, high], "low_high"), g.constant(np.float32(2), "of_two")], "middle")
    found = g.op("Concat", [middle, g.op("Sub", [high, low], "width_height")], "cells", axis=1)
    found = g.op("Mul", [found, g.constant(np.concatenate(strides)[None, None].astype(np.float32), "strides")], "pixels")
    return found, g.op("Sigmoid", [g.op("Concat", scores, "scores", axis=2)], "probabilities")


def yolo(folder, size=160):
    """yolo11n.onnx as Ultralytics exports it, and yolo11n_nms.onnx with the suppression in the graph."""
    g = Pictures(1)
    boxes, scores = yolo_heads(g, size)
    g.op("Concat", [boxes, scores], "output0", axis=1)
    os.rename(g.write(folder, [("images", None, [1, 3, size, size])], [("output0", None, [1, 84, None])])[0], os.path.join(folder, "yolo11n.onnx"))

    g = Pictures(1)
    boxes, scores = yolo_heads(g, size)
    rows = g.op("Transpose", [boxes], "rows", perm=[0, 2, 1])
    chosen = g.op("NonMaxSuppression", [rows, scores, g.integers("most", 300), g.constant(np.float32([0.45]), "iou"), g.constant(np.float32([0.25]), "least")], "chosen", center_point_box=1)
    kind = g.op("Gather", [chosen, g.constant(np.int64(1), "one")], "kind", axis=1)
    place = g.op("Gather", [chosen, g.constant(np.int64(2), "second")], "place", axis=1)
    box = g.op("Gather", [g.op("Squeeze", [rows, g.integers("first", 0)], "one_image"), place], "box", axis=0)
    pair = g.op("Concat", [g.op("Unsqueeze", [place, g.integers("last_", -1)], "place_"), g.op("Unsqueeze", [kind, g.integers("last__", -1)], "kind_")], "pair", axis=1)
    by_place = g.op("Transpose", [g.op("Squeeze", [scores, g.integers("first_", 0)], "one_image_")], "by_place", perm=[1, 0])
    score = g.op("Unsqueeze", [g.op("GatherND", [by_place, pair], "score"), g.integers("last___", -1)], "score_")
    number = g.op("Unsqueeze", [g.op("Cast", [kind], "number", to=1), g.integers("last____", -1)], "number_")
    g.op("Concat", [box, score, number], "output0", axis=1)
    os.rename(g.write(folder, [("images", None, [1, 3, size, size])], [("output0", None, [None, 6])])[0], os.path.join(folder, "yolo11n_nms.onnx"))


def attention(g, x, name, width, length, mask=None, heads=4):
    """A block of an encoder, with its norm in front, in the form in which PyTorch exports it for any batch and length."""
    size = width // heads
    split, join = g.integers(name + "_split", 0, -1, heads, size), g.integers(name + "_join", 0, -1, width)
    normed = layer_norm(g, x, name + "_norm", width)

    def head(part, order):
        return g.op("Transpose", [g.op("Reshape", [linear(g, normed, f"{name}_{part}", width, width), split], f"{name}_{part}_heads")], f"{name}_{part}_turned", perm=order)
    scores = g.op("MatMul", [head("q", [0, 2, 1, 3]), head("k", [0, 2, 3, 1])], name + "_scores")
    scores = g.op("Div", [scores, g.constant(np.float32(size ** 0.5), name + "_root")], name + "_scaled")
    if mask:
        scores = g.op("Add", [scores, mask], name + "_masked")
    mixed = g.op("MatMul", [g.op("Softmax", [scores], name + "_softmax", axis=-1), head("v", [0, 2, 1, 3])], name + "_mixed")
    mixed = g.op("Reshape", [g.op("Transpose", [mixed], name + "_back", perm=[0, 2, 1, 3]), join], name + "_joined")
    x = g.op("Add", [x, linear(g, mixed, name + "_out", width, width)], name + "_sum")
    inner = gelu(g, linear(g, layer_norm(g, x, name + "_norm2", width), name + "_up", width, 4 * width), name)
    return g.op("Add", [x, linear(g, inner, name + "_down", 4 * width, width)], name + "_end")


def gelu(g, x, name):
    """As a product with an Erf, which is how most exporters write it."""
    erf = g.op("Erf", [g.op("Div", [x, g.constant(np.float32(2 ** 0.5), name + "_root2")], name + "_div")], name + "_erf")
    half = g.op("Mul", [x, g.op("Add", [erf, g.constant(np.float32(1), name + "_1")], name + "_erf1")], name + "_double")
    return g.op("Mul", [half, g.constant(np.float32(0.5), name + "_half")], name + "_gelu")


def hugging_face_encoder(folder, width=128, words=1000):
    """onnx_model/model.onnx as optimum-cli exports BERT: any batch and length, a mask, and the last hidden state."""
    os.mkdir(os.path.join(folder, "onnx_model"))
    g = Pictures(2)
    x = g.op("Gather", [g.draw("words", words, width, scale=1), "input_ids"], "word")
    x = g.op("Add", [x, g.op("Gather", [g.draw("kinds", 2, width), "token_type_ids"], "kind")], "word_kind")
    length = g.op("Gather", [g.op("Shape", ["input_ids"], "shape"), g.integers("at", 1)], "length")
    places = g.op("Slice", [g.draw("places", 1, 512, width), g.integers("from", 0), length, g.integers("along", 1)], "place")
    x = layer_norm(g, g.op("Add", [x, places], "embedded"), "norm", width)
    seen = g.op("Cast", [g.op("Unsqueeze", ["attention_mask", g.integers("two", 1, 2)], "mask4")], "mask_f", to=1)
    mask = g.op("Mul", [g.op("Sub", [g.constant(np.float32(1), "one"), seen], "unseen"), g.constant(np.float32(np.finfo(np.float32).min), "lowest")], "mask")
    for at in range(2):
        x = attention(g, x, f"layer{at}", width, None, mask)
    layer_norm(g, x, "last_hidden_state", width)
    shape = ["batch_size", "sequence_length"]
    g.write(os.path.join(folder, "onnx_model"), [(name, int64(), shape) for name in ("input_ids", "attention_mask", "token_type_ids")], [("last_hidden_state", None, [*shape, width])])


def whisper_encoder(folder, width=64):
    """onnx_model/encoder_model.onnx: two convolutions over 3000 frames of 80 bands, positions, and blocks of attention."""
    os.mkdir(os.path.join(folder, "onnx_model"))
    g = Pictures(3)
    x = g.op("Conv", ["input_features", g.draw("conv1_w", width, 80, 3), g.draw("conv1_b", width)], "conv1", pads=[1, 1])
    x = g.op("Conv", [gelu(g, x, "first"), g.draw("conv2_w", width, width, 3), g.draw("conv2_b", width)], "conv2", pads=[1, 1], strides=[2])
    x = g.op("Transpose", [gelu(g, x, "second")], "frames", perm=[0, 2, 1])
    x = g.op("Add", [x, g.draw("positions", 1500, width)], "placed")
    for at in range(2):
        x = attention(g, x, f"layer{at}", width, 1500)
    layer_norm(g, x, "last_hidden_state", width)
    path = g.write(os.path.join(folder, "onnx_model"), [("input_features", None, ["batch_size", 80, 3000])], [("last_hidden_state", None, ["batch_size", 1500, width])])[0]
    os.rename(path, os.path.join(folder, "onnx_model", "encoder_model.onnx"))


def mediapipe_task(folder):
    """hand_landmarker.task: an archive of two models in float16, as MediaPipe packs them, without compression."""
    by("tflite", "import filled\nfor name in sys.argv[2:]:\n case = filled.load(name)\n case.write(inside(name + '.tflite'))\n"
       "feeds = case.runs[0]\nnp.save(inside('picture.npy'), next(iter(feeds.values())))\n"
       "np.savez(inside('expected.npz'), **dict(zip(case.about['outputs'], case.wanted[0])))", folder, "EfficientNetB0_float16", "MobileNetV2_float16")
    with zipfile.ZipFile(os.path.join(folder, "hand_landmarker.task"), "w", zipfile.ZIP_STORED) as task:
        for source, name in (("MobileNetV2_float16", "hand_detector"), ("EfficientNetB0_float16", "hand_landmarks_detector")):
            task.write(os.path.join(folder, source + ".tflite"), name + ".tflite")
            os.remove(os.path.join(folder, source + ".tflite"))


def ssd_tflite(folder):
    """detect.tflite: TFLite_Detection_PostProcess with boxes, scores and anchors, and its four outputs."""
    by("tflite", "import lite\ncase = lite.operations()['custom/detection_fast']\nopen(inside('detect.tflite'), 'wb').write(case.model)\n"
       "np.savez(inside('fed.npz'), **case.runs[0])\nnp.savez(inside('expected.npz'), **dict(zip(case.about['outputs'], case.wanted[0])))", folder)


def tensorflow_detection_zoo(folder):
    """A saved_model and its pipeline.config, as the archives of the zoo have them: an SSD of release 2.4."""
    source = os.path.join(TESTS, "tf", "recorded", "detection", "ssd_v2.4")
    place = os.path.join(folder, "ssd_mobilenet_v2_320x320_coco17_tpu-8")
    os.makedirs(os.path.join(place, "saved_model"))
    shutil.copy(os.path.join(source, "pipeline.config"), place)
    with np.load(os.path.join(source, "case.npz")) as file:
        with open(os.path.join(place, "saved_model", "saved_model.pb"), "wb") as out:
            out.write(file["saved_model"].tobytes())
        np.save(os.path.join(folder, "picture.npy"), file["feed/input_tensor"])
        np.savez(os.path.join(folder, "expected.npz"), **{name[5:]: file[name] for name in file.files if name.startswith("want/")})


INFERENCE_YML = """Global:
  model_name: PP-OCRv5_mobile_det
PreProcess:
  transform_ops:
  - DecodeImage:
      channel_first: false
      img_mode: BGR
  - DetResizeForTest:
      resize_long: 960
  - NormalizeImage:
      mean: [0.485, 0.456, 0.406]
      order: hwc
      scale: 1./255.
      std: [0.229, 0.224, 0.225]
  - ToCHWImage: null
PostProcess:
  name: DBPostProcess
  thresh: 0.3
"""


def pp_ocr(folder):
    """PP-OCRv5_mobile_det_infer: a program of PIR that gives a map for a picture of any size, its parameters and inference.yml."""
    place = os.path.join(folder, "PP-OCRv5_mobile_det_infer")
    os.mkdir(place)
    by("paddle3", "import kept\ncase = kept.everything()['newer_readers/PPOCRv5_det']\ncase.write(inside('PP-OCRv5_mobile_det_infer/inference.json'))\n"
       "np.save(inside('picture.npy'), next(iter(case.runs[0].values())))\n"
       "np.savez(inside('expected.npz'), **dict(zip(case.about['outputs'], case.wanted[0])))", folder)
    with open(os.path.join(place, "inference.yml"), "w", encoding="utf-8") as out:
        out.write(INFERENCE_YML)


def insightface(folder):
    """model-r100-ii/model-0000.params with its symbol, retinaface/R50-0000.params, and a face of the size for which the small network has weights."""
    for place in ("model-r100-ii", "retinaface"):
        os.mkdir(os.path.join(folder, place))
    by("mxnet", "import stored_mxnet\nall = stored_mxnet.everything(['networks'])\n"
       "for name, path in (('face_boxes', 'retinaface/R50'), ('face_embedding', 'model-r100-ii/model')):\n"
       " case = all['networks/' + name]\n case.write(inside(path + stored_mxnet.ENDING))\n"
       "picture = next(iter(case.runs[0].values()))\nnp.save(inside('picture.npy'), picture)\n"
       "import cv2\ncv2.imwrite(inside('face.png'), np.random.default_rng(3).integers(0, 256, [*picture.shape[2:], 3]))\ncv2.imread(inside('face.png')).tofile(inside('face.bgr'))\n"
       "np.savez(inside('expected.npz'), **{name.partition(':')[0]: one for name, one in zip(case.about['outputs'], case.wanted[0])})", folder)


def ssd_caffe(folder):
    """VGG_VOC0712_SSD_300x300.caffemodel and deploy.prototxt, with Normalize and DetectionOutput, for one picture."""
    by("caffe", "import net as caffe, architectures\nclass Net(caffe.Net):\n def input(self, name, shape, **more):\n  return super().input(name, (1, *shape[1:]), **more)\n"
       "import opencv\nnet = Net(seed=7)\nnet.spelled = opencv.SPELLED  # as the files of SSDs have it\narchitectures.ssd(net)\nnet.write(folder, 'VGG_VOC0712_SSD_300x300')\n"
       "os.rename(inside('VGG_VOC0712_SSD_300x300.prototxt'), inside('deploy.prototxt'))", folder)


def mobilenet_ssd(folder):
    """MobileNetSSD_deploy.caffemodel and .prototxt."""
    by("caffe", "import every\nevery.build('network/mobilenet_ssd_published').write(folder, 'MobileNetSSD_deploy')", folder)


def torchvision_resnet(folder):
    """resnet50.pt2 as PyTorch 2.9 writes it, a ResNet of fewer layers for small pictures, with what PyTorch computed."""
    by("pytorch", "import stored_torch\ncase = stored_torch.everything(['networks_torchvision'])['networks_torchvision/resnet']\ncase.write(inside('resnet50.pt2'))\n"
       "np.save(inside('fed.npy'), case.runs[0]['x'])\nnp.savez(inside('expected.npz'), **dict(zip(case.about['outputs'], case.wanted[0])))", folder)


def kaldi_chain(folder):
    """exp/chain/tdnn/final.mdl with i-vectors, behind a transition model; feats.txt, ivectors.txt and expected.txt as Kaldi's programs write them, the last
    by the reference that recorded frames of Kaldi prove (tests/kaldi/reference)."""
    by("", """
from kaldi import networks
from kaldi.reference import utterance
case = networks.CASES['architecture/chain_tdnnf_ivector']
os.rename(case.write(inside('m')), inside('final.mdl'))
judged = utterance.Judged(case.network(), ['output'])
random = np.random.default_rng(5)
rows, ivector = (random.standard_normal((count, judged.inputs[name])).astype(np.float32) for name, count in (('input', 30), ('ivector', 1)))
fed = judged.fed(rows)
expected = judged.outputs({'input': fed, 'ivector': ivector.repeat(len(fed), 0)})['output'][judged.left + judged.delay::3]
assert np.isfinite(expected).all() and len(expected) == 10
number = lambda row: ' '.join('%.9g' % value for value in row)
for name, begin, array in (('feats', ' [\\n', rows), ('ivectors', ' [ ', ivector), ('expected', ' [\\n', expected)):
    with open(inside(name + '.txt'), 'w') as out:
        out.write('utterance' + begin + '\\n'.join(map(number, array)) + ' ]\\n')
""", folder)
    place = os.path.join(folder, "exp", "chain", "tdnn")
    os.makedirs(place)
    os.rename(os.path.join(folder, "final.mdl"), os.path.join(place, "final.mdl"))
