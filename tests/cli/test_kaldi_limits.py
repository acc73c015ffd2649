"""Small files of Kaldi that would need much memory or time are refused, and names of options are in messages about them."""
import re
import subprocess

import pytest

from test_bad_kaldi import AFFINE, MO, lines, refused, text
from kaldi import files, networks

NOOP = "<ComponentName> noop <NoOpComponent> <Dim> 2 <BackpropScale> 1 </NoOpComponent> \n"
LIMIT = 40


def nodes(count, component="noop", term="affine"):
    return [f"component-node name=n{i} component={component} input={term}" for i in range(count)]


def sum_of(terms):
    return f"Sum({', '.join(terms)})"


def tdnn(offsets):
    row = " 0" * (2 * offsets)
    return (f"<ComponentName> tdnn <TdnnComponent> <TimeOffsets> [ {' '.join(map(str, range(offsets)))} ] <LinearParams> [\n{row}\n{row} ]\n<BiasParams> [ ] "
            "<OrthonormalConstraint> 0 <UseNaturalGradient> T <NumSamplesHistory> 2000 <AlphaInOut> 4 4 <RankInOut> 20 80 </TdnnComponent> \n")


def composite(parts):
    part = "<NoOpComponent> <Dim> 2 <BackpropScale> 1 </NoOpComponent> "
    return f"<ComponentName> many <CompositeComponent> <MaxRowsProcess> 100 <NumComponents> {parts} {part * parts}</CompositeComponent> \n"


def states_that_read_each_other(count, more):
    """What the last one is reaches the first one after as many frames."""
    found = [f"component-node name=s{i} component=noop input=Offset(s{i + 1}, -1)" for i in range(count)]
    found.append(f"component-node name=s{count} component=noop input=Failover(Offset(s0, -1), affine)")
    return text(lines(*found, *nodes(1), *[f"component-node name=m{i} component=noop input={f'm{i - 1}' if i else 'n0'}" for i in range(more)], last=f"Append(s0, m{more - 1})"), (AFFINE, NOOP))


def sizes(count):
    return [f"<ComponentName> group{i} <SumGroupComponent> <Sizes> [ 8000000 8388600 ] </SumGroupComponent> \n" for i in range(count)]


FILES = {
    "states_together": (lambda: text(lines(*[f"component-node name=n{i} component=noop input=Scale({i + 2}, affine)" for i in range(100)], last=sum_of(f"IfDefined(Offset(n{i}, -100000000))" for i in range(100))), (AFFINE, NOOP)),
                        ("MO2004", "states of more than 268435456 numbers together")),
    "a_late_output": (lambda: text(lines(last="Offset(affine, 2147483647)")), ("MO2004", "a context of 2147483647 frames; the most are 1048576")),
    "a_long_past": (lambda: text(lines(last="Append(affine, Offset(affine, -100000000))")), ("MO2004", "a context of 100000000 frames")),
    "frames_of_many_nodes": (lambda: text(lines(*nodes(200, "tdnn"), last=sum_of(f"n{i}" for i in range(200))), (AFFINE, tdnn(5000))), ("MO1011", "components that read more than 262144 frames")),
    "parts_of_many_nodes": (lambda: text(lines(*nodes(1000, "many"), last=sum_of(f"n{i}" for i in range(1000))), (AFFINE, composite(1000))), ("MO1011", "expand to more than 262144 nodes")),
    "long_groups": (lambda: text(lines(*[f"component-node name=n{i} component=group{i} input=affine" for i in range(100)], last="n0"), (AFFINE, *sizes(100))), ("MO1011",)),
    "counted_for_many_inputs": (lambda: text(lines(last="Append(" + "affine, " * 20_000 + "Round(affine, 1021))")), ("MO2004", "frames counted by 1021")),
    "states_that_read_each_other": (lambda: states_that_read_each_other(990, 20_000), ("MO2004", "states that depend on each other")),
    "terms_of_many_nodes": (lambda: text(lines(*nodes(300, "affine", "Offset(" * 100 + "Append(" + ", ".join(["affine"] * 100) + ")" + ", 1)" * 100), last="n0")), ("MO1011", "1048576 terms")),
}


@pytest.mark.parametrize("name", FILES)
def test_what_is_too_much(name, tmp_path):
    content, needles = FILES[name]
    assert len(refused(tmp_path, content(), *needles).splitlines()) == 1


def test_as_many_are_not(tmp_path):
    """Below the limits."""
    for name, content in (("states", states_that_read_each_other(100, 1000)), ("tdnn", text(lines(*nodes(3, "tdnn"), last=sum_of(["n0", "n1", "n2"])), (AFFINE, tdnn(500)))),
                          ("parts", text(lines(*nodes(10, "many"), last=sum_of(f"n{i}" for i in range(10))), (AFFINE, composite(100))))):
        path = tmp_path / f"{name}.raw"
        path.write_bytes(content)
        done = subprocess.run([MO, path, "-o", tmp_path / "out"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr


POOL = "<InputXDim> 4 <InputYDim> 3 <InputZDim> 2 <PoolXSize> 2 <PoolYSize> 1 <PoolZSize> 1 <PoolXStep> 2 <PoolYStep> 1 <PoolZStep> 1"


@pytest.mark.parametrize("first,dim,fits", [(10, 2, True), (10, 3, False), (11, 2, False), (0, 12, True), (0, 13, False)])
def test_a_range_of_a_pooled_image(first, dim, fits, tmp_path):
    """12 numbers: what lies behind them is no part."""
    network = ("input-node name=input dim=24\ncomponent-node name=pool component=pool input=input\n"
               f"dim-range-node name=part input-node=pool dim-offset={first} dim={dim}\noutput-node name=output input=part\n")
    content = text(network, (f"<ComponentName> pool <MaxpoolingComponent> {POOL} </MaxpoolingComponent> \n",))
    if not fits:
        refused(tmp_path, content, "MO2002", f"numbers {first} to {first + dim} of 12 of pool", 'node "part"', "line 4")
        return
    (tmp_path / "net.raw").write_bytes(content)
    done = subprocess.run([MO, tmp_path / "net.raw", "-o", tmp_path / "out"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert re.search(rf"<dim>{dim}</dim>", (tmp_path / "out" / "net.xml").read_text())


@pytest.mark.parametrize("case", ["architecture/dnn", "nnet1/network_dnn", "nnet1/network_dnn_without_softmax", "nnet2/network_tanh"])
def test_counts_of_another_model(case, tmp_path):
    """The message names the option, and both numbers."""
    path = networks.CASES[case].write(str(tmp_path / "model"))
    (tmp_path / "counts").write_bytes(files.counts_to_bytes([3, 1, 2]))
    done = subprocess.run([MO, path, "--counts", tmp_path / "counts", "-o", tmp_path / "out"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and not (tmp_path / "out").exists()
    assert re.search(r"MO3004 .*--counts has 3 numbers, for \d+ outputs \(node \"", done.stderr), done.stderr
