"""Networks of transformers, made small: encoders and a decoder."""
from torch import nn

from models import Family, given, ints

family = Family(__name__)
module = family.module


class Keyed(nn.Module):
    """A network of transformers that is fed by name, without what is no tensor in its output."""

    def __init__(self, network, fed_by, keys, options):
        super().__init__()
        self.network, self.fed_by, self.keys, self.options = network, fed_by, keys, options

    def forward(self, *args):
        out = self.network(**dict(zip(self.fed_by, args)), **self.options)
        return {key: out[key] for key in self.keys}


def transformer(kind, config, fed_by, keys, call=None, **options):
    def build():
        import transformers
        from transformers.integrations.executorch import sdpa_mask_without_vmap
        from transformers.integrations.sdpa_attention import sdpa_attention_forward
        from transformers.masking_utils import AttentionMaskInterface
        AttentionMaskInterface.register("sdpa_without_vmap", sdpa_mask_without_vmap)
        transformers.modeling_utils.AttentionInterface.register("sdpa_without_vmap", sdpa_attention_forward)
        made = getattr(transformers, config)(**options)
        network = getattr(transformers, kind)(made)
        if call and "use_cache" in call:
            network.config._attn_implementation = "sdpa_without_vmap"
        return Keyed(network, fed_by.split(), keys.split(), call or {})
    return build


SMALL = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32, "vocab_size": 60, "max_position_embeddings": 32}
IDS, MASK = ints(2, 7, low=1, high=60), given([[1] * 7, [1] * 5 + [0] * 2], "int64")
TEXT, ALONE = "input_ids attention_mask", {"use_cache": False}
module("bert", transformer("BertForSequenceClassification", "BertConfig", TEXT, "logits", **SMALL), IDS, MASK, unknown=(0, 1), core=True)
module("roberta", transformer("RobertaModel", "RobertaConfig", TEXT, "last_hidden_state pooler_output", **SMALL), IDS, MASK, unknown=(0,))
module("distilbert", transformer("DistilBertModel", "DistilBertConfig", TEXT, "last_hidden_state", dim=16, n_layers=2, n_heads=2, hidden_dim=32, vocab_size=60, max_position_embeddings=32), IDS, MASK, unknown=(0,))
module("albert", transformer("AlbertForTokenClassification", "AlbertConfig", TEXT, "logits", embedding_size=8, **SMALL), IDS, MASK, unknown=(0,))
module("electra", transformer("ElectraForQuestionAnswering", "ElectraConfig", TEXT, "start_logits end_logits", embedding_size=8, **SMALL), IDS, MASK)
module("mpnet", transformer("MPNetModel", "MPNetConfig", TEXT, "last_hidden_state", **SMALL), IDS, MASK)
module("deberta_v2", transformer("DebertaV2Model", "DebertaV2Config", TEXT, "last_hidden_state", relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=8, **SMALL), IDS, MASK)
module("squeezebert", transformer("SqueezeBertModel", "SqueezeBertConfig", TEXT, "last_hidden_state", embedding_size=16, q_groups=2, k_groups=2, v_groups=2, post_attention_groups=1, intermediate_groups=2, output_groups=2, **SMALL), IDS, MASK)
module("convbert", transformer("ConvBertModel", "ConvBertConfig", TEXT, "last_hidden_state", embedding_size=16, head_ratio=1, conv_kernel_size=3, **SMALL), IDS, MASK)
module("fnet", transformer("FNetModel", "FNetConfig", "input_ids", "last_hidden_state", **SMALL), IDS)
module("t5_encoder", transformer("T5EncoderModel", "T5Config", TEXT, "last_hidden_state", d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, vocab_size=60), IDS, MASK, unknown=(0,))
module("gpt2", transformer("GPT2LMHeadModel", "GPT2Config", TEXT, "logits", ALONE, n_embd=16, n_layer=2, n_head=2, vocab_size=60, n_positions=32), IDS, MASK, unknown=(0,))
