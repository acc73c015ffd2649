#!/usr/bin/env python3
"""Run a converter over ONNX backend-test cases and judge its IR with a real runtime.

For every case: convert model.onnx to IR, read the IR with the OpenVINO runtime,
infer on the case's recorded inputs, compare with the case's recorded outputs.
Two more things are judged: the names of the model's inputs and outputs must survive
(name-lost; an input that no output depends on may be gone), and the dimensions written in the .xml must agree with those that the
runtime infers for itself (shape-lie).

A case is a folder with model.onnx and test_data_set_*/{input,output}_*.pb, the
layout of the ONNX backend tests.  Cases whose inputs or outputs are not tensors
(sequences, optionals) are counted apart: IR cannot express them.

    conform.py --converter './mo {model} --output_dir {out} --model_name m' [SUITE ...]
    conform.py --converter ovc            # the reference converter, in this process
    conform.py … --passing FILE           # and fail if a case that FILE lists does not pass; --update rewrites FILE
    conform.py … --failing FILE --runtimes FILE    # of a whole run: what does not pass and why, and the lowest runtime for
                                                   # each operator (runtimes.py); fails when it is another, or --update

SUITE is a folder of cases or one case; the default is the suites of the installed
onnx package.  Needs: pip install openvino onnx numpy.
"""
import argparse, collections, glob, json, multiprocessing as mp, os, queue, re, shlex, subprocess, sys, tempfile, threading, time

import kept_results

STATUSES = ("pass", "mismatch", "name-lost", "shape-lie", "infer-error", "read-error", "convert-error", "crash", "timeout", "no-tensor")


def default_suites():
    import onnx.backend.test
    root = os.path.join(os.path.dirname(onnx.backend.test.__file__), "data")
    return [os.path.join(root, d) for d in ("node", "simple", "pytorch-converted", "pytorch-operator")]


def cases(suites, pattern):
    for s in suites:
        dirs = [s] if os.path.exists(os.path.join(s, "model.onnx")) else sorted(glob.glob(os.path.join(s, "*")))
        for d in dirs:
            name = os.path.basename(os.path.dirname(d)) + "/" + os.path.basename(d)
            if os.path.exists(os.path.join(d, "model.onnx")) and re.search(pattern, name):
                yield name, d


def load_tensor(path):
    import onnx
    from onnx import numpy_helper
    t = onnx.TensorProto()
    with open(path, "rb") as f:
        t.ParseFromString(f.read())
    if not t.data_type and not t.dims:
        raise TypeError("not a tensor")
    return numpy_helper.to_array(t)


def convert(converter, model, out, limit):
    """Return (xml path, error text)."""
    xml = os.path.join(out, "m.xml")
    if converter == "ovc":
        import openvino as ov
        try:
            ov.save_model(ov.convert_model(model), xml, compress_to_fp16=False)
        except Exception as e:  # the reference's own error is its verdict
            return None, str(e).strip().splitlines()[-1][:300] if str(e).strip() else repr(e)
        return xml, ""
    cmd = [a.format(model=model, out=out) for a in shlex.split(converter)]
    p = subprocess.run(cmd, capture_output=True, text=True, timeout=limit, errors="replace")
    if p.returncode < 0:
        return None, f"SIGNAL {-p.returncode}"
    if p.returncode or not os.path.exists(xml):
        return None, (p.stderr or p.stdout).strip()[:2000]  # reason() takes the first message
    return xml, ""


# numpy (ml_dtypes) name -> (runtime type, bits an element); the runtime's own binding does not know these arrays
SMALL = {"bfloat16": ("bf16", 16), "float8_e4m3fn": ("f8e4m3", 8), "float8_e5m2": ("f8e5m2", 8), "float8_e8m0fnu": ("f8e8m0", 8),
         "float4_e2m1fn": ("f4e2m1", 4), "int4": ("i4", 4), "uint4": ("u4", 4), "int2": ("i2", 2), "uint2": ("u2", 2)}


def pack(codes, bits):
    """Element codes (uint8) to bytes, the first element in the low bits."""
    import numpy as np
    per = 8 // bits
    codes = np.concatenate([codes.ravel(), np.zeros(-codes.size % per, np.uint8)]).reshape(-1, per)
    return sum(((codes[:, i] & ((1 << bits) - 1)) << (bits * i)).astype(np.uint8) for i in range(per)).astype(np.uint8)


