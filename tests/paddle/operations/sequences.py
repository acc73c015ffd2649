"""Sequences of 1.x: rows of one sequence that know their number; several are refused or not, as the runtime allows."""
import numpy as np

from models import Family, sequence
from values import fed, fixed

family = Family(__name__)
case = family.case
LONG = np.int64

for pool in ("SUM", "AVERAGE", "SQRT", "MAX", "LAST", "FIRST"):
    case("sequence_pool", pool.lower(), attrs={"pooltype": pool, "pad_value": 0.0, "is_test": True}, X=sequence(5, 3))
case("sequence_softmax", X=sequence(5, 1))
case("sequence_reverse", X=sequence(5, 3))
case("sequence_concat", X=[sequence(3, 2), sequence(4, 2)])
case("sequence_expand", attrs={"ref_level": 0}, X=fed(1, 3), Y=sequence(4, 2))
case("sequence_expand_as", X=fed(1, 3), Y=sequence(4, 2))
case("sequence_reshape", attrs={"new_dim": 2}, X=sequence(3, 4))
case("sequence_slice", X=sequence(6, 2), Offset=fed(values=[[1]], dtype=LONG), Length=fed(values=[[3]], dtype=LONG))
case("sequence_enumerate", attrs={"win_size": 3, "pad_value": 0}, X=sequence(values=[[1], [2], [3], [4]], dtype=LONG))
case("sequence_erase", attrs={"tokens": [2, 5]}, X=sequence(values=[[1], [2], [3], [5], [2]], dtype=LONG))
for start, length in ((-1, 3), (0, 2), (-2, 3)):
    case("sequence_conv", f"{start}_{length}".replace("-", "m"), attrs={"contextStart": start, "contextLength": length, "contextStride": 1, "paddingTrainable": False}, X=sequence(6,
            3), Filter=fixed(3 * length, 4))
case("sequence_pad", attrs={"padded_length": 7}, outs={"Length": "int64"}, X=sequence(5, 3), PadValue=fixed(values=[0.5]))
case("sequence_pad", "longest", attrs={"padded_length": -1}, outs={"Length": "int64"}, X=sequence(5, 3), PadValue=fixed(values=[0.0]))
case("sequence_unpad", X=fed(1, 6, 3), Length=fed(values=[4], dtype=LONG))
case("sequence_scatter", X=fed(1, 6), Ids=sequence(values=[[1], [4]], dtype=LONG), Updates=sequence(2, 1))
case("sequence_mask", "of_sequence", attrs={"maxlen": 4, "out_dtype": 5}, outs={"Y": "float32"}, X=fed(values=[3], dtype=LONG))
case("lod_reset", attrs={"target_lod": [0, 5]}, X=sequence(5, 3))
case("im2sequence", attrs={"kernels": [2, 2], "strides": [1, 1], "paddings": [0, 0, 0, 0]}, X=fed(1, 2, 4, 5))
case("im2sequence", "padded", attrs={"kernels": [2, 3], "strides": [2, 1], "paddings": [1, 0, 1, 0]}, X=fed(1, 2, 4, 5))
case("ctc_align", "sequence", attrs={"blank": 0, "merge_repeated": True}, Input=sequence(values=[[0], [1], [1], [0], [2], [2]], dtype=np.int32))
case("edit_distance", attrs={"normalized": False}, outs={"SequenceNum": "int64", "Out": "float32"}, take=[1], Hyps=sequence(values=[[1], [2], [3]],
        dtype=LONG), Refs=sequence(values=[[1], [3], [3], [4]],
                dtype=LONG))
case("fused_embedding_seq_pool", attrs={"combiner": "sum"}, W=fixed(6, 3), Ids=sequence(values=[[1], [4], [2]], dtype=LONG))
case("fusion_seqpool_concat", attrs={"pooltype": "SUM", "axis": 1}, X=[sequence(3, 2), sequence(4, 2)])
case("fusion_seqconv_eltadd_relu", attrs={"contextStart": -1, "contextLength": 3, "contextStride": 1}, X=sequence(5, 3), Filter=fixed(9, 4), Bias=fixed(1, 4))
case("fusion_seqexpand_concat_fc", attrs={"fc_activation": "relu"}, X=[sequence(4, 3), sequence(1, 2)], FCWeight=fixed(5, 3), FCBias=fixed(1, 3))


@family.graph("words", extra=True)
def words(b):
    """A tagger of 1.x, as LAC has it: numbers of words, an embedding, a projection, gru forwards and backwards, the best path."""
    f = b.op
    ids = b.fed("words", sequence(values=[[3], [1], [4], [1], [5]], dtype=LONG))
    vectors = f("lookup_table", {"padding_idx": -1}, {"Out": "float32"}, W=b.fixed(fixed(8, 6), "word_emb"), Ids=ids)
    sides = []
    for side, backwards in (("forwards", False), ("backwards", True)):
        projected = f("elementwise_add", {"axis": 1}, X=f("mul", {"x_num_col_dims": 1, "y_num_col_dims": 1}, X=vectors, Y=b.fixed(fixed(6, 12), side + "_fc")), Y=b.fixed(fixed(12),
                side + "_fc_bias"))
        sides.append(f("gru", {"is_reverse": backwards}, Input=projected, Weight=b.fixed(fixed(4, 12), side + "_gru"), Bias=b.fixed(fixed(1, 12), side + "_gru_bias")))
    both = f("concat", {"axis": 1}, X=sides)
    emission = f("mul", {"x_num_col_dims": 1, "y_num_col_dims": 1}, X=both, Y=b.fixed(fixed(8, 5), "emission"))
    return [f("crf_decoding", None, {"ViterbiPath": "int64"}, Emission=emission, Transition=b.fixed(fixed(7, 5), "crfw"))]


@family.graph("text_of_convolutions")
def text(b):
    """A classifier of 1.x: convolutions over words, the largest of each channel, a layer."""
    f = b.op
    ids = b.fed("words", sequence(values=[[3], [1], [4], [1], [5]], dtype=LONG))
    vectors = f("lookup_table", {"padding_idx": 0}, {"Out": "float32"}, W=b.fixed(fixed(8, 6), "emb"), Ids=ids)
    parts = []
    for length in (3, 4):
        made = f("sequence_conv", {"contextStart": -(length // 2), "contextLength": length, "contextStride": 1}, X=vectors, Filter=b.fixed(fixed(6 * length, 5), f"conv{length}"))
        parts.append(f("sequence_pool", {"pooltype": "MAX", "is_test": True}, X=f("tanh", X=made)))
    made = f("mul", {"x_num_col_dims": 1, "y_num_col_dims": 1}, X=f("concat", {"axis": 1}, X=parts), Y=b.fixed(fixed(10, 3), "fc"))
    return [f("softmax", {"axis": -1}, X=made)]
