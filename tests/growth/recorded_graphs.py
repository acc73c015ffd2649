"""Recorded models of one operation of MXNet, PaddlePaddle, PaddlePaddle 3 and PyTorch, repeated as onnx_graphs.py repeats ONNX's.

Inputs and parameters are shared by the repetitions; what operations make is made again by each.
"""
import copy
import json
import os
import re
import sys

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TESTS, folder) for folder in ("mxnet", "paddle", "paddle3", "pytorch")]
import array_list  # noqa: E402
import kept  # noqa: E402
import pir  # noqa: E402
import program  # noqa: E402
import stored  # noqa: E402
import stored_mxnet  # noqa: E402
import stored_torch  # noqa: E402

LARGEST = 100


class Seed:
    """`beside`: files of parameters, by the end of their names. `repeated(n, link)`: n repetitions; with a link (output, input) each reads what the one
    before made, else all outputs are results."""

    options = []

    def __init__(self, case):
        self.case, self.name = case, case.name

    @property
    def beside(self):
        return {}

    def links(self):
        """Equal shapes; a wrong type is refused, and then no chain is made."""
        about = self.case.about
        return [(out, into) for out, shape in zip(about["outputs"], about["out_shapes"]) for into, other in zip(about["inputs"], about["in_shapes"]) if shape == other and self.makes(out)]

    def makes(self, output):
        return True

    def chain(self, n, link):
        return self.repeated(n, link)

    def copies(self, n):
        return self.repeated(n)


class Symbol(Seed):
    suffix = "-symbol.json"

    def __init__(self, case):
        super().__init__(case)
        self.symbol = json.loads(case.model)
        nodes = self.symbol["nodes"]
        self.shared = {at: place for place, at in enumerate(at for at, node in enumerate(nodes) if node["op"] == "null")}
        self.own = [at for at in range(len(nodes)) if at not in self.shared]
        self.place = {at: place for place, at in enumerate(self.own)}
        self.ops, self.size = {nodes[at]["op"] for at in self.own}, max(len(self.own), 1)
        self.options = case.about["options"]
        self.heads = dict(zip(case.about["outputs"], self.symbol["heads"]))

    @property
    def beside(self):
        return {"-0000.params": array_list.written(self.case.named(), self.case.about["version"], {})} if self.case.about["parameters"] else {}

    def makes(self, output):
        return output in self.heads and self.heads[output][0] in self.place

    def repeated(self, n, link=None):
        nodes = self.symbol["nodes"]
        made = [nodes[at] for at in self.shared]
        into = next((at for at in self.shared if link and nodes[at]["name"] == link[1]), None)

        def entry(k, reference):
            at, *rest = reference
            if k and at == into:
                return entry(k - 1, self.heads[link[0]])
            return [self.shared[at] if at in self.shared else len(self.shared) + k * len(self.own) + self.place[at], *rest]

        for k in range(n):
            made += [{**nodes[at], "name": f"{nodes[at]['name']}_{k}", "inputs": [entry(k, one) for one in nodes[at]["inputs"]]} for at in self.own]
        heads = [entry(n - 1, self.heads[link[0]])] if link else [entry(k, head) for k in range(n) for head in self.symbol["heads"]]
        rest = {key: value for key, value in self.symbol.items() if key != "node_row_ptr"}
        return json.dumps({**rest, "nodes": made, "arg_nodes": list(range(len(self.shared))), "heads": heads}).encode()


class WithParameters(Seed):
    @property
    def beside(self):
        return {".pdiparams": program.combined(self.case.parameters)} if self.case.about["parameters"] else {}


