"""The cases of each source: a small model, and a way to repeat it."""
import os
import re

import control_flow
import formats
import network_graphs
import onnx_graphs
import onnx_seeds
import readers
import recorded_graphs
import tf_graphs
import tflite_graphs


class Case:
    """`make(n)` is the model with n repetitions, of `size` nodes each; `beside()` are the files that belong to what was made last, by the end of
    their names."""

    def __init__(self, source, name, kind, size, make, suffix=".onnx", options=(), beside=dict):
        self.source, self.name, self.kind, self.size, self.make = source, name, kind, size, make
        self.suffix, self.options, self.beside = suffix, list(options), beside

    def command(self, mo, folder, n):
        """Converts n repetitions to result.xml in `folder`."""
        return [mo, self.write(folder, n), "--output_dir", folder, "--model_name", "result", "--compress_to_fp16=False", *self.options]

    def write(self, folder, n):
        """The path of the model with n repetitions. Files of the case before it are removed."""
        for name in os.listdir(folder):
            if name.startswith("model"):
                os.remove(os.path.join(folder, name))
        path = os.path.join(folder, "model" + self.suffix)
        for suffix, content in {self.suffix: self.make(n), **self.beside()}.items():
            with open(os.path.join(folder, "model" + suffix), "wb") as file:
                file.write(content)
        return path


def layers(folder):
    """How many the IR that `command` made has, with those of bodies; the IR is removed."""
    path = os.path.join(folder, "result.xml")
    if not os.path.exists(path):
        return 0
    with open(path, "rb") as file:
        count = file.read().count(b"<layer ")
    os.remove(path)
    return count


def chains(case, seed, converts, chain):
    """The first chain that converts."""
    for link in seed.links()[:4]:
        found = case("chain", lambda n, link=link: chain(n, link))
        if converts(found, 3):
            return [found], link
    return [], None


def of_onnx(source, seeds, converts, only):
    for seed in seeds:
        if not re.search(only, seed.name):
            continue
        def case(kind, make, seed=seed):
            return Case(source, seed.name, kind, len(seed.model.graph.node), make, options=getattr(seed, "options", []))
        found, link = chains(case, seed, converts, lambda n, link, seed=seed: onnx_graphs.chain(seed, n, link))
        if link and onnx_graphs.diamonds(seed, 2, link):
            found.append(case("diamonds", lambda n, seed=seed, link=link: onnx_graphs.diamonds(seed, n, link)))
        for kind in ("copies", "joined", "collected", "spread"):
            make = getattr(onnx_graphs, kind)
            if make(seed, 2):
                one = case(kind, lambda n, seed=seed, make=make: make(seed, n))
                # A model that is refused is refused in time, too; but it is not joined.
                found += [one] if kind == "copies" or converts(one, 2) else []
        yield from found


def operations(converts, only):
    return of_onnx("operations", onnx_seeds.operations(), converts, only)


def rewrites(converts, only):
    return of_onnx("rewrites", onnx_seeds.rewrites(), converts, only)


def of_recorded(source, seeds, converts, only):
    for seed in seeds:
        if not re.search(only, seed.name):
            continue
        def case(kind, make, seed=seed):
            return Case(source, seed.name, kind, seed.size, make, seed.suffix, seed.options, lambda seed=seed: getattr(seed, "beside", {}))
        found, _ = chains(case, seed, converts, seed.chain)
        yield from [*found, *([case("copies", seed.copies)] if seed.copies(2) else [])]


RECORDED = {
    "tensorflow": tf_graphs.seeds, "tflite": tflite_graphs.seeds, "pytorch": recorded_graphs.pytorch, "paddle": recorded_graphs.paddle,
    "paddle3": recorded_graphs.paddle3, "mxnet": recorded_graphs.mxnet, "caffe": network_graphs.caffe, "kaldi": network_graphs.kaldi,
}


def of_control_flow(converts, only):
    for name, make in control_flow.KINDS.items():
        if re.search(only, name):
            yield Case("control_flow", name, name.partition(",")[0], 1, make)


def of_kinds(source, kinds, converts, only):
    for name, (make, suffix) in kinds.items():
        if re.search(only, name):
            yield Case(source, name, name.partition(",")[0], 1, make, suffix)


def of_readers(converts, only):
    return of_kinds("readers", readers.KINDS, converts, only)


def of_formats(converts, only):
    return of_kinds("formats", formats.KINDS, converts, only)


SOURCES = {
    "operations": operations, "rewrites": rewrites,
    **{source: lambda converts, only, source=source, seeds=seeds: of_recorded(source, seeds(), converts, only) for source, seeds in RECORDED.items()},
    "control_flow": of_control_flow, "readers": of_readers, "formats": of_formats,
}
