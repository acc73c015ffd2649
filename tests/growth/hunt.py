import os, sys, time, json, shutil
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import onnx_graphs, onnx_seeds, measure
MO = os.environ.get("MO", os.path.join(onnx_seeds.ROOT, "build/native/mo"))
FOLDER = os.environ.get("GROWTH_TMP", "/tmp/h2-growth")
SMALL, STEPS = int(os.environ.get("SMALL", 1000)), int(os.environ.get("STEPS", 3))
os.makedirs(FOLDER, exist_ok=True)
def convert(data, options, limit=20):
    path = os.path.join(FOLDER, "model.onnx")
    with open(path, "wb") as f: f.write(data)
    cost = measure.run([MO, path, "--output_dir", FOLDER, "--compress_to_fp16=False", *options], limit)
    return cost
KINDS = ["chain", "copies", "diamonds", "joined", "collected", "spread"]
def makers(seed, options):
    link = None
    for candidate in seed.links()[:4]:
        c = convert(onnx_graphs.chain(seed, 3, candidate), options)
        if c.code == 0: link = candidate; break
    if link:
        yield "chain", lambda n: onnx_graphs.chain(seed, n, link)
        if onnx_graphs.diamonds(seed, 2, link): yield "diamonds", lambda n: onnx_graphs.diamonds(seed, n, link)
    for kind in ("copies", "joined", "collected", "spread"):
        f = getattr(onnx_graphs, kind)
        if f(seed, 2): yield kind, lambda n, f=f: f(seed, n)
def hunt(seed, out):
    options = getattr(seed, "options", [])
    for kind, make in makers(seed, options):
        first = convert(make(2), options)
        if first.code != 0 and kind != "copies": continue
        n = max(50, SMALL // len(seed.model.graph.node)); rows = []
        for step in range(STEPS):
            c = convert(make(n), options)
            if c.seconds < 1.0:
                again = convert(make(n), options)
                if again.seconds < c.seconds: c = again
            rows.append((n, c.seconds, c.megabytes, c.code))
            if c.code < 0 or c.seconds > 6: break
            n *= 4
        t0, m0 = first.seconds, first.megabytes
        ratio = max(((b[1] - t0) / max(a[1] - t0, .01) for a, b in zip(rows, rows[1:])), default=0)
        memory = max(((b[2] - m0) / max(a[2] - m0, 3) for a, b in zip(rows, rows[1:])), default=0)
        print(json.dumps({"seed": seed.name, "kind": kind, "ratio": round(ratio, 1), "memory": round(memory, 1), "nodes": len(seed.model.graph.node), "rows": [(a, round(b, 2), round(m), code) for a, b, m, code in rows], "said": first.said[:100] if first.code else ""}), file=out, flush=True)
if __name__ == "__main__":
    import re
    which, pattern = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "."
    for seed in getattr(onnx_seeds, which)():
        if not re.search(pattern, seed.name): continue
        try: hunt(seed, sys.stdout)
        except Exception as e: print(json.dumps({"seed": seed.name, "error": repr(e)}), flush=True)