class Program(WithParameters):
    """Other blocks than the first are repeated with the operations that name them."""
    suffix = ".pdmodel"

    def __init__(self, case):
        super().__init__(case)
        self.program = program.parse(case.model)
        blocks = self.program["blocks"]
        self.own = {var["name"] for block in blocks for var in block.get("vars", [])} - program.parameters_of(self.program).keys() - {*case.about["inputs"], "feed", "fetch"}
        self.body = [op for op in blocks[0].get("ops", []) if op["type"] not in ("feed", "fetch")]
        self.feeds = [op for op in blocks[0].get("ops", []) if op["type"] == "feed"]
        self.fetches = [op for op in blocks[0].get("ops", []) if op["type"] == "fetch"]
        self.ops, self.size = {op["type"] for block in blocks for op in block.get("ops", [])}, max(sum(len(block.get("ops", [])) for block in blocks), 1)

    def makes(self, output):
        return output in self.own

    def op(self, op, name, first):
        sides = {side: [{**slot, "arguments": [name(one) for one in slot["arguments"]]} if "arguments" in slot else slot for slot in op[side]] for side in ("inputs", "outputs") if side in op}
        attrs = []
        for attr in op.get("attrs", []):
            if attr.get("block_idx"):
                attr = {**attr, "block_idx": attr["block_idx"] + first}
            if attr.get("blocks_idx"):
                attr = {**attr, "blocks_idx": [at + first for at in attr["blocks_idx"]]}
            attrs.append(attr)
        return {**op, **sides, **({"attrs": attrs} if attrs else {})}

    def repeated(self, n, link=None):
        top, *others = self.program["blocks"]
        variables = [var for var in top.get("vars", []) if var["name"] not in self.own]
        ops, blocks, fetches = list(self.feeds), [], []
        for k in range(n):
            def name(one, k=k):
                if link and k and one == link[1]:
                    return f"{link[0]}_{k - 1}"
                return f"{one}_{k}" if one in self.own else one
            first = k * len(others)
            variables += [{**var, "name": name(var["name"])} for var in top.get("vars", []) if var["name"] in self.own]
            ops += [self.op(op, name, first) for op in self.body]
            for block in others:
                parent = block.get("parent_idx", 0)
                blocks.append({**block, "idx": block["idx"] + first, "parent_idx": parent + first if parent > 0 else parent,
                               "vars": [{**var, "name": name(var["name"])} for var in block.get("vars", [])], "ops": [self.op(op, name, first) for op in block.get("ops", [])]})
            if not link or k == n - 1:
                fetches += [self.op(op, name, first) for op in self.fetches]
        for col, op in enumerate(fetches):
            op["attrs"] = [{**attr, "i": col} if attr["name"] == "col" else attr for attr in op.get("attrs", [])]
        return program.serialise({**self.program, "blocks": [{**top, "vars": variables, "ops": ops + fetches}, *blocks]})


class Pir(WithParameters):
    suffix = ".json"
    NUMBER = re.compile(r'"([%#])": (-?\d+)')  # "#" has those of what a region is given, which are below zero

    def __init__(self, case):
        super().__init__(case)
        self.program = json.loads(case.model)
        ops = pir.first_block(self.program)
        self.shared = [op for op in ops if op["#"] in ("p", "1.data")]
        self.body = [op for op in ops if op["#"] not in ("p", "1.data", "1.fetch")]
        self.fetches = [op for op in ops if op["#"] == "1.fetch"]
        self.ops, self.size = {op["#"] for op in pir.every(self.body)}, max(len(list(pir.every(self.body))), 1)
        self.fixed = {str(result["%"]) for op in self.shared for result in pir.results(op)} | {"0"}
        self.inputs = {pir.attributes(op)["name"]: str(pir.results(op)[0]["%"]) for op in self.shared if op["#"] == "1.data"}
        self.made = {pir.attributes(op)["name"]: str(op["I"][0]["%"]) for op in self.fetches}
        self.text = json.dumps(self.body)[1:-1]
        self.most = 1 + max((abs(int(one)) for _, one in self.NUMBER.findall(json.dumps(ops))), default=0)

    def makes(self, output):
        return self.made.get(output, "0") not in self.fixed

    def repeated(self, n, link=None):
        parts = [json.dumps(self.shared)[1:-1]] if self.shared else []
        column = 0
        for k in range(n):
            def number(found, k=k):
                mark, one = found.groups()
                if link and k and one == self.inputs[link[1]]:
                    return f'"%": {int(self.made[link[0]]) + (k - 1) * self.most}'
                if one in self.fixed:
                    return found[0]
                return f'"{mark}": {int(one) + (k if int(one) > 0 else -k) * self.most}'
            parts.append(self.NUMBER.sub(number, self.text))
            for op in self.fetches if not link or k == n - 1 else []:
                op = copy.deepcopy(op)
                for attribute in op["A"]:
                    attribute["AT"]["D"] = column if attribute["N"] == "col" else f"fetch_name_{column}"
                parts.append(self.NUMBER.sub(number, json.dumps(op)))
                column += 1
        mark = "every operation"
        whole = copy.deepcopy(self.program)
        whole["program"]["regions"][0]["blocks"][0]["ops"] = mark
        return json.dumps(whole).replace(f'"{mark}"', f"[{', '.join(parts)}]").encode()


