"""What both commands do with several models, folders and --info, and what they print: the same words on both hosts."""
import json
import os
import pty
import re
import subprocess

import numpy as np
import pytest
from pseudo_terminal import drawn_on
from onnx import TensorProto as T, helper as h, numpy_helper as nh

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.path.abspath(os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo")))
NODE = ["node", os.path.join(ROOT, "dist", "library", "node", "cli.js")]
PROGRAMS = pytest.mark.parametrize("program", [[MO], NODE], ids=["native", "package"])
COMPRESSED = "[ INFO ] Generated IR will be compressed to FP16."
NEWER = "[ WARNING ]  MO1018 "


def save(path, op="Relu", opset=13, **attributes):
    """y = op(x)."""
    graph = h.make_graph([h.make_node(op, ["x"], ["y"], "node_" + op, **attributes)], "g", [h.make_tensor_value_info("x", T.FLOAT, [2, 3])],
                         [h.make_tensor_value_info("y", T.FLOAT, None)])
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(h.make_model(graph, opset_imports=[h.make_opsetid("", opset)], producer_name="tests", producer_version="7").SerializeToString())


@pytest.fixture
def models(tmp_path):
    """Two good models of one name, and two that cannot be converted."""
    for path in ["a/net.onnx", "b/net.onnx", "b/deep/other.onnx"]:
        save(tmp_path / "models" / path)
    save(tmp_path / "bad" / "unknown.onnx", "MyOp")
    (tmp_path / "bad" / "garbage.onnx").write_text("this is no model")
    return tmp_path


def run(program, folder, *arguments, **how):
    how = {"capture_output": True, **how}
    done = subprocess.run([*program, *map(str, arguments)], cwd=folder, text=True, timeout=120, **how)
    return done


def irs(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names if name.endswith(".xml"))


def on_terminal(program, folder, *arguments):
    """The exit code, and what a terminal gets as the standard error."""
    controller, terminal = pty.openpty()
    with open(folder / "stdout", "w") as stdout:
        process = subprocess.Popen([*program, *map(str, arguments)], cwd=folder, stdout=stdout, stderr=terminal)
    drawn = drawn_on(controller, terminal)
    return process.wait(), drawn.decode()


# --silent

QUIET = pytest.mark.parametrize("quiet", [["--silent"], ["--silent", "True"], ["--log_level", "CRITICAL"]], ids=" ".join)


@PROGRAMS
@QUIET
def test_silent_prints_nothing_of_what_succeeds(models, program, quiet):
    for arguments in [["models/a/net.onnx", "--generate_mapping"], ["models", "--skip_unchanged"], ["models", "--skip_unchanged"], ["models", "-j", "2"],
                      ["models/a/net.onnx", "--progress"], ["models/a/net.onnx", "--disable_fusing"]]:
        done = run(program, models, *arguments, "-o", "ir", *quiet)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), arguments


@PROGRAMS
@QUIET
def test_silent_prints_errors_and_what_is_asked_for(models, program, quiet):
    done = run(program, models, "bad/unknown.onnx", "-o", "ir", *quiet)
    assert (done.returncode, done.stdout) == (1, "") and done.stderr.startswith("[ ERROR ]  MO2001 ") and done.stderr.count("\n") == 1
    done = run(program, models, "models/a/net.onnx", "-o", "ir", "--json", *quiet)
    assert done.returncode == 0 and json.loads(done.stdout)["ok"] and done.stderr == ""
    assert "Format:" in run(program, models, "--info", "models/a/net.onnx", *quiet).stdout


@PROGRAMS
def test_without_silent_the_result_is_said(models, program):
    for more in [[], ["--log_level", "ERROR"], ["--silent", "False"], ["--silent", "False", "--log_level", "CRITICAL"]]:
        done = run(program, models, "models/a/net.onnx", "-o", "ir", *more)
        assert "[ SUCCESS ] XML file: " in done.stdout and COMPRESSED in done.stdout
        assert ("Model Optimizer arguments:" in done.stdout) == ("--silent" in more)


# Names and folders

@PROGRAMS
def test_models_of_one_name_keep_their_folders(models, program):
    done = run(program, models / "models", "a/net.onnx", "b/net.onnx", "-o", "../ir")
    assert done.returncode == 0, done.stderr
    assert irs(models / "ir") == ["a/net.xml", "b/net.xml"]
    done = run(program, models, models / "models/b/net.onnx", "./models/a/net.onnx", "models/b/deep/other.onnx", "-o", "all", "-n", "one")
    assert done.returncode == 0, done.stderr
    assert len(irs(models / "all")) == 3 and all(path.endswith("/one.xml") for path in irs(models / "all"))


