"""The interleaved products of attention."""
from models import Family
from values import fed, fixed

family = Family(__name__)
case = family.case
# Sequence, batch, heads * 3 * width.
case("_contrib_interleaved_matmul_selfatt_qk", unknown=(0, 1), attrs={"heads": 2}, queries_keys_values=fed(4, 3, 2 * 3 * 5))
case("_contrib_interleaved_matmul_selfatt_valatt", unknown={"queries_keys_values": (0,), "attention": (1, 2)}, attrs={"heads": 2}, queries_keys_values=fed(4, 3, 2 * 3 * 5), attention=fed(6, 4, 4))
case("_contrib_interleaved_matmul_encdec_qk", attrs={"heads": 2}, queries=fed(4, 3, 10), keys_values=fed(6, 3, 20))
case("_contrib_interleaved_matmul_encdec_valatt", attrs={"heads": 2}, keys_values=fed(6, 3, 20), attention=fed(6, 4, 6))


@family.graph("self_attention", unknown=(0, 1))
def self_attention(b):
    """As GluonNLP's BERT has it: time first, the mask of valid lengths inside."""
    x = b.fed("data", fed(6, 2, 8))
    projected = b.op("FullyConnected", data=x, attrs={"num_hidden": 24, "flatten": False}, name="qkv")
    scores = b.op("_contrib_interleaved_matmul_selfatt_qk", projected, attrs={"heads": 2})
    weights = b.op("softmax", scores, attrs={"axis": -1})
    return [b.op("_contrib_interleaved_matmul_selfatt_valatt", projected, weights, attrs={"heads": 2})]
