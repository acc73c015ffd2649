"""The script of --emit_check for networks of Kaldi: frame by frame, against arrays and against text archives as Kaldi's programs write them."""
import os
import subprocess
import sys

import numpy as np
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MO = os.path.abspath(os.environ.get("MO", os.path.join(ROOT, "build", "native", "mo")))
RANDOM = np.random.default_rng(3)
FRAMES, IVECTOR = RANDOM.standard_normal((9, 3), np.float32), RANDOM.standard_normal(2, np.float32)
WEIGHT, BIAS = RANDOM.standard_normal((4, 11), np.float32), RANDOM.standard_normal(4, np.float32)
POOLED = """<Nnet3> 
input-node name=input dim=3
component-node name=stats component=stats input=input
component-node name=pool component=pool input=Round(stats, 1)
output-node name=output input=pool

<NumComponents> 2 
<ComponentName> stats <StatisticsExtractionComponent> <InputDim> 3 <InputPeriod> 1 <OutputPeriod> 1 <IncludeVarinance> T </StatisticsExtractionComponent> 
<ComponentName> pool <StatisticsPoolingComponent> <InputDim> 7 <InputPeriod> 1 <LeftContext> 0 <RightContext> 10000 <NumLogCountFeatures> 0 <OutputStddevs> T <VarianceFloor> 1e-10 </StatisticsPoolingComponent> 
</Nnet3> 
"""


def text_of(array):
    """As Kaldi writes a matrix, or a vector."""
    if array.ndim == 1:
        return " [ " + " ".join(f"{number:.7g}" for number in array) + " ]\n"
    return " [\n" + "\n".join("  " + " ".join(f"{number:.7g}" for number in row) + " " for row in array) + "]\n"


def network():
    """One layer that sees the frame before, two behind, and the i-vector: y(t) = W (x(t - 1), x(t), x(t + 2), ivector) + b."""
    return f"""<Nnet3> 
input-node name=input dim=3
input-node name=ivector dim=2
component-node name=hidden component=hidden input=Append(Offset(input, -1), input, Offset(input, 2), ReplaceIndex(ivector, t, 0))
output-node name=output input=hidden objective=linear

<NumComponents> 1 
<ComponentName> hidden <AffineComponent> <LearningRate> 0.001 <LinearParams> {text_of(WEIGHT)} <BiasParams> {text_of(BIAS)} <IsGradient> F </AffineComponent> 
</Nnet3> 
"""


def expected(frames):
    """With the first and the last frame repeated."""
    at = lambda t: frames[np.clip(np.arange(len(frames)) + t, 0, len(frames) - 1)]  # noqa: E731
    return np.concatenate([at(-1), at(0), at(2), np.tile(IVECTOR, (len(frames), 1))], 1) @ WEIGHT.T + BIAS