@PROGRAMS
@pytest.mark.parametrize("arguments, written", [
    (["models/a/net.onnx", "models/b/deep/other.onnx"], ["net.xml", "other.xml"]),
    (["models/b/net.onnx", "models/b/deep/../../a/net.onnx"], ["a/net.xml", "b/net.xml"]),
    (["../{here}/models/a/net.onnx", "models/b/net.onnx", "models/b/deep/other.onnx"], ["{here}/models/a/net.xml", "models/b/deep/other.xml", "models/b/net.xml"]),
    (["models/a/net.onnx", "models/a/net.model"], ["net.model.xml", "net.onnx.xml"]),
    (["models/a/net.onnx", "models/a/NET.onnx"], ["NET.xml", "net.xml"]),
], ids=str)
def test_the_folders_of_names(models, program, arguments, written):
    save(models / "models/a/net.model")
    save(models / "models/a/NET.onnx")
    here = models.name
    done = run(program, models, *[word.format(here=here) for word in arguments], "-o", "ir")
    assert done.returncode == 0, done.stderr
    assert irs(models / "ir") == sorted(path.format(here=here) for path in written)


@PROGRAMS
@pytest.mark.parametrize("arguments", [["a/net.onnx", "./a/net.onnx"], ["a/net.onnx", "b/net.onnx", "b/deep/../net.onnx"], ["b/deep", "b", "-n", "one"]], ids=" ".join)
def test_two_models_for_one_ir_are_refused(models, program, arguments):
    save(models / "models/b/deep/second.onnx")
    done = run(program, models / "models", *arguments, "-o", "ir")
    assert done.returncode == 2 and "[ ERROR ]  MO6020 " in done.stderr
    assert irs(models / "models") == []


@PROGRAMS
@pytest.mark.parametrize("jobs", [1, 3])
def test_the_models_of_a_folder_are_converted_into_the_same_folders(models, program, jobs):
    save(models / "models/.hidden/net.onnx")
    (models / "models/notes.txt").write_text("no model")
    os.symlink("..", models / "models/b/again")
    done = run(program, models, "models", "-o", "ir", "-j", jobs)
    assert done.returncode == 0, done.stderr
    assert irs(models / "ir") == ["a/net.xml", "b/deep/other.xml", "b/net.xml"]
    assert done.stdout.count("[ SUCCESS ] XML file: ") == 3 and done.stdout.count(COMPRESSED) == 1
    assert done.stdout.endswith("[ SUCCESS ] 3 converted\n")
    assert done.stderr == ""


@PROGRAMS
def test_a_folder_may_have_many_forms(models, program):
    written = ["a/net.xml", "b/deep/other.xml", "b/net.xml"]
    for index, (folder, given) in enumerate([(models, "models/"), (models / "models", "."), (models, models / "models"), (models / "models" / "a", "..")]):
        done = run(program, folder, given, "-o", models / f"ir{index}", "--json")
        assert done.returncode == 0, done.stderr
        assert irs(models / f"ir{index}") == written
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert all(os.path.samefile(os.path.join(folder, line["model"]), os.path.join(models, "models", path.replace(".xml", ".onnx")))
                   for line, path in zip(lines, written))
    done = run(program, models, "models", "bad", "-o", "ir")
    assert done.returncode == 1 and irs(models / "ir") == written
    done = run(program, models, "models/a", "models/b", "-o", "both")
    assert done.returncode == 0 and irs(models / "both") == ["a/net.xml", "b/deep/other.xml", "b/net.xml"]


@PROGRAMS
def test_a_folder_without_models_says_so(models, program):
    os.makedirs(models / "none" / "deeper")
    (models / "none" / "notes.txt").write_text("no model")
    done = run(program, models, "none", "-o", "ir")
    assert done.returncode == 1 and "[ ERROR ]  MO6007 " in done.stderr and not (models / "ir").exists()


@PROGRAMS
def test_a_report_is_about_one_model(models, program):
    done = run(program, models, "models", "-o", "ir", "--report", "all.html")
    assert done.returncode == 2 and not (models / "ir").exists()
    assert ("--report is for one model" if program == NODE else "MO6006") in done.stderr


# What is printed

