"""Reads the binary files that Kaldi wrote, by the same table as they are written by: so Kaldi's own files prove the writers, byte for byte."""
from kaldi import files, stream


def read_fields(at, component, generation):
    for name, kinds, _ in files.row_of(component, generation):
        optional, name = name.startswith("?"), name.lstrip("?")
        if name == "|":
            continue
        if name[0] in "+()":
            assert at.token() == f"<{'/' if name[0] == ')' else ''}{name[1:]}>"
            continue
        assert name[0] != "*", "components in components are not read"
        if optional and at.peek() != f"<{name}>":
            continue
        if not name.startswith("["):
            token = at.token()
            assert token == f"<{name}>", (component.type, token, name)
        values = [getattr(at, kind)() for kind in kinds]
        component.values[name.strip("[]")] = values[0] if len(values) == 1 else values


def read_component(at, generation):
    component = files.Component(at.token()[1:-1])
    read_fields(at, component, generation)
    assert at.token() == f"</{component.type}>"
    return component


def read_nnet1(at):
    assert at.token() == "<Nnet>"
    components = []
    while (token := at.token()) != "</Nnet>":
        component = files.Component(token[1:-1], outputs=at.int(), inputs=at.int())
        read_fields(at, component, "nnet1")
        assert at.token() == "<!EndOfComponent>"
        components.append(component)
    return files.Network("nnet1", components)


def read_nnet2(at, transition):
    assert (at.token(), at.token()) == ("<Nnet>", "<NumComponents>")
    count = at.int()
    assert at.token() == "<Components>"
    components = [read_component(at, "nnet2") for _ in range(count)]
    assert (at.token(), at.token()) == ("</Components>", "</Nnet>")
    return files.Network("nnet2", components, priors=at.vector() if transition else None, transition=transition)


def read_nnet3(at, transition):
    assert at.token() == "<Nnet3>"
    at.line()
    lines = []
    while line := at.line():
        lines.append(line)
    assert at.token() == "<NumComponents>"
    components = []
    for _ in range(at.int()):
        assert at.token() == "<ComponentName>"
        name = at.token()
        components.append((name, read_component(at, "nnet3")))
    assert at.token() == "</Nnet3>"
    network = files.Network("nnet3", components, lines, transition)
    if transition:
        assert at.token() == "<LeftContext>"
        left = at.int()
        assert at.token() == "<RightContext>"
        network.contexts = (left, at.int())
        assert at.token() == "<Priors>"
        network.priors = at.vector()
    return network


def network_of(data):
    """The network, and the bytes before it: those of the transition model."""
    at, transition, before = stream.Reader(data), "", b""
    if at.peek() == "<TransitionModel>":
        end = data.index(b"</TransitionModel> ") + len("</TransitionModel> ")
        before, at.at, transition = data[2:end], end, "tuples" if b"<Tuples>" in data[:end] else "triples"
    if at.peek() == "<Nnet3>":
        network = read_nnet3(at, transition)
    elif data[at.at:].startswith(b"<Nnet> <NumComponents>"):
        network = read_nnet2(at, transition)
    else:
        network = read_nnet1(at)
    assert not data[at.at:].strip()
    return network, before