def convert(folder, text, *options):
    (folder / "net.raw").write_text(text)
    done = subprocess.run([MO, "net.raw", "-o", "out", "--emit_check", "--compress_to_fp16=False", *options], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def layer(tmp_path):
    convert(tmp_path, network())
    np.save(tmp_path / "x.npy", FRAMES)
    np.save(tmp_path / "i.npy", IVECTOR)
    (tmp_path / "feats.txt").write_text("".join(f"utt{i} {text_of(FRAMES[:9 - i])}" for i in range(3)))
    (tmp_path / "ivectors.txt").write_text("".join(f"utt{i} {text_of(IVECTOR)}" for i in range(3)))
    (tmp_path / "out.txt").write_text("".join(f"utt{i} {text_of(expected(FRAMES[:9 - i]))}" for i in range(3)))
    np.savez(tmp_path / "y.npz", output=expected(FRAMES))
    return tmp_path


def check(folder, *arguments):
    done = subprocess.run([sys.executable, folder / "out" / "check_net.py", *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.stderr == ""
    return done.returncode, done.stdout


ARRAYS = ["--data", "input=x.npy", "--data", "ivector=i.npy", "--expected", "y.npz"]
ARCHIVES = ["--data", "input=feats.txt", "--data", "ivector=ivectors.txt", "--expected", "out.txt"]


@pytest.mark.parametrize("arguments", [ARRAYS, ARCHIVES, [*ARCHIVES, "--utterance", "utt2"], [*ARRAYS[:4], *ARCHIVES[4:]]], ids=["arrays", "archives", "another utterance", "both"])
def test_frames_agree(layer, arguments):
    code, text = check(layer, *arguments)
    assert code == 0 and "The outputs agree." in text and f"{7 if '--utterance' in arguments else 9} frames, contexts 1 and 2" in text, text


def test_an_ivector_for_each_frame(layer):
    np.save(layer / "i.npy", np.tile(IVECTOR, (9, 1)))
    assert check(layer, *ARRAYS)[0] == 0
    np.save(layer / "i.npy", np.tile(IVECTOR, (4, 1)))
    code, text = check(layer, *ARRAYS)
    assert code == 2 and "input ivector has neither one row nor one for each of the 9 frames" in text


def test_chain_models_have_every_third_frame(layer):
    np.savez(layer / "y.npz", output=expected(FRAMES)[::3])
    assert check(layer, *ARRAYS, "--every", "3")[0] == 0
    code, text = check(layer, *ARRAYS)
    assert code == 1 and "WRONG SHAPE: [3, 4] is expected, [9, 4] in the IR" in text


def test_the_first_wrong_frame_is_named(layer):
    want = expected(FRAMES)
    want[5] += 1
    np.savez(layer / "y.npz", output=want)
    code, text = check(layer, *ARRAYS)
    assert code == 1 and "in frame 5 of 9  ABOVE THE TOLERANCE from frame 5 on" in text and "The outputs differ" in text


def test_contexts_may_be_given(layer):
    code, text = check(layer, *ARRAYS, "--left-context", "4", "--right-context", "2")
    assert code == 0 and "contexts 4 and 2" in text
    code, text = check(layer, *ARRAYS, "--right-context", "1")
    assert code == 1, text


@pytest.mark.parametrize("arguments, says", [
    ([], "no package for Python runs models of Kaldi"),
    (ARRAYS[2:], "give the numbers of input input: --data input=FILE"),
    ([*ARCHIVES, "--utterance", "utt9"], "out.txt has no utterance utt9"),
    (["--data", "input=i.npy", *ARRAYS[2:]], "rows of 2 numbers, input input takes 3"),
    ([*ARRAYS[:4], "--expected", "binary.ark"], "binary.ark is no text archive of Kaldi: its programs write one to ark,t:FILE"),
    ([*ARRAYS[:4], "--expected", "ragged.txt"], "the rows of utt have different lengths"),
    ([*ARRAYS[:4], "--expected", "other.npz"], "--expected has none of the outputs"),
], ids=["nothing", "no data", "no utterance", "no rows of that size", "binary", "ragged", "no such output"])
def test_what_is_not_comparable(layer, arguments, says):
    (layer / "binary.ark").write_bytes(b"utt0 \0BFM \4\1\0\0\0\4\1\0\0\0\0\0\0\0\n")
    (layer / "ragged.txt").write_text("utt [\n 1 2\n 3 ]\n")
    np.savez(layer / "other.npz", nothing=FRAMES)
    code, text = check(layer, *arguments)
    assert code == 2 and "Not comparable: " in text and says in text, text


def test_what_is_said_of_a_whole_utterance(tmp_path):
    convert(tmp_path, POOLED)
    want = np.concatenate([FRAMES.mean(0), FRAMES.std(0)])
    np.save(tmp_path / "x.npy", FRAMES)
    (tmp_path / "out.txt").write_text("utt " + text_of(want))
    code, text = check(tmp_path, "--data", "input=x.npy", "--expected", "out.txt")
    assert code == 0 and "which are not repeated for a vector" in text, text
    (tmp_path / "out.txt").write_text("utt " + text_of(want + 1))
    assert check(tmp_path, "--data", "input=x.npy", "--expected", "out.txt")[0] == 1
