"""Files of Kaldi that cannot be converted: code, place, and what to do; exit code 1, and nothing written."""
import os
import re
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo"))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from damage import damaged  # noqa: E402
from kaldi import files, networks  # noqa: E402

SECONDS = 120


def run(*arguments):
    return subprocess.run([MO, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=SECONDS)


def refused(tmp_path, content, *needles, options=(), name="net.mdl"):
    path = tmp_path / name
    path.write_bytes(content)
    result = run("--input_model", path, "--output_dir", tmp_path / "out", *options)
    assert result.returncode == 1 and not (tmp_path / "out").exists(), (result.returncode, result.stdout, result.stderr)
    for needle in needles:
        assert needle in result.stderr, (needle, result.stderr)
    return result.stderr


# Texts of nnet3.

AFFINE = ("<ComponentName> affine <NaturalGradientAffineComponent> <LearningRate> 0.001 <LinearParams>  [\n  1 2 \n  3 4 ]\n<BiasParams>  [ 1 2 ]\n"
          "<RankIn> 20 <RankOut> 80 <UpdatePeriod> 4 <NumSamplesHistory> 2000 <Alpha> 4 </NaturalGradientAffineComponent> \n")


def lines(*between, last="affine"):
    return "".join(["input-node name=input dim=2\n", "component-node name=affine component=affine input=input\n", *(line + "\n" for line in between), f"output-node name=output input={last}\n"])


LINES = lines()


def text(lines=LINES, components=(AFFINE,)):
    return f"<Nnet3> \n{lines}\n<NumComponents> {len(components)} \n{''.join(components)}</Nnet3> \n".encode()


def with_component(fields, type="NoOpComponent"):
    return text(lines("component-node name=more component=more input=affine", last="more"), (AFFINE, f"<ComponentName> more <{type}> {fields} </{type}> \n"))


POOLING = "<InputDim> 5 <InputPeriod> 1 <LeftContext> {0} <RightContext> {0} <NumLogCountFeatures> 0 <OutputStddevs> F <VarianceFloor> 1e-10"
NODES = {
    "itself": (LINES.replace("input=input", "input=affine"), ("MO3001", "affine", "line 3")),
    "each_other": ("input-node name=input dim=2\ncomponent-node name=affine component=affine input=Sum(input, b)\ncomponent-node name=b component=affine input=affine\noutput-node name=output input=b\n",
                   ("MO3001", "line 3")),
    "no_component": (LINES.replace("component=affine", "component=missing"), ("MO1005", "there is no component missing", "line 3, column 38")),
    "no_node": (LINES.replace("input=input", "input=missing"), ("MO1013", "missing", "line 3")),
    "two_of_a_name": (LINES + "input-node name=affine dim=2\n", ("MO1014", "affine", "line 5")),
    "no_dim": (LINES.replace(" dim=2", ""), ("MO1033", "dim", "line 2")),
    "a_negative_dim": (LINES.replace("dim=2", "dim=-2"), ("MO1031", "dim=-2", "line 2, column 27")),
    "a_huge_dim": (LINES.replace("dim=2", "dim=99999999999"), ("MO1031", "line 2")),
    "a_range_outside": (lines("dim-range-node name=r input-node=affine dim-offset=1 dim=2", last="r"), ("MO", "r")),
    "a_huge_range": (lines("dim-range-node name=r input-node=affine dim-offset=2147483647 dim=2147483647", last="r"), ("MO", "r")),
    "an_unknown_line": (LINES + "loss-node name=l input=affine\n", ("MO1005", "loss-node", "line 5")),
    "no_name": (LINES + "output-node input=affine\n", ("MO1033", "name", "line 5")),
    "no_value": (LINES + "output-node name=\n", ("MO1031", "line 5")),
    "an_unknown_key": (LINES + "output-node name=o input=affine weight=2\n", ("MO1005", "output-node has no weight", "line 5")),
    "no_output": (LINES.split("output-node")[0], ("MO",)),
}
DESCRIPTORS = {
    "cut_off": ("Append(affine,", ("MO1005", "the end is where a descriptor should be")),
    "no_brackets": ("Append affine", ("MO1005", "is where ( should be")),
    "a_huge_offset": ("Append(affine, Offset(affine, 2147483647))", ("MO",)),
    "a_huge_negative_offset": ("Sum(affine, Offset(affine, -2147483648))", ("MO",)),
    "an_offset_of_too_many_bits": ("Offset(affine, 2147483648)", ("MO1005", "is where a whole number should be", "line 4")),
    "offsets_that_sum_up": ("Offset(Offset(Offset(affine, 2147483647), 2147483647), 2147483647)", ("MO",)),
    "round_by_zero": ("Round(affine, 0)", ("MO1005", "a positive number", "line 4")),
    "a_constant_without_end": ("Append(affine, Const(1, 2147483647))", ("MO",)),
    "parts_of_other_sizes": ("Sum(affine, Append(affine, affine))", ("MO1005", "different numbers of parts")),
    "dims_that_differ": ("Sum(affine, Const(1, 3))", ("MO",)),
    "nested_deeply": ("Sum(" * 100_000 + "affine" + ")" * 100_000, ("MO1011", "line 4, column 543")),
    "appended_deeply": ("Offset(" * 100 + "Append(affine" + ", affine" * 20_000 + ")" + ", 1)" * 100, ("MO1011", "line 4")),
}
COMPONENTS = {
    "another_end": ("<Dim> 2 <BackpropScale> 1 </Other>", ("MO1005", "</Other> is where </NoOpComponent> should be", "line ")),
    "a_field_that_is_missing": ("<BackpropScale> 1", ("MO1005", "<BackpropScale> is where <Dim> should be")),
    "a_size_that_is_none": ("<Dim> two <BackpropScale> 1", ("MO1005", "two is where a whole number should be")),
}
POOLED = {
    "a_window_of_2_31": (POOLING.format(2147483647), ("MO", "more")),
    "a_negative_window": (POOLING.format(-1), ("MO", "more")),
    "a_period_of_zero": (POOLING.format(1).replace("Period> 1", "Period> 0"), ("MO", "more")),
}


def test_the_good_one_converts(tmp_path):
    for name, content in (("net.raw", text()), ("more.raw", with_component("<Dim> 2 <BackpropScale> 1"))):
        (tmp_path / name).write_bytes(content)
        result = run("--input_model", tmp_path / name, "--output_dir", tmp_path / "out")
        assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", NODES)
def test_nodes(name, tmp_path):
    refused(tmp_path, text(NODES[name][0]), *NODES[name][1])


@pytest.mark.parametrize("name", DESCRIPTORS)
def test_descriptors(name, tmp_path):
    refused(tmp_path, text(lines(last=DESCRIPTORS[name][0])), *DESCRIPTORS[name][1])


@pytest.mark.parametrize("name", COMPONENTS)
def test_components(name, tmp_path):
    refused(tmp_path, with_component(COMPONENTS[name][0]), *COMPONENTS[name][1])


@pytest.mark.parametrize("name", POOLED)
def test_windows_of_statistics(name, tmp_path):
    fields, needles = POOLED[name]
    extraction = ("<ComponentName> stats <StatisticsExtractionComponent> <InputDim> 2 <InputPeriod> 1 <OutputPeriod> 1 <IncludeVarinance> T "
                  "</StatisticsExtractionComponent> \n")
    pooling = f"<ComponentName> more <StatisticsPoolingComponent> {fields} </StatisticsPoolingComponent> \n"
    nodes = lines("component-node name=stats component=stats input=affine", "component-node name=more component=more input=stats", last="more")
    refused(tmp_path, text(nodes, (AFFINE, extraction, pooling)), *needles)


def test_unknown_components_of_a_text_are_all_named(tmp_path):
    unknown = [f"<ComponentName> {name} <{type}> <Dim> 2 <Odd> [ 1 2 ] </{type}> \n" for name, type in (("one", "FirstComponent"), ("two", "SecondComponent"))]
    between = ("component-node name=one component=one input=affine", "component-node name=two component=two input=one")
    refused(tmp_path, text(lines(*between, last="two"), (AFFINE, *unknown)), "MO2001", "FirstComponent", 'node "one"', "line 14, column 21", "SecondComponent", 'node "two"', "line 15, column 21")


# Binary files.

def integer(value):
    return b"\4" + struct.pack("<i", value)


def nnet1(matrix, bias=b"FV " + integer(2) + bytes(8), tail=b""):
    return b"\0B<Nnet> <AffineTransform> " + integer(2) + integer(2) + matrix + bias + b"<!EndOfComponent> " + tail + b"</Nnet> "


def compressed(token, least=0.0, span=1.0, rows=2, columns=2, data=bytes(64)):
    return token + b" " + struct.pack("<ffii", least, span, rows, columns) + data


GOOD = b"FM " + integer(2) + integer(2) + bytes(16)
INF, NAN = float("inf"), float("nan")
BINARY = {
    "rows_without_end": (nnet1(b"FM " + integer(2147483647) + integer(2147483647)), ("MO1004", "byte 37")),
    "negative_rows": (nnet1(b"FM " + integer(-2) + integer(2)), ("MO1005", "-2 rows", "byte 37")),
    "no_columns": (nnet1(b"FM " + integer(2) + integer(0)), ("MO1005", "byte 37")),
    "a_vector_without_end": (nnet1(GOOD, b"FV " + integer(2147483647)), ("MO1004", "[2147483647]", "byte 66")),
    "a_negative_vector": (nnet1(GOOD, b"FV " + integer(-1)), ("MO1005", "byte 66")),
    "other_sizes_than_said": (nnet1(b"FM " + integer(3) + integer(2) + bytes(24)), ("MO", "affinetransform")),
    "a_size_of_8_bytes": (nnet1(b"FM \x08" + bytes(8) + integer(2)), ("MO1005", "8 bytes, want 4", "byte 40")),
    "a_matrix_that_is_none": (nnet1(b"XM " + integer(2) + integer(2)), ("MO1005", "XM is where a matrix should be", "byte 37")),
    "compressed_without_end": (nnet1(compressed(b"CM", rows=2147483647, columns=2147483647)), ("MO1004", "byte 37")),
    "compressed_cut_off": (nnet1(compressed(b"CM2", rows=100, columns=100)), ("MO1004", "byte 37")),
    "compressed_of_negative_rows": (nnet1(compressed(b"CM3", rows=-1)), ("MO1005", "byte 37")),
    "compressed_from_nan": (nnet1(compressed(b"CM", least=NAN)), ("MO1005", "range", "byte 37")),
    "compressed_up_to_infinity": (nnet1(compressed(b"CM2", span=INF)), ("MO1005", "range", "byte 37")),
    "a_list_without_end": (nnet1(GOOD, tail=b"<Copy> " + integer(2) + integer(2) + b"\4" + struct.pack("<i", 1 << 30)), ("MO1004", "byte 117")),
    "a_list_of_bytes": (nnet1(GOOD, tail=b"<Copy> " + integer(2) + integer(2) + b"\1" + integer(0)), ("MO1005", "want 4")),
    "an_unknown_component": (nnet1(GOOD, tail=b"<NewTransform> " + integer(2) + integer(2)), ("MO2001", "NewTransform, which Kaldi does not have", "byte 100")),
    "networks_in_networks": (b"\0B<Nnet> " + (b"<ParallelComponent> " + integer(1) * 2 + b"<NestedNnetCount> " + integer(1) + b"<NestedNnet> " + integer(1) + b"<Nnet> ") * 50_000, ("MO1011", "byte ")),
    "very_many_components": (b"\0B<Nnet> <NumComponents> " + integer(2147483647), ("MO1005", "2147483647 components", "byte 25")),
    "a_transition_model_without_end": (b"\0B<TransitionModel> <Topology> \4" + struct.pack("<i", 1 << 30), ("MO1004", "byte 31")),
    "a_negative_topology": (b"\0B<TransitionModel> <Topology> \4" + bytes(4) + b"\4" + bytes(4) + integer(1) + integer(-7), ("MO1005", "-7", "byte ")),
    "only_a_mark": (b"\0B<Nnet> ", ("MO1012",)),
}


@pytest.mark.parametrize("name", BINARY)
def test_binary(name, tmp_path):
    refused(tmp_path, BINARY[name][0], *BINARY[name][1], name="net.nnet")


def test_what_a_binary_file_has_before_an_unknown_component_is_named_too(tmp_path):
    said = refused(tmp_path, nnet1(GOOD, tail=b"<KlHmm> " + integer(2) + integer(2) + GOOD + b"<!EndOfComponent> <NewTransform> " + integer(2)), "MO2001", "KlHmm", "NewTransform", name="net.nnet")
    assert "AffineTransform" not in said


@pytest.mark.parametrize("content,reason", [
    (b"\0B<TransitionModel> <Topology> " + (b"\4" + bytes(4)) * 2 + integer(0) + b"</Topology> <Triples> " + integer(0) + b"</Triples> <LogProbs> FV " + integer(0)
     + b"</LogProbs> </TransitionModel> <DIMENSION> " + integer(39), "train a chain or nnet3 model"),
    (b"\0B<IvectorExtractor> <w> ", "an i-vector extractor has no network"),
    (b"\xd6\xfd\xb2\x7e\x06\0\0\0vector", "a transducer of OpenFst"),
    (b"utterance \0BFM " + integer(2), "an archive of Kaldi"),
    (b"\0B" + GOOD, "a matrix or vector of Kaldi"),
])
def test_L_09_files_that_lie_beside_a_network_are_named(content, reason, tmp_path):
    refused(tmp_path, content, "MO1002", reason, name="final.mdl")


# Folders.

def test_a_folder_of_vosk_converts_under_its_name(tmp_path):
    for inside in ("am/final.mdl", "final.mdl"):
        folder = tmp_path / inside.split("/")[0] / "vosk-model-tiny"
        (folder / "am").mkdir(parents=True)
        (folder / "ivector").mkdir()
        (folder / inside).write_bytes(text())
        (folder / "ivector" / "final.ie").write_bytes(b"\0B<IvectorExtractor> <w> ")
        result = run("--input_model", folder, "--output_dir", folder.parent / "out")
        assert result.returncode == 0, result.stderr
        assert (folder.parent / "out" / "vosk-model-tiny.xml").exists()


def test_a_folder_with_gaussians_says_what_to_do(tmp_path):
    folder = tmp_path / "tri3b"
    folder.mkdir()
    (folder / "final.mdl").write_bytes(b"<DIMENSION> 39 <NUMPDFS> 9 ")
    result = run("--input_model", folder, "--output_dir", tmp_path / "out")
    assert result.returncode == 1 and "train a chain or nnet3 model" in result.stderr, result.stderr


# Counts.

COUNTS = {
    "no_vector": (b"counts", ("MO1002", "--counts", "no vector of Kaldi")),
    "two_lines": (b"[ 1\n 2 ]", ("MO1005", "--counts", "a line ends in a vector", "line 1")),
    "more_behind": (b"[ 1 2 ] 3 ", ("MO1005", "--counts", "goes on behind its vector")),
    "another_number": (b" [ 1 2 3 ]\n", ("MO",)),
    "cut_off": (b"\0BFV " + integer(2) + bytes(4), ("MO1004", "--counts", "byte 2")),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name, tmp_path):
    (tmp_path / "counts").write_bytes(COUNTS[name][0])
    refused(tmp_path, text(), *COUNTS[name][1], options=("--counts", tmp_path / "counts"))


def test_empty_counts_want_priors(tmp_path):
    refused(tmp_path, text(), "MO6002", "--counts is empty, and the model has no priors", options=("--counts", ""))


def test_counts_of_both_forms_are_the_same(tmp_path):
    (tmp_path / "net.raw").write_bytes(text())
    (tmp_path / "text").write_bytes(b" [ 3 1 ]\n")
    (tmp_path / "binary").write_bytes(b"\0BFV " + integer(2) + struct.pack("<2f", 3, 1))
    for form in ("text", "binary"):
        result = run("--input_model", tmp_path / "net.raw", "--output_dir", tmp_path / f"out_{form}", "--counts", tmp_path / form)
        assert result.returncode == 0, result.stderr
    result = run("--input_model", tmp_path / "net.raw", "--output_dir", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    text_bin, binary_bin, plain = ((tmp_path / folder / "net.bin").read_bytes() for folder in ("out_text", "out_binary", "out"))
    assert text_bin == binary_bin != plain


def test_priors_that_nothing_subtracts_are_told(tmp_path):
    model = (b"<TransitionModel> <Topology> </Topology> <Triples> 0 </Triples> <LogProbs> [ ] </LogProbs> </TransitionModel> " + text()
             + b"<LeftContext> 0 <RightContext> 0 <Priors> [ 0.5 0.5 ]\n")
    (tmp_path / "net.mdl").write_bytes(model)
    result = run("--input_model", tmp_path / "net.mdl", "--output_dir", tmp_path / "out")
    assert result.returncode == 0 and "MO1041" in result.stderr + result.stdout and "2 priors" in result.stderr + result.stdout, result.stderr
    result = run("--input_model", tmp_path / "net.mdl", "--output_dir", tmp_path / "out", "--counts", "")
    assert result.returncode == 0 and "MO1041" not in result.stderr + result.stdout, result.stderr


# Damage by seed.

DAMAGED = ("nnet1/network_lstm", "nnet1/network_parallel", "nnet2/network_pnorm", "architecture/chain_tdnnf", "architecture/fast_lstmp", "architecture/xvector", "stored/tuples_binary")
KINDS = {f"{name.split('/')[-1]}_{'binary' if binary else 'text'}": (name, binary) for name in DAMAGED for binary in (True, False)}
KINDS["compressed"] = ("stored/compressed_columns", True)


@pytest.mark.parametrize("way", ["truncated", "mutated"])
@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_answered(kind, way, tmp_path):
    name, binary = KINDS[kind]
    content = files.to_bytes(networks.CASES[name].network(), binary)

    def answer(seed):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = folder / "net.mdl"
        path.write_bytes(damaged(content, way, seed, b"<"))
        result = run("--input_model", path, "--output_dir", folder / "out")
        said = (seed, result.returncode, result.stdout, result.stderr)
        assert result.returncode in (0, 1), said
        if result.returncode == 1:
            codes = re.findall(r"^\[ ERROR \]  (MO\d{4}) ", result.stderr, re.M)
            assert codes and not any(code.startswith("MO7") for code in codes), said
            assert not (folder / "out").exists(), said
        return result.returncode
    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(answer, range(20)))
    assert any(codes)
