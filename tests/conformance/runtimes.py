"""The lowest OpenVINO runtime for each version of each operator, determined by reading IRs.

Every model that is converted here gives the release that its IR needs: "2023.3" where that runtime (.venv-2023) does read it, else
what core/ir/runtimes.def says of the IR's operations and types. The release counts for all operators of the model. For each
operator only the models with the fewest nodes count; as a rule these have one node.

runtimes.txt: domain, operator, version, nodes of the model, release, what asks for it, an example.
"""
import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
OLDEST = "2023.3"
READER = """
import sys, openvino
core = openvino.Core()
for path in sys.stdin:
    try:
        core.read_model(path.strip())
        print("read", flush=True)
    except Exception:
        print("not read", flush=True)
"""


def table():
    """What runtimes.def lists: (IR operation, opset) or precision of a port → release."""
    def rows(path, pattern):
        with open(os.path.join(ROOT, "core", path)) as file:
            return re.findall(pattern, file.read(), re.MULTILINE)

    precision = dict(rows("base/element_type.def", r'^MO_TYPE\((\w+), +"\w+", +"(\w*)"'))
    releases = {(op, opset): release for op, opset, release in rows("ir/runtimes.def", r'^MO_RUNTIME_OP\((\w+), (\w+), "([\d.]+)"\)')}
    return releases | {precision[kind]: release for kind, release in rows("ir/runtimes.def", r'^MO_RUNTIME_TYPE\((\w+), "([\d.]+)"\)')}


class Runtimes:
    """Finds the lowest release for an IR; holds a process of the oldest runtime."""

    def __init__(self):
        self.releases = table()
        python = os.path.join(ROOT, ".venv-2023", "bin", "python")
        self.oldest = subprocess.Popen([python, "-c", READER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def oldest_reads(self, xml):
        self.oldest.stdin.write(xml + "\n")
        self.oldest.stdin.flush()
        return self.oldest.stdout.readline().strip() == "read"

    def lowest(self, xml):
        """(release, what needs it). The release is that of this environment if the table does not say why the oldest runtime fails."""
        import openvino
        with open(xml, encoding="utf-8") as file:
            text = file.read()
        asked = {key: f"{key[0]}-{key[1][5:]}" for key in re.findall(r'type="(\w+)" version="(\w+)"', text)}
        asked |= {kind: kind for kind in re.findall(r'precision="(\w+)"', text)}
        needs = {what: self.releases[key] for key, what in asked.items() if key in self.releases}
        reads = self.oldest_reads(xml)
        if reads:
            return OLDEST, []
        release = max(needs.values(), default=".".join(openvino.__version__.split(".")[:2]))
        return release, sorted(what for what, need in needs.items() if need == release)


def nodes(graph):
    """The nodes of a graph and of its bodies."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for body in [attribute.g, *attribute.graphs]:
                yield from nodes(body)


def domain_of(name):
    return "" if name == "ai.onnx" else name


def operator(model, node):
    """(domain, name, version) of a node: the version that the model's operator set uses, 1 outside of ONNX."""
    import onnx
    domain = domain_of(node.domain)
    opset = {domain_of(o.domain): o.version for o in model.opset_import}.get(domain, 1)
    try:
        return domain, node.op_type, onnx.defs.get_schema(node.op_type, opset, domain).since_version
    except onnx.defs.SchemaError:
        return domain, node.op_type, 1


def operators(path):
    """The operators of a model and the number of its nodes. Functions of the model are not counted as operators."""
    import onnx
    model = onnx.load(path, load_external_data=False)
    own = {(domain_of(f.domain), f.name) for f in model.functions}
    # A model of one node is about that node; its bodies are its arguments.
    all_nodes = list(model.graph.node) if len(model.graph.node) == 1 else list(nodes(model.graph))
    return {operator(model, n) for n in all_nodes if (domain_of(n.domain), n.op_type) not in own}, len(all_nodes)


def rows(found):
    """The lines of runtimes.txt from (example, operators(model), (release, needs))."""
    fewest, examples = {}, collections.defaultdict(dict)
    for example, (keys, size), (release, needs) in sorted(found, key=lambda f: f[0]):
        for key in keys:
            if size < fewest.get(key, size + 1):
                fewest[key] = size
                examples[key] = {}
            if size == fewest[key]:
                examples[key].setdefault((release, " ".join(needs)), example)
    return ["\t".join([domain or "ai.onnx", name, str(version), str(fewest[key]), release, needs, example])
            for key in sorted(examples) for domain, name, version in [key]
            for (release, needs), example in sorted(examples[key].items())]


def hold(path, found, update):
    """Whether `path` says what was found; rewrites it first when `update`."""
    text = "".join(row + "\n" for row in rows(found))
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    was = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            was = file.read()
    if was != text:
        changed = sorted(set(was.splitlines()) ^ set(text.splitlines()))
        print(f"{os.path.relpath(path, ROOT)} is not current in {len(changed)} rows, the first: {changed[0]!r}", file=sys.stderr)
    return was == text
