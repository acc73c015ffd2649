"""Recurrent blocks and losses over time."""
import numpy as np

from graphs import Family, fed, fixed

case = Family(__name__).case

INPUTS, CELLS, BATCH, TIME = 3, 4, 2, 5


def peepholes(clip=-1.0):
    """No peepholes, and cells that are not clipped."""
    return {name: np.zeros(CELLS, np.float32) for name in ("wci", "wcf", "wco")} | {"cell_clip": clip}


case("LSTMBlockCell", take=[1, 6], x=fed(BATCH, INPUTS), cs_prev=fed(BATCH, CELLS), h_prev=fed(BATCH, CELLS), w=fixed(INPUTS + CELLS, 4 * CELLS), b=fixed(4 * CELLS), **peepholes())
case("LSTMBlockCell", "forget_bias", take=[1, 6], x=fed(BATCH, INPUTS), cs_prev=fed(BATCH, CELLS), h_prev=fed(BATCH, CELLS), w=fixed(INPUTS + CELLS, 4 * CELLS), b=fixed(4 * CELLS),
     forget_bias=0.0, **peepholes())
for kind in ("BlockLSTM", "BlockLSTMV2"):
    case(kind, take=[1, 6], seq_len_max=np.int64(TIME), x=fed(TIME, BATCH, INPUTS), cs_prev=fed(BATCH, CELLS), h_prev=fed(BATCH, CELLS), w=fixed(INPUTS + CELLS, 4 * CELLS),
         b=fixed(4 * CELLS), **peepholes())
case("BlockLSTM", "clip", take=[6], seq_len_max=np.int64(TIME), x=fed(TIME, BATCH, INPUTS), cs_prev=fed(BATCH, CELLS, low=-4, high=4), h_prev=fed(BATCH, CELLS),
     w=fixed(INPUTS + CELLS, 4 * CELLS), b=fixed(4 * CELLS), **peepholes(0.5))
case("BlockLSTM", "outputs", unknown={"x": (0, 1), "cs_prev": (0,), "h_prev": (0,)}, take=[6], seq_len_max=np.int64(TIME), x=fed(TIME, BATCH, INPUTS), cs_prev=fed(BATCH, CELLS),
     h_prev=fed(BATCH, CELLS), w=fixed(INPUTS + CELLS, 4 * CELLS), b=fixed(4 * CELLS), **peepholes())
case("BlockLSTM", "peephole", take=[6], seq_len_max=np.int64(TIME), x=fed(TIME, BATCH, INPUTS), cs_prev=fed(BATCH, CELLS), h_prev=fed(BATCH, CELLS), w=fixed(INPUTS + CELLS, 4 * CELLS),
     wci=fixed(CELLS), wcf=fixed(CELLS), wco=fixed(CELLS), b=fixed(4 * CELLS), use_peephole=True, cell_clip=-1.0)
case("GRUBlockCell", take=[3], x=fed(BATCH, INPUTS), h_prev=fed(BATCH, CELLS), w_ru=fixed(INPUTS + CELLS, 2 * CELLS), w_c=fixed(INPUTS + CELLS, CELLS), b_ru=fixed(2 * CELLS), b_c=fixed(CELLS))
case("CTCGreedyDecoder", take=[1, 2], inputs=fed(TIME, BATCH, 4), sequence_length=fed(values=[5, 4], dtype=np.int32))
case("CTCLoss", take=[0], inputs=fed(TIME, BATCH, 4), labels_indices=np.array([[0, 0], [0, 1], [1, 0]], np.int64), labels_values=np.array([1, 2, 0], np.int32),
     sequence_length=fed(values=[5, 5], dtype=np.int32))
for variant, flags in {"lengths": {}, "collapse": {"preprocess_collapse_repeated": True}, "not_merged": {"ctc_merge_repeated": False}}.items():
    case("CTCLoss", variant, unknown={"inputs": (0, 1), "labels_indices": (0,), "labels_values": (0,), "sequence_length": (0,)} if variant == "lengths" else (), take=[0],
         inputs=fed(8, 3, 6, low=-3, high=3), labels_indices=fed(values=[[0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1]], dtype=np.int64), labels_values=fed(values=[1, 1, 4, 0, 2, 2], dtype=np.int32),
         sequence_length=fed(values=[8, 5, 6], dtype=np.int32), **flags)
