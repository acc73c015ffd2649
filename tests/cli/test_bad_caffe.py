"""Networks of Caffe that cannot be converted: code, file, line or byte, and what to do; exit code 1, and nothing written."""
import os
import re
import subprocess
import sys

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path.insert(0, os.path.join(ROOT, "tests", "caffe"))
import net as caffe  # noqa: E402
import networks  # noqa: E402
import wire  # noqa: E402

SECONDS = 120
HEAD = 'input: "data" input_dim: 1 input_dim: 3 input_dim: 8 input_dim: 8\n'


def run(*arguments):
    return subprocess.run([MO, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=SECONDS)


def refused(folder, model, *needles, options=()):
    """The messages."""
    out = folder / "out"
    result = run(folder / model, "--output_dir", out, *options)
    assert result.returncode == 1 and not out.exists(), (result.returncode, result.stdout, result.stderr)
    for needle in needles:
        assert needle in result.stderr, (needle, result.stderr)
    return result.stderr


def small(folder):
    net = caffe.Net()
    x = net.input("data", (1, 3, 8, 8))
    net.layer("InnerProduct", net.layer("Convolution", x, name="conv", param={"num_output": 4, "kernel_size": 3}), name="fc", param={"num_output": 5})
    net.write(folder)
    return net


LAYER = 'layer {{ name: "l" type: "{}" bottom: "data" top: "y" {} }}\n'
TEXTS = {
    "unclosed": (HEAD + 'layer { name: "l"\n', "MO1030", "line 3, column 1"),
    "value": (HEAD + LAYER.format("Softmax", "softmax_param { axis: true }"), "MO1031", "line 2, column 81"),
    "enum": (HEAD + LAYER.format("Pooling", "pooling_param { pool: MIN }"), "MO1031", "pool cannot be MIN"),
    "dims": ('input: "data" input_dim: 1\n' + LAYER.format("ReLU", ""), "MO1031", "1 of input_dim for 1 inputs", "line 1, column 26"),
    "rules": (HEAD + LAYER.format("ReLU", "include { phase: TEST } exclude { phase: TRAIN }"), "MO1031", "include and exclude", "line 2"),
    "bottom": (HEAD + LAYER.format("ReLU", "").replace("data", "nothing"), "MO1013", "nothing", 'node "l", ReLU', "line 2, column 7"),
    "cycle": (HEAD + 'layer { name: "a" type: "ReLU" bottom: "b" top: "a" }\nlayer { name: "b" type: "ReLU" bottom: "a" top: "b" }\n', "MO1013", 'node "a"'),
    "top_twice": (HEAD + LAYER.format("ReLU", "") + LAYER.format("AbsVal", ""), "MO1014", "y", "line 3, column 7"),
    "no_bottom": (HEAD + 'layer { name: "l" type: "ReLU" top: "y" }\n', "MO2006", 'node "l"'),
    "unknown_layers": (HEAD + LAYER.format("Mystery", "") + 'layer { name: "m" type: "Other" bottom: "y" top: "z" }\n', "MO2001 ", "Mystery (", "Other ("),
    "unknown_layers_of_v1": (HEAD + 'layers { name: "l" type: MYSTERY bottom: "data" top: "y" mystery_param { a: 1 } }\n'
                             'layers { name: "m" type: OTHER bottom: "y" top: "z" }\n', "MO2001 ", 'MYSTERY (node "l"', 'OTHER (node "m"'),
    "enum_of_v1": (HEAD + 'layers { name: "l" type: POOLING bottom: "data" top: "y" pooling_param { pool: MIN } }\n', "MO1031", "pool cannot be MIN"),
    "no_top": (HEAD + 'layer { name: "l" type: "ReLU" bottom: "data" }\n', "MO1033", "top", 'node "l"', "line 2"),
    "no_weights": (HEAD + LAYER.format("Convolution", "convolution_param { num_output: 2 kernel_size: 3 }")
                   + 'layer { name: "m" type: "InnerProduct" bottom: "y" top: "z" inner_product_param { num_output: 2 } }\n',
                   "MO1034", "l, m", "--input_weights"),
    "xavier": (HEAD + LAYER.format("Convolution", 'convolution_param { num_output: 2 kernel_size: 3 weight_filler { type: "xavier" } }'), "MO1034", " l "),
    "stochastic": (HEAD + LAYER.format("Pooling", "pooling_param { pool: STOCHASTIC kernel_size: 2 }"), "MO2004", "stochastic"),
    "no_kernel": (HEAD + LAYER.format("Pooling", "pooling_param { pool: MAX }"), "MO2002", "kernel_size is 0"),
    "pad": (HEAD + LAYER.format("Pooling", "pooling_param { kernel_size: 2 pad: 2 }"), "MO2002", "pad is 2"),
    "coeff": (HEAD + LAYER.format("Eltwise", "eltwise_param { coeff: 1 coeff: 2 }"), "MO2002", "2 of coeff"),
    "slice": (HEAD + LAYER.format("Slice", "slice_param { slice_point: 1 slice_point: 2 }"), "MO2002", "2 of slice_point for 1 tops"),
    "axis": (HEAD + LAYER.format("Softmax", "softmax_param { axis: 7 }"), "MO3004"),
    "density": (HEAD + LAYER.format("PriorBox", "prior_box_param { img_size: 8 fixed_size: 8 fixed_size: 16 density: 2 }"), "MO2002", "1 of density for 2 of fixed_size"),
    "densities": (HEAD + LAYER.format("PriorBox", "prior_box_param { img_size: 8 fixed_size: 8 density: 1e9 }"), "MO2002", "density is"),
    "order": (HEAD + LAYER.format("Permute", "permute_param { order: 9 }"), "MO2002", "order holds 9"),
    "crop": (HEAD + 'layer { name: "big" type: "Tile" bottom: "data" top: "big" tile_param { axis: 2 tiles: 2 } }\n'
             'layer { name: "l" type: "Crop" bottom: "data" bottom: "big" top: "y" }\n', "MO3002", 'node "l"'),
    "negative_dim": (HEAD.replace("8", "-8") + LAYER.format("ReLU", ""), "MO1031"),
    "braces": (HEAD + "layer " + "{ x " * 100_000 + "} " * 100_000, "MO1011"),
    "dimensions": (LAYER.format("Input", "input_param { shape { " + "dim: 1 " * 1000 + "} }"), "MO"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name, tmp_path):
    text, *needles = TEXTS[name]
    (tmp_path / "net.prototxt").write_text(text)
    refused(tmp_path, "net.prototxt", *needles)


def test_weights_without_a_text(tmp_path):
    small(tmp_path)
    os.remove(tmp_path / "net.prototxt")
    refused(tmp_path, "net.caffemodel", "MO1024", "prototxt: looked for net.prototxt", "deploy.prototxt", "--input_proto")
    (tmp_path / "solver.prototxt").write_text('net: "net.prototxt"\nbase_lr: 0.1\n')
    refused(tmp_path, "net.caffemodel", "MO1024")


@pytest.mark.parametrize("name", ["net.prototxt", "net.prototxt.txt", "net.pt", "deploy.prototxt", "other.prototxt"])
def test_the_text_is_found(name, tmp_path):
    small(tmp_path)
    os.rename(tmp_path / "net.prototxt", tmp_path / name)
    (tmp_path / "solver.prototxt").write_text('net: "net.prototxt"\nbase_lr: 0.1\n')
    for arguments in ([tmp_path / "net.caffemodel"], [tmp_path / name], [tmp_path / "net.caffemodel", "-d", tmp_path / name]):
        result = run(*arguments, "--output_dir", tmp_path / "out")
        assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("text", ["# who wrote it, and who may use it\n" * 3000 + "{}", "\ufeff\n\t# a note\n{}"], ids=["licence", "mark"])
@pytest.mark.parametrize("marks", ["{}", "<>"])
def test_the_text_is_known_whatever_stands_before_it(text, marks, tmp_path):
    net = small(tmp_path)
    found = "".join(net.text()).replace("{", marks[0]).replace("}", marks[1])
    (tmp_path / "net.prototxt").write_text(text.replace("{}", found), encoding="utf-8")
    for model in ("net.caffemodel", "net.prototxt"):
        assert run(tmp_path / model, "--output_dir", tmp_path / "out").returncode == 0


@pytest.mark.parametrize("content,needle", [
    (b"<!DOCTYPE html><html></html>", "web page"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer"),
    (b'net: "train_val.prototxt"\nbase_lr: 0.1\n', "a solver says how to train"),
    ("layer { }".encode("utf-16"), "text in UTF-16"),
    (b"nothing of all this", "net.prototxt is none"),
])
def test_a_file_of_the_right_name_that_is_something_else_is_called_by_what_it_is(content, needle, tmp_path):
    small(tmp_path)
    (tmp_path / "net.prototxt").write_bytes(content)
    refused(tmp_path, "net.caffemodel", "MO1024", "net.prototxt is none", needle)


def test_two_networks_or_two_weights_are_one_too_many(tmp_path):
    small(tmp_path)
    for ending in ("prototxt", "caffemodel"):
        (tmp_path / f"other.{ending}").write_bytes((tmp_path / f"net.{ending}").read_bytes())
    refused(tmp_path, "net.prototxt", "MO6019", "--input_proto", options=("-d", tmp_path / "other.prototxt"))
    refused(tmp_path, "net.caffemodel", "MO6019", "--input_weights", options=("-d", tmp_path / "net.prototxt", "--input_weights", tmp_path / "other.caffemodel"))


@pytest.mark.parametrize("name,content,needles", [
    ("net.caffemodel.h5", b"\x89HDF\r\n\x1a\n" + bytes(50) + b"\0data\0" + bytes(50), ("weights as HDF5 are not read", "net.save('net.caffemodel')")),
    ("net_iter_5.solverstate", wire.number(1, 5) + wire.payload(2, "net_iter_5.caffemodel"), ("a solver's state", "give the .caffemodel of the same step")),
])
def test_weights_of_another_kind_beside_a_text_are_called_by_what_they_are(name, content, needles, tmp_path):
    small(tmp_path)
    os.remove(tmp_path / "net.caffemodel")
    (tmp_path / name).write_bytes(content)
    refused(tmp_path, "net.prototxt", "MO1034", name + ": ", *needles)


def test_a_layer_without_tops_leaves_what_it_reads(tmp_path):
    """As those that write files do: their networks end before them."""
    (tmp_path / "net.prototxt").write_text(HEAD + LAYER.format("AbsVal", "") + 'layer { name: "w" type: "MatWrite" bottom: "y" mat_write_param { prefix: "x" } }\n')
    assert run(tmp_path / "net.prototxt", "--output_dir", tmp_path / "out").returncode == 0
    assert 'names="y"' in (tmp_path / "out" / "net.xml").read_text()


def test_the_text_of_its_own_name_comes_first(tmp_path):
    small(tmp_path)
    (tmp_path / "deploy.prototxt").write_text(HEAD + LAYER.format("Mystery", ""))
    (tmp_path / "third.prototxt").write_text(HEAD + LAYER.format("Mystery", ""))
    assert run(tmp_path / "net.caffemodel", "--output_dir", tmp_path / "out").returncode == 0
    for name in ("out/net.xml", "out/net.bin", "deploy.prototxt"):
        os.remove(tmp_path / name)
    os.rmdir(tmp_path / "out")
    os.rename(tmp_path / "net.prototxt", tmp_path / "x.prototxt")
    refused(tmp_path, "net.caffemodel", "MO1025", "x.prototxt", "third.prototxt")


def test_files_that_are_no_models(tmp_path):
    (tmp_path / "solver.prototxt").write_text('net: "net.prototxt"\nbase_lr: 0.1\n')
    refused(tmp_path, "solver.prototxt", "MO1002", "a solver says how to train", "`net`")
    (tmp_path / "net.solverstate").write_bytes(wire.number(1, 9) + wire.payload(2, "net_iter_9.caffemodel") + wire.payload(3, wire.blob(np.ones((2, 3)))))
    refused(tmp_path, "net.solverstate", "MO1002", "a solver's state", ".caffemodel")
    hdf5 = b"\x89HDF\r\n\x1a\n" + bytes(90) + b"\0data\0" + bytes(90)
    (tmp_path / "net.solverstate.h5").write_bytes(hdf5.replace(b"data", b"history\0iter\0learned_net"))
    refused(tmp_path, "net.solverstate.h5", "MO1002", "a solver's state", ".caffemodel")
    (tmp_path / "net.caffemodel.h5").write_bytes(hdf5)
    refused(tmp_path, "net.caffemodel.h5", "weights as HDF5", "net = caffe.Net(", "net.save('net.caffemodel')")
    small(tmp_path)
    refused(tmp_path, "net.prototxt", "weights as HDF5", "net.save(", options=["--input_weights", tmp_path / "net.caffemodel.h5"])


def rewritten(folder, blobs, **more):
    """The network with these blobs of `conv`."""
    net = small(folder)
    net.layers[0] = ("conv", "Convolution", blobs)
    (folder / "net.caffemodel").write_bytes(net.weights(**more))


def test_blobs_that_contradict_the_layer(tmp_path):
    w, b = np.zeros((4, 3, 3, 3)), np.zeros(4)
    rewritten(tmp_path, [w])
    refused(tmp_path, "net.caffemodel", "MO3002", "the layer has 2 blobs, its weights 1", 'node "conv"', "line 3")
    rewritten(tmp_path, [w, b, b])
    refused(tmp_path, "net.caffemodel", "MO3002", "its weights 3: a merged BatchNorm?")
    rewritten(tmp_path, [w[:, :2], b])
    refused(tmp_path, "net.caffemodel", "MO3002")
    rewritten(tmp_path, [w[:3], b])
    refused(tmp_path, "net.caffemodel", "MO3002", "blob 0 is [3, 3, 3, 3], the layer wants [4,")
    rewritten(tmp_path, [w, b[:3]])
    refused(tmp_path, "net.caffemodel", "MO3002", "blob 1 is [3], the layer wants [4]")


def test_a_merged_batch_norm(tmp_path):
    net = caffe.Net()
    net.layer("BatchNorm", net.input("data", (1, 3, 4, 4)), name="bn")
    net.layers[0][2][2:] = [np.zeros(3), np.zeros(3)]
    net.write(tmp_path)
    refused(tmp_path, "net.caffemodel", "MO3002", 'node "bn", BatchNorm', "merged BatchNorm?")


def test_layers_that_the_weights_lack_are_named_at_once(tmp_path):
    net = small(tmp_path)
    net.layers = [("other", "Convolution", net.layers[0][2])]
    (tmp_path / "net.caffemodel").write_bytes(net.weights())
    refused(tmp_path, "net.caffemodel", "MO1034", "conv, fc", "saved with this prototxt")


def test_two_layers_of_one_name_with_weights(tmp_path):
    net = small(tmp_path)
    x = net.input("more", (1, 3, 8, 8))
    net.layer("Convolution", x, name="conv", tops="again", param={"num_output": 4, "kernel_size": 3})
    net.write(tmp_path)
    refused(tmp_path, "net.caffemodel", "MO3009", "two layers with weights are named conv", "line 6")


def test_a_blob_with_other_sizes_than_numbers(tmp_path):
    net = small(tmp_path)
    content = net.weights()
    at = content.index(wire.payload(7, wire.payload(1, bytes([4, 3, 3, 3]))))
    broken = content[:at] + content[at:].replace(bytes([4, 3, 3, 3]), bytes([4, 3, 3, 4]), 1)
    (tmp_path / "net.caffemodel").write_bytes(broken)
    refused(tmp_path, "net.caffemodel", "MO1009", "108 numbers for [4, 3, 3, 4]", "net.caffemodel", "byte ")


def is_answered(folder, text, weights):
    folder.mkdir()
    (folder / "net.prototxt").write_bytes(text)
    (folder / "net.caffemodel").write_bytes(weights)
    result = run(folder / "net.caffemodel", "--output_dir", folder / "out")
    said = (folder.name, result.returncode, result.stdout, result.stderr)
    assert result.returncode in (0, 1), said
    if result.returncode == 0:
        assert len(os.listdir(folder / "out")) == 2, said
        return
    codes = re.findall(r"^\[ ERROR \]  (MO\d{4}) ", result.stderr, re.M)
    assert codes and not any(code.startswith("MO7") for code in codes) and not (folder / "out").exists(), said


@pytest.mark.parametrize("what", ["text", "weights"])
@pytest.mark.parametrize("way", ["truncated", "mutated"])
def test_damage(what, way, tmp_path):
    net = small(tmp_path)
    parts = {"text": net.text().encode(), "weights": net.weights("shape")}
    for seed in range(60):
        rng, content = np.random.default_rng(seed), bytearray(parts[what])
        if way == "truncated":
            del content[int(rng.integers(len(content))):]
        else:
            for _ in range(int(rng.integers(1, 6))):
                at = int(rng.integers(min(len(content), 400) if seed % 2 else len(content)))
                content[at:at + int(rng.integers(1, 4))] = rng.bytes(int(rng.integers(0, 4)))
        is_answered(tmp_path / str(seed), **{**parts, what: bytes(content)})


def test_a_transformations_configuration(tmp_path):
    """J-02: it is for other frameworks."""
    small(tmp_path)
    (tmp_path / "config.json").write_text('[{"id": "x", "match_kind": "general", "custom_attributes": {}}]')
    refused(tmp_path, "net.caffemodel", "MO6054", options=["--transformations_config", tmp_path / "config.json"])


def test_a_placeholder_for_the_size(tmp_path):
    """Programs of such networks set the size of pictures; the hint says how to give it, and that is enough."""
    text = HEAD.replace("8", "1") + LAYER.format("Pooling", "pooling_param { kernel_size: 2 stride: 2 }")
    (tmp_path / "net.prototxt").write_text(text)
    said = refused(tmp_path, "net.prototxt", "MO3002", "--input data --input_shape [1,3,?,?]")
    options = re.search(r"--input data --input_shape \S+\]", said)[0].split()
    assert run(tmp_path / "net.prototxt", "--output_dir", tmp_path / "out", *options).returncode == 0


EXTREME = ["0", "-1", "-3", "65536", "2147483647", "99999999999", "1e30", "nan"]


@pytest.mark.parametrize("case", networks.LAYERS, ids=[case[0] for case in networks.LAYERS])
def test_extreme_numbers(case, tmp_path):
    """Each number of the layer is another one."""
    net = caffe.Net(seed=3)
    networks.fill_layer(net, *case[1:])
    text, weights = net.text(), net.weights()
    last = text.rstrip().rindex("\n")
    spots = [one.span() for one in re.finditer(r"(?<=: )-?[0-9.]+", text) if one.start() > last]
    for i, (begin, end) in enumerate(spots[:4]):
        other = EXTREME[(len(case[0]) + i) % len(EXTREME)]
        is_answered(tmp_path / str(i), (text[:begin] + other + text[end:]).encode(), weights)


SKELETON = wire.varint(15001 << 3 | 5) + np.float32(0.5).tobytes()


def sized(*dims, more=SKELETON):
    return wire.payload(7, wire.payload(1, b"".join(wire.varint(dim) for dim in dims))) + more


def weights_of(name, *blobs):
    return wire.payload(1, "net") + wire.payload(100, wire.payload(1, name) + wire.payload(2, "Any") + b"".join(wire.payload(7, blob) for blob in blobs))


def test_blobs_of_skeletons(tmp_path):
    """One number for all: the rest of the file says nothing else, or it is refused."""
    small(tmp_path)
    last = weights_of("fc", sized(5, 144), sized(5))[5:]
    layers = weights_of("conv", sized(4, 3, 3, 3), sized(4)) + last
    (tmp_path / "net.caffemodel").write_bytes(layers)
    assert run(tmp_path / "net.caffemodel", "--output_dir", tmp_path / "good", "--compress_to_fp16=False").returncode == 0
    numbers = np.fromfile(tmp_path / "good" / "net.bin", np.float32)
    assert (numbers == 0.5).sum() == 108 + 4 + 720 + 5
    for blob, needle in [(sized(4, 3, 3, 4), "the layer wants"), (SKELETON, "MO3002"), (sized(1 << 31, 1 << 31, 1 << 31), "MO1010"),
                         (sized(1 << 40), "the layer wants"), (sized(4, 3, 3, 3, more=SKELETON + wire.payload(5, bytes(4))), "1 numbers for [4, 3, 3, 3]")]:
        (tmp_path / "net.caffemodel").write_bytes(weights_of("conv", blob, sized(4)) + last)
        refused(tmp_path, "net.caffemodel", needle)


def test_blobs_of_skeletons_as_large_as_they_say(tmp_path):
    """Nothing is held for each number."""
    net = caffe.Net()
    net.layer("BatchNorm", net.input("data", (1, 3, 4, 4)), name="bn")
    net.write(tmp_path)
    (tmp_path / "net.caffemodel").write_bytes(weights_of("bn", sized(1 << 40), sized(1 << 40), sized(1)))
    refused(tmp_path, "net.caffemodel", "MO3002")
