"""SavedModels that change variables (tests/tf/states.py): several calls one after the other, each with what TensorFlow answered, and again after
reset_state(). What cannot be kept is refused with the name of the variable."""
import os
import subprocess

import numpy as np
import pytest

import environments
import judge

FOLDER = os.path.join(judge.ROOT, "tests", "tf", "recorded", "states")
KEPT = sorted(name for name in os.listdir(FOLDER) if os.path.exists(os.path.join(FOLDER, name, "calls.npz")))
# What the oldest runtime does not do: reductions of ScatterNDUpdate, and states that grow.
NEWER = {"scatter", "scatter_elements", "open_shape"}
STATES = {
    "add_and_subtract": ["n", "v"],
    "batch_statistics": ["moving_mean", "moving_variance"],
    "functions": ["v", "w"],
    "in_condition_without_result": ["n", "v"],
    "keras2_stateful": ["gru/Variable", "lstm/Variable", "lstm/Variable_1"],
    "keras3_stateful": ["sequential/gru/rnn_state", "sequential/lstm/rnn_state", "sequential/lstm/rnn_state_1"],
    "slices": ["n", "v"],
    "tf1_branch_of_training": [],
    "tf1_reference_in_condition": ["weights_of_it"],
    "trained_elsewhere": [],
}
REFUSED = {
    "training_step": ["ResourceApplyGradientDescent", "it changes the variable weights_of_it"],
    "in_condition_of_loop": ["While", "its condition assigns the variable weights_of_it"],
    "tf1_in_condition": ["AssignVariableOp", "a branch or loop of TensorFlow 1 changes the variable weights_of_it"],
    "tf1_in_loop": ["AssignVariableOp", "a branch or loop of TensorFlow 1 changes the variable weights_of_it"],
}

SCRIPT = """
import sys, numpy as np
import openvino
if not hasattr(openvino, "Core"):
    import openvino.runtime as openvino
calls = dict(np.load(sys.argv[2]))
core = openvino.Core()
request = core.compile_model(core.read_model(sys.argv[1]), "CPU", {"INFERENCE_PRECISION_HINT": "f32"}).create_infer_request()
got = {"states": np.array(sorted(state.name for state in request.query_state()))}
for turn in range(2):
    for call in sorted({name.split("/")[0] for name in calls}):
        answers = request.infer({name.split("/", 2)[2]: array for name, array in calls.items() if name.startswith(call + "/feed/")})
        got.update({f"{turn}/{call}/{name}": array.copy() for port, array in answers.items() for name in port.get_names()})
    for state in request.query_state():
        state.reset()
np.savez(sys.argv[3], **got)
"""


def infer(environment, xml, calls, folder):
    environments.run(environment, SCRIPT, xml, calls, folder / "got.npz")
    return dict(np.load(folder / "got.npz"))


@pytest.mark.parametrize("runtime", [".venv", ".venv-2023"])
@pytest.mark.parametrize("name", KEPT)
def test_calls_one_after_the_other(name, runtime, tmp_path):
    if runtime == ".venv-2023" and name in NEWER:
        pytest.skip("needs a newer runtime")
    xml = judge.convert(os.path.join(FOLDER, name), tmp_path)
    calls = os.path.join(FOLDER, name, "calls.npz")
    got = infer(runtime, xml, calls, tmp_path)
    assert list(got.pop("states")) == STATES.get(name, ["v"])
    wanted = {key: array for key, array in np.load(calls).items() if "/want/" in key}
    assert wanted
    for turn in range(2):
        for key, want in wanted.items():
            call, _, output = key.split("/", 2)
            answer = got[f"{turn}/{call}/{output}"]
            assert answer.dtype == want.dtype
            assert judge.relative_error(answer, want) < 1e-5, (turn, key)


def test_every_refused_model_is_listed():
    assert sorted(REFUSED) == sorted(set(os.listdir(FOLDER)) - set(KEPT))


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_kept_is_an_error(name, tmp_path):
    run = subprocess.run([judge.MO, os.path.join(FOLDER, name), "--output_dir", tmp_path / "out"], capture_output=True, text=True, timeout=600)
    assert run.returncode == 1 and "MO2004" in run.stderr, run.stderr
    for text in [*REFUSED[name], "saved_model.pb"]:
        assert text in run.stderr, run.stderr
    assert not (tmp_path / "out").exists()


def test_outputs_that_need_no_assignment_have_no_state(tmp_path):
    """Cut at the sum, which only reads the variable: the assignment behind it is no part of the model."""
    folder = os.path.join(FOLDER, "not_read")
    xml = judge.convert(folder, tmp_path, "--output", "StatefulPartitionedCall/StatefulPartitionedCall/add")
    with open(xml) as file:
        assert "ReadValue" not in file.read()