def to_runtime(array):
    import numpy as np, openvino as ov
    if array.dtype.kind in "OSU":
        return ov.Tensor(array.astype(str))
    if array.dtype.name not in SMALL:
        return ov.Tensor(np.array(array, order="C"))
    kind, bits = SMALL[array.dtype.name]
    t = ov.Tensor(getattr(ov.Type, kind), list(array.shape))
    raw = np.array(array, order="C").view(np.uint16 if bits == 16 else np.uint8)
    raw = pack(raw, bits) if bits < 8 else raw
    t.data.reshape(-1).view(np.uint8)[:raw.nbytes] = raw.reshape(-1).view(np.uint8)
    return t


def from_runtime(tensor):
    import numpy as np, ml_dtypes, openvino as ov
    if tensor.element_type == ov.Type.string:
        return tensor.str_data
    for name, (kind, bits) in SMALL.items():
        if hasattr(ov.Type, kind) and tensor.element_type == getattr(ov.Type, kind):
            raw = tensor.data.reshape(-1).view(np.uint8)
            if bits < 8:
                raw = np.stack([(raw >> (bits * i)) & ((1 << bits) - 1) for i in range(8 // bits)], 1).reshape(-1)
                raw = raw[:int(np.prod(tensor.shape))]
                if kind.startswith("i"):
                    return ((raw.astype(np.int8) << (8 - bits)) >> (8 - bits)).reshape(tensor.shape)
                if kind.startswith("u"):
                    return raw.reshape(tensor.shape)
            return raw.view(np.dtype(getattr(ml_dtypes, name))).reshape(tensor.shape)
    return tensor.data


def compare(got, want):
    import numpy as np
    if list(got.shape) != list(want.shape) and got.size != want.size:
        return f"shape {list(got.shape)} != {list(want.shape)}"
    got = got.reshape(want.shape)
    if want.dtype.kind in "OSU":
        return "" if (got.astype(str) == want.astype(str)).all() else "strings differ"
    if want.dtype.kind == "b" or got.dtype.kind == "b":
        return "" if (got.astype(bool) == want.astype(bool)).all() else "booleans differ"
    a, b = got.astype(np.float64), want.astype(np.float64)
    rtol, atol = (1e-2, 1e-3) if want.dtype.itemsize < 4 and want.dtype.kind not in "iub" else (1e-3, 1e-5)
    if np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True):
        return ""
    with np.errstate(all="ignore"):
        return f"max |diff| {np.nanmax(np.abs(a - b)):.3g}"


def boundary_names(path):
    import onnx
    g = onnx.load(path, load_external_data=False).graph
    held = {t.name for t in g.initializer}
    return [i.name for i in g.input if i.name not in held], [o.name for o in g.output]


def lost_name(model, ins, outs):
    have = [name for p in model.inputs for name in p.get_names()]
    if any(not p.get_names() & set(ins) for p in model.inputs):
        return next((name for name in ins if name not in have), "an input has no name")
    have = [name for p in model.outputs for name in p.get_names()]
    return next((name for name in outs if name and name not in have), "")


def feed(compiled, request, names, arrays):
    """Sets the inputs: by name where the names survived, else by position."""
    ports = {name: p for p in compiled.inputs for name in p.get_names()}
    if all(p.get_names() & set(names) for p in compiled.inputs):
        pairs = [(ports[n], a) for n, a in zip(names, arrays) if n in ports]
    else:
        pairs = list(zip(compiled.inputs, arrays))
    for port, array in pairs:
        request.set_tensor(port, to_runtime(array))


def shape_lie(xml, model):
    """The first layer whose written dimensions contradict the runtime's own inference."""
    import xml.etree.ElementTree as ET
    layers = ET.parse(xml).getroot().find("layers")
    names = collections.Counter(l.get("name") for l in layers)
    ops = {op.get_friendly_name(): op for op in model.get_ops()}
    for layer in layers:
        op = ops.get(layer.get("name"))
        if op is None or names[layer.get("name")] > 1 or layer.find("output") is None:
            continue
        for i, port in enumerate(layer.find("output")):
            shape = op.get_output_partial_shape(i)
            dims = [int(d.text) for d in port.findall("dim")]
            if shape.rank.is_dynamic or not dims:
                continue
            if len(dims) != shape.rank.get_length() or any(
                    d >= 0 and s.is_static and d != s.get_length() for d, s in zip(dims, shape)):
                return f"{layer.get('type')} {layer.get('name')}: wrote {dims}, is {shape}"
    return ""


class Stopped(Exception):
    """(status, why)"""


def judge(converter, directory, limit, lowest):
    """(status, why). For a case that passes, `why` is what `lowest` gives for its IR, (release, what needs it), or "" without `lowest`."""
    import openvino as ov
    core = ov.Core()
    sets = []
    for ds in sorted(glob.glob(os.path.join(directory, "test_data_set_*"))):
        count = lambda kind: len(glob.glob(os.path.join(ds, kind + "_*.pb")))
        try:
            sets.append([[load_tensor(os.path.join(ds, f"{k}_{i}.pb")) for i in range(count(k))] for k in ("input", "output")])
        except Exception:
            return "no-tensor", ""
    with tempfile.TemporaryDirectory() as out:
        try:
            xml, err = convert(converter, os.path.join(directory, "model.onnx"), out, limit)
        except subprocess.TimeoutExpired:
            return "timeout", ""
        if not xml:
            return ("crash" if err.startswith("SIGNAL") else "convert-error"), err
        names = boundary_names(os.path.join(directory, "model.onnx"))

        def compute():
            try:
                compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
            except Exception as e:
                raise Stopped("read-error", str(e)[-300:]) from None
            try:
                found = []
                for ins, _ in sets:
                    req = compiled.create_infer_request()
                    feed(compiled, req, names[0], ins)
                    req.infer()
                    found.append([from_runtime(req.get_tensor(p)).copy() for p in compiled.outputs])
                return found
            except Exception as e:
                raise Stopped("infer-error", str(e)[-300:]) from None
        try:
            model = kept_results.read(core, xml)
        except Exception as e:
            return "read-error", str(e)[-300:]
        try:
            found = kept_results.results(kept_results.content_of(model), f"conformance {names[0]}", [{str(i): array for i, array in enumerate(ins)} for ins, _ in sets], compute)
        except Stopped as stopped:
            return stopped.args
        lie, lost = shape_lie(xml, model), lost_name(model, *names)
        for (_, outs), got in zip(sets, found):
            if len(got) < len(outs):
                return "mismatch", f"{len(got)} outputs, want {len(outs)}"
            for i, (g, w) in enumerate(zip(got, outs)):
                why = compare(g, w)
                if why:
                    return "mismatch", f"output {i}: {why}"
        if lie or lost:
            return ("shape-lie", lie) if lie else ("name-lost", lost)
        return "pass", lowest(xml) if lowest else ""


def worker(conn, converter, limit, with_runtimes):
    lowest = None
    if with_runtimes:
        import runtimes
        lowest = runtimes.Runtimes().lowest
    while True:
        item = conn.recv()
        if item is None:
            return
        try:
            conn.send(judge(converter, item, limit, lowest))
        except Exception as e:
            conn.send(("infer-error", repr(e)[-300:]))


class Lane:
    """One judging process, replaced when the runtime under it crashes or hangs."""
    def __init__(self, converter, limit, with_runtimes):
        self.args = (converter, limit, with_runtimes)
        self.start()

    def start(self):
        self.conn, child = mp.Pipe()
        self.proc = mp.Process(target=worker, args=(child, *self.args), daemon=False)
        self.proc.start()
        child.close()

    def run(self, directory, limit):
        self.conn.send(directory)
        try:
            if self.conn.poll(limit):
                return self.conn.recv()
            verdict = ("timeout", "")
        except EOFError:
            verdict = ("crash", f"exit {self.proc.exitcode}")
        self.proc.kill(); self.proc.join(); self.start()
        return verdict


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("suites", nargs="*")
    ap.add_argument("--converter", required=True, help="'ovc', or a command with {model} and {out} that writes {out}/m.xml and m.bin")
    ap.add_argument("--filter", default="", help="only cases whose suite/name matches this regular expression")
    ap.add_argument("--jobs", type=int, default=os.cpu_count())
    ap.add_argument("--limit", type=float, default=60, help="seconds for one case")
    ap.add_argument("--json", help="write every verdict here")
    ap.add_argument("--passing", help="a list of cases, one a line; exit 1 if one of them does not pass")
    ap.add_argument("--failing", help="what does not pass and why, one case a line; only of a run without --filter")
    ap.add_argument("--runtimes", help="the lowest runtime for each operator; only of a run without --filter")
    ap.add_argument("--update", action="store_true", help="rewrite the lists from this run")
    ap.add_argument("--show", default="", help="statuses to list, separated by commas")
    a = ap.parse_args()
    if a.passing and not a.update and not os.path.exists(a.passing):
        ap.error(f"{a.passing} does not exist")
    todo = list(cases(a.suites or default_suites(), a.filter))
    if not todo:
        ap.error("there is no such case")
    started, results = time.time(), {}
    q = queue.Queue()
    for t in todo:
        q.put(t)

    def drive():
        lane = Lane(a.converter, a.limit, bool(a.runtimes))
        while True:
            try:
                name, d = q.get_nowait()
            except queue.Empty:
                break
            results[name] = lane.run(d, a.limit + 10)
            if sys.stderr.isatty():
                print(f"\r{len(results)}/{len(todo)}", end="", file=sys.stderr)
        lane.conn.send(None)

    threads = [threading.Thread(target=drive) for _ in range(a.jobs)]
    [t.start() for t in threads]; [t.join() for t in threads]
    tally = collections.Counter(v[0] for v in results.values())
    shown = [s for s in a.show.split(",") if s]
    for name in sorted(results):
        if results[name][0] in shown:
            print(f"{results[name][0]:14} {name}  {results[name][1]!r}"[:260])
    if a.json:
        with open(a.json, "w") as f:
            json.dump(results, f, indent=0, sort_keys=True)
    judged = len(results) - tally["no-tensor"]
    print(", ".join(f"{s} {tally[s]}" for s in STATUSES if tally[s]))
    print(f"{tally['pass']} of {judged} judged cases pass, {time.time() - started:.0f} s")
    held = not a.passing or hold(a.passing, results, a.filter, a.update)
    if a.failing and not a.filter:
        held &= hold_failing(a.failing, results, a.update)
    if a.runtimes and not a.filter:
        import runtimes
        found = [(name, runtimes.operators(os.path.join(d, "model.onnx")), results[name][1])
                 for name, d in todo if results[name][0] == "pass"]
        held &= runtimes.hold(a.runtimes, found, a.update)
    return 0 if held else 1


def reason(status, text):
    """What stays the same from run to run: the first message's text without place and hint."""
    message = re.match(r"\[ ERROR \]\s+(.*?) \((?:node|tensor|file) ", text)
    return message.group(1) if message else "" if status in ("mismatch", "no-tensor") else text.splitlines()[0] if text else ""


def hold_failing(path, results, update):
    """Whether each case that does not pass is listed with its reason."""
    rows = [f"{name}\t{status}\t{reason(status, text)}\n" for name, (status, text) in sorted(results.items()) if status != "pass"]
    if update:
        with open(path, "w") as f:
            f.writelines(rows)
    with open(path) as f:
        new = sorted(set(rows) - set(f))
    for row in new:
        print("  not in", path, row.split("\t"))
    return not new


def hold(path, results, pattern, update):
    """Compare with the list of cases that have to pass, among those that were asked for."""
    listed = set()
    if os.path.exists(path):
        with open(path) as f:
            listed = set(f.read().split())
    passing = {name for name, verdict in results.items() if verdict[0] == "pass"}
    wanted = {name for name in listed if re.search(pattern, name)}
    lost, won = sorted(wanted - passing), sorted(passing - wanted)
    for name in lost:
        print("  lost", name, *results.get(name, ["no such case"]))
    if won:
        print(f"{len(won)} more pass than are listed" + ("" if update else "; --update lists them"))
    if update:
        with open(path, "w") as f:
            f.writelines(name + "\n" for name in sorted(listed - wanted | passing))
        return True
    print(f"{len(wanted) - len(lost)} passed, {len(lost)} failed")
    return not lost


if __name__ == "__main__":
    sys.exit(main())
