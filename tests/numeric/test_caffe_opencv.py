"""Networks of Caffe: the IR in the runtime against OpenCV, which reads most of them.

tests/caffe/opencv.txt lists the cases that OpenCV refuses or computes otherwise than Caffe does, with the reason.
"""
import os
import sys

import pytest

import judge
from caffe_judge import compare, converted, detections, in_runtime

FOLDER = os.path.join(judge.ROOT, "tests", "caffe")
sys.path.insert(0, FOLDER)
import every  # noqa: E402
import opencv  # noqa: E402

OTHERWISE = every.listed(os.path.join(FOLDER, "opencv.txt"))


@pytest.mark.parametrize("name", every.NAMES)
def test_as_opencv(name, tmp_path):
    net = every.build(name, opencv.SPELLED)
    model = net.write(tmp_path)
    xml, _ = converted(model, tmp_path)
    try:
        compare(opencv.results(net, model), in_runtime(xml, net.feeds), detections(net))
    except (opencv.Refused, AssertionError) as difference:
        assert name in OTHERWISE, difference
    else:
        assert name not in OTHERWISE, "OpenCV agrees: the case is listed in opencv.txt without need"


def test_opencv_judges_most():
    assert len(every.NAMES) - len(OTHERWISE) >= 140