class Exported(Seed):
    suffix = ".pt2"
    VALUES = ("tensor_values", "sym_int_values", "sym_bool_values", "sym_float_values", "custom_obj_values")

    def __init__(self, case):
        super().__init__(case)
        self.parts = json.loads(case.model)
        module = self.parts["program"]["graph_module"]
        self.graph, self.signature = module["graph"], module["signature"]
        self.own = {name for node in self.graph["nodes"] for output in node["outputs"] for name in self.named(output)}
        self.ops, self.size = {node["target"] for node in self.graph["nodes"]}, max(len(self.graph["nodes"]), 1)

    def named(self, value):
        """The names of values in an argument, without those of graphs in it."""
        if isinstance(value, list):
            return [name for one in value for name in self.named(one)]
        if not isinstance(value, dict):
            return []
        own = [value[key] for key in ("name", "as_name") if isinstance(value.get(key), str)]
        return own + [name for key, one in value.items() if key not in ("as_graph", "as_string") for name in self.named(one)]

    def renamed(self, value, name):
        if isinstance(value, list):
            return [self.renamed(one, name) for one in value]
        if not isinstance(value, dict):
            return value
        return {key: one if key in ("as_graph", "as_string") else name(one) if key in ("name", "as_name") and isinstance(one, str) else self.renamed(one, name) for key, one in value.items()}

    def results(self):
        return [spec for spec in self.signature["output_specs"] if "user_output" in spec]

    def links(self):
        tensors = self.graph["tensor_values"]
        inputs = [name for spec in self.signature["input_specs"] if "user_input" in spec for name in self.named(spec)]
        outputs = [name for spec in self.results() for name in self.named(spec) if name in self.own]
        alike = lambda one, other: all(tensors[one][key] == tensors[other][key] for key in ("dtype", "sizes"))
        return [(out, into) for out in outputs for into in inputs if out in tensors and into in tensors and alike(out, into)]

    def repeated(self, n, link=None):
        nodes, outputs, values = [], [], {key: dict(self.graph.get(key, {})) for key in self.VALUES}
        specs = [spec for spec in self.signature["output_specs"] if "user_output" not in spec and not any(name in self.own for name in self.named(spec))]
        for k in range(n):
            def name(one, k=k):
                if link and k and one == link[1]:
                    return f"{link[0]}_of_{k - 1}"
                return f"{one}_of_{k}" if one in self.own else one
            for node in self.graph["nodes"]:
                inputs = [{**one, "arg": self.renamed(one["arg"], name)} for one in node["inputs"]]
                nodes.append({**node, "inputs": inputs, "outputs": self.renamed(node["outputs"], name), **({"name": f"{node['name']}_of_{k}"} if node.get("name") else {})})
            for key in self.VALUES:
                values[key].update({name(one): value for one, value in self.graph.get(key, {}).items() if one in self.own})
            if not link or k == n - 1:
                specs += [self.renamed(spec, name) for spec in self.results()]
        outputs = [spec["user_output"]["arg"] for spec in specs if "user_output" in spec]
        module = {**self.parts["program"]["graph_module"], "graph": {**self.graph, **values, "nodes": nodes, "outputs": outputs}, "signature": {**self.signature, "output_specs": specs}}
        made = copy.copy(self.case)
        made.model = json.dumps({**self.parts, "program": {**self.parts["program"], "graph_module": module}}).encode()
        return stored_torch.zipped([("model/" + name, content) for name, content in made.entries()])


def seeds(cases, make):
    """Without large networks: what is in them is in smaller models, too."""
    for case in cases.values():
        if not case.about["refused"]:
            seed = make(case)
            if seed.ops and seed.size <= LARGEST:
                yield seed


def mxnet():
    return seeds(stored_mxnet.everything(), Symbol)


def paddle():
    return seeds(stored.everything(), Program)


def paddle3():
    return seeds(kept.everything(), Pir)


def pytorch():
    return seeds(stored_torch.everything(), Exported)
