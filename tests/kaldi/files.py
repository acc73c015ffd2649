"""A network of Kaldi and its file: nnet1, nnet2 and nnet3, binary and text, alone or behind a transition model."""
import dataclasses

import numpy as np

from kaldi import fields, stream


class Component:
    """Its fields by the names of their tokens. `parts`: of those that have components or networks in them.

    What files of other versions have: `row` in place of that of fields.py, `tag` in place of the type, `end` in place of the tag at the end."""

    def __init__(self, type, parts=(), row=None, tag=None, end=None, outputs=None, inputs=None, **values):
        self.type, self.parts, self.row, self.values = type, [*parts], row, values
        self.tag = f"<{type}>" if tag is None else tag
        self.end = end
        self.outputs, self.inputs = outputs, inputs  # of nnet1

    def __getitem__(self, name):
        return self.values[name]

    def get(self, name, otherwise=None):
        return self.values.get(name, otherwise)


@dataclasses.dataclass
class Network:
    """`lines`: of nnet3, as its file has them. `components`: (name, component) of nnet3, else components. `transition`: which form of the transition model stands before."""
    generation: str
    components: list
    lines: list = dataclasses.field(default_factory=list)
    transition: str = ""
    priors: object = None
    contexts: tuple = (0, 0)


def row_of(component, generation):
    row = component.row if component.row is not None else fields.TABLES[generation][component.type]
    for field in row.split():
        head, _, default = field.partition("=")
        name, _, kinds = head.partition(":")
        yield name, [fields.KINDS[kind] for kind in kinds], default if "=" in field else None


def default_of(kind, text):
    if kind in ("vector", "doubles"):
        return np.zeros(0, np.float32)
    if kind in ("matrix", "double_matrix"):
        return np.zeros((0, 0), np.float32)
    return {"int": int, "bool": lambda digit: digit != "0"}.get(kind, float)(text)


def write_fields(out, component, generation):
    for name, kinds, default in row_of(component, generation):
        optional, name = name.startswith("?"), name.lstrip("?")
        if name == "|":
            out.line()
        elif name[0] in "+(":
            out.token(f"<{name[1:]}>")
        elif name[0] == ")":
            out.token(f"</{name[1:]}>")
        elif name[0] == "*":
            write_parts(out, component, name[1:], generation)
        elif not optional or component.values.get(name, False) is not False:
            if not name.startswith("["):
                out.token(f"<{name}>")
            name = name.strip("[]")
            values = component.values.get(name)
            if values is None and default is not None:
                values = [default_of(kind, text) for kind, text in zip(kinds, default.split(","))]
            elif len(kinds) < 2:
                assert not kinds or values is not None, (component.type, name)
                values = [values]
            for kind, value in zip(kinds, values):
                getattr(out, kind)(value)


def write_parts(out, component, token, generation):
    out.token(f"<{token}>")
    out.int(len(component.parts))
    out.line() if generation == "nnet1" else None
    for number, part in enumerate(component.parts, 1):
        if generation == "nnet1":
            out.token("<NestedNnet>")
            out.int(number)
            out.line()
            write_nnet1(out, part)
        else:
            write_component(out, part, generation)
    if generation == "nnet1":
        out.token(f"</{component.type}>")


def write_component(out, component, generation):
    """Of nnet2 and nnet3."""
    out.token(component.tag)
    write_fields(out, component, generation)
    out.token(f"</{component.type}>" if component.end is None else component.end)


def write_nnet1(out, network):
    out.token("<Nnet>")
    out.line()
    for component in network.components:
        out.token(component.tag)
        out.int(component.outputs)
        out.int(component.inputs)
        out.line()
        write_fields(out, component, "nnet1")
        if component.end is None:
            out.token("<!EndOfComponent>")
        out.line()
    out.token("</Nnet>")
    out.line()


def write_nnet2(out, network):
    out.token("<Nnet>")
    out.token("<NumComponents>")
    out.int(len(network.components))
    out.token("<Components>")
    for component in network.components:
        write_component(out, component, "nnet2")
        out.line()
    out.token("</Components>")
    out.token("</Nnet>")
    if network.transition:
        out.vector(priors_of(network))


def write_nnet3(out, network):
    out.token("<Nnet3>")
    out.put("\n" + "".join(line + "\n" for line in network.lines) + "\n")
    out.token("<NumComponents>")
    out.int(len(network.components))
    out.line()
    for name, component in network.components:
        out.token("<ComponentName>")
        out.token(name)
        write_component(out, component, "nnet3")
        out.line()
    out.token("</Nnet3>")
    if network.transition:
        for token, value in zip(("<LeftContext>", "<RightContext>"), network.contexts):
            out.token(token)
            out.int(value)
        out.token("<Priors>")
        out.vector(priors_of(network))


def priors_of(network):
    return np.zeros(0, np.float32) if network.priors is None else network.priors


def write_topology(out, new):
    """Two phones of one state each. The new form has a pdf of its own for the loop of a state."""
    entries = [[((0, 1) if new else (0,), [(0, 0.5), (1, 0.5)]), ((-1, -1) if new else (-1,), [])]]
    out.token("<Topology>")
    if out.binary:
        out.ints([1, 2])
        out.ints([-1, 0, 0])
        if new:
            out.int(-1)
        out.int(len(entries))
        for states in entries:
            out.int(len(states))
            for classes, transitions in states:
                for pdf in classes:
                    out.int(pdf)
                out.int(len(transitions))
                for to, probability in transitions:
                    out.int(to)
                    out.float(probability)
    else:
        out.line()
        for states in entries:
            out.put("<TopologyEntry> \n<ForPhones> \n1 2 \n</ForPhones> \n")
            for number, (classes, transitions) in enumerate(states):
                out.put(f"<State> {number} ")
                if classes[0] >= 0:
                    for token, pdf in zip(("<ForwardPdfClass>", "<SelfLoopPdfClass>") if new else ("<PdfClass>",), classes):
                        out.put(f"{token} {pdf} ")
                for to, probability in transitions:
                    out.put(f"<Transition> {to} {probability:.7g} ")
                out.put("</State> \n")
            out.put("</TopologyEntry> \n")
    out.token("</Topology>")
    out.line()


def write_transition_model(out, form):
    """`form`: "triples", as before 2018, or "tuples"."""
    new = form == "tuples"
    out.token("<TransitionModel>")
    out.line()
    write_topology(out, new)
    rows = [(1, 0, 0, 1), (2, 0, 2, 3)] if new else [(1, 0, 0), (2, 0, 1)]
    out.token(f"<{form.capitalize()}>")
    out.int(len(rows))
    out.line()
    for row in rows:
        for value in row:
            out.int(value)
        out.line()
    out.token(f"</{form.capitalize()}>")
    out.line()
    out.token("<LogProbs>")
    out.line()
    out.vector(np.array([0, -0.693147, -0.693147, -0.693147, -0.693147], np.float32))
    out.token("</LogProbs>")
    out.line()
    out.token("</TransitionModel>")
    out.line()


def to_bytes(network, binary=True):
    out = stream.Writer(binary)
    if network.transition:
        write_transition_model(out, network.transition)
    {"nnet1": write_nnet1, "nnet2": write_nnet2, "nnet3": write_nnet3}[network.generation](out, network)
    return out.bytes()


def counts_to_bytes(counts, binary=False):
    """What analyze-counts writes: a vector."""
    out = stream.Writer(binary)
    out.vector(np.asarray(counts, np.float32))
    return out.bytes()
