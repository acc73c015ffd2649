"""Sequences of several lengths."""
import numpy as np

from models import Family
from values import fed

family = Family(__name__)
case = family.case
for kind in ("SequenceMask", "SequenceLast", "SequenceReverse"):
    case(kind, "whole", unknown=(1,), data=fed(4, 2, 3))
    case(kind, "lengths", unknown={"data": (1,), "sequence_length": (0,)}, attrs={"use_sequence_length": True}, data=fed(4, 2, 3), sequence_length=fed(values=[2, 4]))
    if kind != "SequenceReverse":
        case(kind, "axis", attrs={"use_sequence_length": True, "axis": 1}, data=fed(2, 4, 3), sequence_length=fed(values=[3, 1]))
case("SequenceMask", "value", attrs={"use_sequence_length": True, "value": -7.5}, data=fed(4, 2), sequence_length=fed(values=[1, 3], dtype=np.int32))
case("SequenceReverse", "deep", attrs={"use_sequence_length": True}, data=fed(4, 2, 3, 2), sequence_length=fed(values=[4, 2]))