@PROGRAMS
@pytest.mark.parametrize("jobs", [1, 2])
def test_several_models_end_with_their_numbers(models, program, jobs):
    arguments = ["models", "bad", "none.onnx", "-o", "ir", "-j", jobs]
    done = run(program, models, *arguments)
    assert done.returncode == 2
    assert done.stderr.endswith("[ ERROR ]  3 converted, 3 failed:\n  bad/garbage.onnx (MO1002)\n  bad/unknown.onnx (MO2001)\n  none.onnx (MO6007)\n"), done.stderr
    assert "3 converted" not in done.stdout
    run(program, models, "models", "-o", "ir", "--skip_unchanged")
    done = run(program, models, "models", "bad/garbage.onnx", "-o", "ir", "--skip_unchanged", "-j", jobs)
    assert done.stderr.endswith("[ ERROR ]  3 unchanged, 1 failed:\n  bad/garbage.onnx (MO1002)\n")
    done = run(program, models, "models", "-o", "ir", "--skip_unchanged", "-j", jobs)
    assert done.returncode == 0 and done.stdout.endswith("[ SUCCESS ] 3 unchanged\n") and done.stderr == ""
    assert run(program, models, "models", "-o", "ir", "-j", jobs, "--json").stdout.count("\n") == 3


@PROGRAMS
def test_warnings_are_printed(models, program):
    save(models / "new.onnx", opset=99)
    assert run(program, models, "new.onnx", "-o", "ir").stderr.startswith(NEWER)
    assert run(program, models, "new.onnx", "-o", "ir", "--log_level", "ERROR").stderr == ""


@PROGRAMS
@pytest.mark.parametrize("jobs", [1, 2])
def test_equal_lines_are_one_with_their_number(models, program, jobs):
    for name in ["new/p.onnx", "new/q.onnx", "new/r.onnx"]:
        save(models / name, opset=99)
    done = run(program, models, "new", "models/a", "-o", "ir", "-j", jobs, "--json", "--disable_fusing")
    assert done.returncode == 0
    [newer, former] = sorted(done.stderr.splitlines())
    assert newer.startswith(NEWER) and newer.endswith(" (3 times)")
    assert "--disable_fusing" in former and former.endswith(" (4 times)")
    messages = [json.loads(line)["messages"] for line in done.stdout.splitlines()]
    assert sorted(map(len, messages)) == [1, 2, 2, 2]


@PROGRAMS
@pytest.mark.parametrize("jobs", [1, 2])
def test_of_many_warnings_of_one_code_there_are_some_lines_and_a_number(models, program, jobs):
    fields = " ".join(f"own_{i}: {i}" for i in range(37))
    for name in ("one", "two"):
        (models / f"{name}.prototxt").write_text('input: "x" input_dim: 1 input_dim: 2 input_dim: 3 input_dim: 4\n'
                                                 f'layer {{ name: "{name}" type: "ReLU" bottom: "x" top: "y" relu_param {{ {fields} }} }}\n')
    done = run(program, models, "one.prototxt", "-o", "ir", "--disable_fusing")
    lines = done.stderr.splitlines()
    assert done.returncode == 0 and len([line for line in lines if " MO1035 " in line]) == 20 and len(lines) == 22
    assert lines[-1] == "[ WARNING ]  and 17 more of MO1035: --log_level DEBUG shows all" and any(" MO6018 " in line for line in lines)
    done = run(program, models, "one.prototxt", "-o", "ir", "--log_level", "DEBUG")
    assert done.stderr.count(" MO1035 ") == 37 and " more of " not in done.stderr
    done = run(program, models, "one.prototxt", "two.prototxt", "-o", "ir", "-j", jobs)
    assert done.stderr.splitlines()[-1] == "[ WARNING ]  and 54 more of MO1035: --log_level DEBUG shows all"
    done = run(program, models, "one.prototxt", "-o", "ir", "--json")
    assert len(json.loads(done.stdout)["messages"]) == 37


@PROGRAMS
def test_progress_is_plain_lines_in_a_pipe(models, program):
    done = run(program, models, "models/a/net.onnx", "-o", "ir", "--progress")
    lines = done.stderr.splitlines()
    assert 3 < len(lines) < 12 and all(re.fullmatch(r"Progress: \[\.* *\] +\d+\.\d\d% done", line) for line in lines)
    assert lines[-1].endswith("100.00% done") and "\r" not in done.stderr
    for jobs in 1, 2:
        done = run(program, models, "models", "-o", "ir", "--progress", "-j", jobs)
        assert [re.sub(r".*\] +", "", line) for line in done.stderr.splitlines()] == [
            "33.33% done, 1 of 3: models/a/net.onnx", "66.67% done, 2 of 3: models/b/deep/other.onnx", "100.00% done, 3 of 3: models/b/net.onnx"]


