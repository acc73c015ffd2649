"""Messages are data: with --json, also for what the parser of the command line refuses, whose sentence is the original's."""

import json
import os
import subprocess

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.path.abspath(os.environ.get("MO", os.path.join(ROOT, "build/native/mo")))

REFUSED = [
    (["--inpt", "x"], "MO6001", "", "unrecognized arguments: --inpt (did you mean --input?)"),
    (["--m", "x"], "MO6023", "", "ambiguous option: --m could match "),
    (["m.onnx", "--output_dir"], "MO6024", "output_dir", "argument --output_dir/-o: expected one argument"),
    (["m.onnx", "--log_level", "LOUD"], "MO6002", "log_level", "argument --log_level: invalid choice: 'LOUD' (choose from "),
    (["m.onnx", "--compress_to_fp16=maybe"], "MO6002", "compress_to_fp16", "argument --compress_to_fp16: expected a True/False value"),
    ([""], "MO6025", "", "the name of a model is empty"),
    (["\u2013scale", "2"], "MO6025", "", '"\u2013scale" begins with a dash'),
]


def english(message):
    """A template with its arguments filled in."""
    parts = message["template"].split("{}")
    given = [a if isinstance(a, str) else english(a) for a in message["arguments"]]
    assert len(parts) == len(given) + 1, message
    return parts[0] + "".join(a + p for a, p in zip(given, parts[1:]))


@pytest.mark.parametrize("words, code, option, says", REFUSED, ids=[row[3][:30] for row in REFUSED])
def test_what_the_parser_refuses_has_a_code(words, code, option, says):
    plain = subprocess.run([MO, *words], capture_output=True, text=True)
    assert plain.returncode == 2 and plain.stdout == ""
    assert plain.stderr.startswith("usage: mo [options] MODEL [MODEL ...]\nmo: error: " + says)
    asked = subprocess.run([MO, "--json", *words], capture_output=True, text=True)
    assert asked.returncode == 2 and asked.stderr == plain.stderr
    line = json.loads(asked.stdout)
    assert line["ok"] is False
    [message] = line["messages"]
    assert (message["code"], message["option"]) == (code, option)
    assert message["text"].endswith(plain.stderr.split("mo: error: ")[1].rstrip("\n"))
    assert english(message) == message["text"] and english(message["advice"]) == message["hint"]


def test_an_error_in_an_option_names_it(tmp_path):
    for option, value, code in [("scale", "0", "MO6002"), ("mean_values", "x", "MO6055"), ("batch", "0", "MO6002"),
                                ("transform", "Nothing", "MO6074"), ("disabled_transforms", "Nothing", "MO4003")]:
        run = subprocess.run([MO, "m.onnx", "--json", f"--{option}={value}"], capture_output=True, text=True, cwd=tmp_path)
        [message] = json.loads(run.stdout)["messages"]
        assert (message["code"], message["option"]) == (code, option)
        assert english(message) == message["text"]