@PROGRAMS
@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_one_line_on_a_terminal(models, program, jobs):
    save(models / "models" / ("long" * 30) / "net.onnx")
    code, drawn = on_terminal(program, models, "models", "bad", "-o", "ir", "--progress", "-j", jobs)
    assert code == 1
    screen = []
    for line in drawn.replace("\r\n", "\n").split("\n"):
        shown = ""
        for part in line.split("\r"):
            assert len(part) < 80 or "Progress" not in part
            shown = part + shown[len(part):]
        screen.append(shown.rstrip())
    assert "2 of 6: models/b/deep/other.onnx" in drawn and "...long" in drawn
    # Nothing of it is left between the messages.
    assert not any("Progress" in line for line in screen)
    assert [line for line in screen if line][-3:] == ["[ ERROR ]  4 converted, 2 failed:", "  bad/garbage.onnx (MO1002)", "  bad/unknown.onnx (MO2001)"]


# --info

@pytest.fixture
def known(tmp_path):
    """A model with weights and an operation that is not supported."""
    weights = nh.from_array(np.zeros([4, 3, 3, 3], np.float32), "w")
    nodes = [h.make_node("Conv", ["image", "w"], ["a"], "conv"), h.make_node("Relu", ["a"], ["b"], "relu"), h.make_node("Relu", ["b"], ["c"], "relu2"),
             h.make_node("MyOp", ["c"], ["d"], "mine"), h.make_node("MyOp", ["d"], ["prob"], "mine2")]
    graph = h.make_graph(nodes, "g", [h.make_tensor_value_info("image", T.FLOAT, ["N", 3, 8, 8])], [h.make_tensor_value_info("prob", T.FLOAT, ["N", 4, 6, 6])], [weights])
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 13)], producer_name="tests", producer_version="7")
    (tmp_path / "known.onnx").write_bytes(model.SerializeToString())
    save(tmp_path / "fine.onnx")
    (tmp_path / "garbage.onnx").write_text("this is no model")
    return tmp_path


CARD = """\
Model:          known.onnx
Format:         ONNX
Producer:       tests 7
Operator sets:  ai.onnx 13
Inputs:         image [?,3,8,8] f32
Outputs:        prob [?,4,6,6] f32
Operations:     5 of 3 types
                MyOp 2, Relu 2, Conv 1
Constants:      1, 432 bytes
.bin, about:    216 bytes, 432 bytes without FP16
Not supported:  MyOp 2:
                "mine", "mine2"
"""


@PROGRAMS
def test_info_is_a_card(known, program):
    done = run(program, known, "--info", "known.onnx")
    assert (done.returncode, done.stdout, done.stderr) == (0, CARD, "")
    done = run(program, known, "known.onnx", "--info", "--input", "image[1,3,4,4]", "--output", "relu", "--compress_to_fp16=False")
    assert "image [1,3,4,4] f32" in done.stdout and ".bin, about:    432 bytes, 216 bytes as FP16\n" in done.stdout and "MyOp" not in done.stdout
    assert sorted(os.listdir(known)) == ["fine.onnx", "garbage.onnx", "known.onnx"]


@PROGRAMS
@pytest.mark.parametrize("jobs", [1, 2])
def test_info_of_several_models_is_a_line_each(known, program, jobs):
    done = run(program, known, "--info", ".", "none.onnx", "-j", jobs)
    lines = done.stdout.splitlines()
    assert done.returncode == 2 and done.stderr == ""
    assert lines[0] == "fine.onnx: ONNX, 1 operation, 0 bytes of constants"
    assert lines[1].startswith("garbage.onnx: MO1002 ")
    assert lines[2] == "known.onnx: ONNX, 5 operations, 432 bytes of constants; not supported: MyOp 2"
    assert lines[3].startswith("none.onnx: MO6007 ")
    assert len(lines) == 4


@PROGRAMS
def test_info_says_why_a_model_cannot_be_loaded(known, program):
    done = run(program, known, "--info", "garbage.onnx")
    assert (done.returncode, done.stdout) == (1, "") and done.stderr.startswith("[ ERROR ]  MO1002 ")
    done = run(program, known, "--info", "none.onnx")
    assert (done.returncode, done.stdout) == (2, "") and done.stderr.startswith("[ ERROR ]  MO6007 ")


def test_info_as_json_is_that_of_the_library(known):
    script = "const { inspect } = await import(process.argv[2]); console.log(JSON.stringify(await inspect('known.onnx', { compress_to_fp16: true })))"
    (known / "inspect.mjs").write_text(script)
    library = os.path.join(ROOT, "dist", "library", "node", "node.js")
    inspected = json.loads(subprocess.run(["node", "inspect.mjs", library], cwd=known, capture_output=True, text=True, check=True).stdout)
    texts = set()
    for program in [MO], NODE:
        done = run(program, known, "--info", "known.onnx", "--json")
        assert done.returncode == 0 and done.stdout.count("\n") == 1
        texts.add(done.stdout)
        assert json.loads(done.stdout) == {"model": "known.onnx", "ok": True, **inspected}
    assert len(texts) == 1
    for program in [MO], NODE:
        done = run(program, known, "--info", "garbage.onnx", "--json")
        line = json.loads(done.stdout)
        assert done.returncode == 1 and list(line) == ["model", "ok", "messages"] and not line["ok"] and line["messages"][0]["code"] == "MO1002"


@PROGRAMS
def test_info_knows_extensions(models, program):
    save(models / "taught.onnx", "SoftThreshold", threshold=0.5)
    assert "Not supported:  SoftThreshold 1:\n" in run(program, models, "--info", "taught.onnx").stdout
    taught = run(program, models, "--info", "taught.onnx", "--extensions", os.path.join(ROOT, "docs/examples/extensions/custom_op"))
    assert (taught.returncode, taught.stderr) == (0, "") and "Not supported" not in taught.stdout and "SoftThreshold 1\n" in taught.stdout


@PROGRAMS
@pytest.mark.parametrize("jobs", [1, 2])
def test_several_models_with_extensions(models, program, jobs):
    """In the package they are converted in another thread."""
    extensions = ["--extensions", os.path.join(ROOT, "docs/examples/extensions/custom_op")]
    save(models / "models/a/new.onnx", opset=99)
    save(models / "models/b/new.onnx", opset=99)
    done = run(program, models, "models", "bad/garbage.onnx", "-o", "ir", "-j", jobs, "--progress", *extensions)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert [line[:13] for line in lines] == ["Progress: [.."[:13]] * 5 + ["[ ERROR ]  MO"] + ["Progress: [.."] + ["[ WARNING ]  "] + ["[ ERROR ]  5 "] + ["  bad/garbage"]
    assert lines[7].startswith(NEWER) and lines[7].endswith(" (2 times)") and lines[8] == "[ ERROR ]  5 converted, 1 failed:"
    assert done.stdout.count(COMPRESSED) == 1 and done.stdout.count("[ SUCCESS ] XML file: ") == 5
    done = run(program, models, "models/a/new.onnx", "-o", "ir", *extensions)
    assert done.returncode == 0 and done.stderr.startswith(NEWER) and done.stderr.count("\n") == 1
    assert run(program, models, "models", "-o", "ir", "-j", jobs, "--silent", *extensions).stdout == ""


# What the command says of itself

@PROGRAMS
def test_the_version_is_one_word(models, program):
    with open(os.path.join(ROOT, "package.json")) as file:
        version = json.load(file)["version"]
    for words in ["--version"], ["-V"], ["models/a/net.onnx", "-V"]:
        assert run(program, models, *words).stdout == f"mo {version}\n"


@PROGRAMS
@pytest.mark.parametrize("word, hint", [("--output_model", "--output_dir and --model_name"), ("--output-model=x", "--output_dir and --model_name"), ("--verbose", "--silent False")])
def test_options_of_ovc_are_answered(models, program, word, hint):
    done = run(program, models, "models/a/net.onnx", word, "x.xml")
    assert done.returncode == 2 and f"unrecognized arguments: {word.split('=')[0]} (did you mean {hint}?)" in done.stderr


def test_help_has_the_options_of_its_host():
    for words in ["--help"], ["--completion", "bash"], ["--completion", "zsh"], ["--completion", "fish"]:
        native, package = (run(program, ROOT, *words).stdout for program in ([MO], NODE))
        assert "report" not in native and "report" in package
        without = [line for line in package.splitlines() if "report" not in line]
        assert words != ["--help"] or [line for line in native.splitlines() if line in without] == native.splitlines()


def test_the_manual_page_has_every_option():
    with open(os.path.join(ROOT, "docs", "mo.1")) as file:
        page = file.read()
    options = re.findall(r"--(\w+)", subprocess.run([*NODE, "--completion", "fish"], capture_output=True, text=True).stdout)
    options += re.findall(r"complete -c mo -l (\w+)", subprocess.run([*NODE, "--completion", "fish"], capture_output=True, text=True).stdout)
    assert len(options) > 60
    for name in set(options):
        assert "\\fB\\-\\-" + name + "\\fR" in page, name
    assert page.startswith('.\\" Generated') and "\n.TH MO 1 " in page
