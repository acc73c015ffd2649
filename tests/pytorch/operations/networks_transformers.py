"""Networks of transformers, made small: encoders, decoders with and without their caches, pictures and speech."""
from torch import nn

from models import Family, fed, given, ints, lively

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


class Stepping(nn.Module):
    """A decoder that is given what it has computed for the words before: keys and values of each layer."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, input_ids, attention_mask, *past):
        from transformers import DynamicCache
        pairs = tuple(zip(past[::2], past[1::2]))
        out = self.network(input_ids=input_ids, attention_mask=attention_mask, past_key_values=DynamicCache.from_legacy_cache(pairs), use_cache=True)
        return out.logits, *[tensor for pair in out.past_key_values.to_legacy_cache() for tensor in pair]


def with_savable_masks():
    import transformers
    from transformers.integrations.executorch import sdpa_mask_without_vmap
    from transformers.integrations.sdpa_attention import sdpa_attention_forward
    from transformers.masking_utils import AttentionMaskInterface
    AttentionMaskInterface.register("sdpa_without_vmap", sdpa_mask_without_vmap)
    transformers.modeling_utils.AttentionInterface.register("sdpa_without_vmap", sdpa_attention_forward)


def decoder(kind, config, wrap, **options):
    def build():
        import transformers
        with_savable_masks()
        network = lively(getattr(transformers, kind)(getattr(transformers, config)(**options))).eval()
        network.config._attn_implementation = "sdpa_without_vmap"
        return wrap(network)
    return build


class Cached(nn.Module):
    def __init__(self, cached):
        super().__init__()
        self.cached = cached

    def forward(self, input_ids, cache_position):
        return self.cached(input_ids=input_ids, cache_position=cache_position)


def whisper():
    import transformers
    return lively(transformers.WhisperModel(transformers.WhisperConfig(**WHISPER)))


def with_static_cache(network):
    """The cache is in buffers, to which the program writes."""
    from transformers.integrations.executorch import TorchExportableModuleWithStaticCache
    network.generation_config.cache_implementation = "static"
    return TorchExportableModuleWithStaticCache(network, batch_size=1, max_cache_len=8)


def transformer(kind, config, fed_by, keys, call=None, **options):
    def build():
        import transformers
        with_savable_masks()
        made = getattr(transformers, config)(**options)
        network = lively(getattr(transformers, kind)(made))
        if call is not None and "use_cache" in call:
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

# Decoders
LLAMA = {**SMALL, "num_key_value_heads": 1, "head_dim": 8}
for name, kind in (("llama", "Llama"), ("qwen2", "Qwen2"), ("mistral", "Mistral"), ("gemma", "Gemma"), ("qwen3", "Qwen3"), ("phi3", "Phi3")):
    padding = {"pad_token_id": 0} if name == "phi3" else {}
    module(name, transformer(f"{kind}ForCausalLM", f"{kind}Config", TEXT, "logits", ALONE, **LLAMA, **padding), IDS, MASK, unknown=(0,) if name != "llama" else (0, 1))
module("opt", transformer("OPTForCausalLM", "OPTConfig", TEXT, "logits", ALONE, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, ffn_dim=32, vocab_size=60, max_position_embeddings=32, word_embed_proj_dim=16), IDS, MASK, unknown=(0,))
module("bloom", transformer("BloomForCausalLM", "BloomConfig", TEXT, "logits", ALONE, hidden_size=16, n_layer=2, n_head=2, vocab_size=60), IDS, MASK, unknown=(0,))
PAST = [fed(2, 2, 3, 8) for _ in range(4)]
LONGER = given([[1] * 5, [0] + [1] * 4], "int64")
module("gpt2_with_past", decoder("GPT2LMHeadModel", "GPT2Config", Stepping, n_embd=16, n_layer=2, n_head=2, vocab_size=60, n_positions=32), ints(2, 2, low=1, high=60), LONGER, *PAST)
module("llama_with_past", decoder("LlamaForCausalLM", "LlamaConfig", Stepping, **{**LLAMA, "num_key_value_heads": 2}), ints(2, 2, low=1, high=60), LONGER, *PAST)


def step(*numbers):
    return tuple(given(number, "int64") for number in numbers)


module("llama_with_static_cache", decoder("LlamaForCausalLM", "LlamaConfig", lambda network: Cached(with_static_cache(network)), **LLAMA), *step([[5]], [0]), steps=(step([[17]], [1]), step([[42]], [2])))
# Encoders and decoders
T5 = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2, "vocab_size": 60, "decoder_start_token_id": 0}
module("t5", transformer("T5ForConditionalGeneration", "T5Config", TEXT + " decoder_input_ids", "logits", ALONE, **T5), IDS, MASK, ints(2, 4, low=1, high=60), unknown=(0,))
BART = {"d_model": 16, "encoder_layers": 1, "decoder_layers": 1, "encoder_attention_heads": 2, "decoder_attention_heads": 2, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32, "vocab_size": 60, "max_position_embeddings": 32}
module("bart", transformer("BartForConditionalGeneration", "BartConfig", TEXT + " decoder_input_ids", "logits", ALONE, **BART), IDS, MASK, ints(2, 4, low=1, high=60), unknown=(0,))
# Speech
WHISPER = {**BART, "num_mel_bins": 8, "max_source_positions": 10, "max_target_positions": 12, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 3}
module("whisper_encoder", lambda: Keyed(whisper().encoder, ["input_features"], ["last_hidden_state"], {}), fed(2, 8, 20), unknown=(0,), core=True)
module("whisper", transformer("WhisperForConditionalGeneration", "WhisperConfig", "input_features decoder_input_ids", "logits", ALONE, **WHISPER), fed(2, 8, 20), ints(2, 4, low=4, high=60))
WAVE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32, "conv_dim": (8, 8), "conv_stride": (4, 2), "conv_kernel": (8, 4), "num_feat_extract_layers": 2, "num_conv_pos_embeddings": 8, "num_conv_pos_embedding_groups": 2, "vocab_size": 20}
module("wav2vec2", transformer("Wav2Vec2ForCTC", "Wav2Vec2Config", "input_values", "logits", {}, **WAVE), fed(2, 200), unknown=(0,))
# Pictures
EYE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32, "image_size": 32, "patch_size": 8}
PIXELS = fed(2, 3, 32, 32)
module("vit", transformer("ViTForImageClassification", "ViTConfig", "pixel_values", "logits", **EYE), PIXELS, unknown=(0,))
module("deit", transformer("DeiTModel", "DeiTConfig", "pixel_values", "last_hidden_state pooler_output", **EYE), PIXELS, unknown=(0,))
module("dinov2", transformer("Dinov2Model", "Dinov2Config", "pixel_values", "last_hidden_state pooler_output", mlp_ratio=2, layerscale_value=0.5, **EYE), PIXELS, unknown=(0,))
module("segformer", transformer("SegformerForSemanticSegmentation", "SegformerConfig", "pixel_values", "logits", hidden_sizes=[8, 16], depths=[1, 1], num_encoder_blocks=2, num_attention_heads=[1, 2], sr_ratios=[4, 2], patch_sizes=[7, 3], strides=[4, 2], mlp_ratios=[2, 2], decoder_hidden_size=16), PIXELS, unknown=(0,))
module("clip", transformer("CLIPModel", "CLIPConfig", TEXT + " pixel_values", "logits_per_image text_embeds image_embeds", text_config={**SMALL, "eos_token_id": 2, "projection_dim": 8}, vision_config={**EYE, "projection_dim": 8}, projection_dim=8), IDS, MASK, PIXELS)
module("siglip_vision", transformer("SiglipVisionModel", "SiglipVisionConfig", "pixel_values", "last_hidden_state pooler_output", **EYE), PIXELS, unknown=(0,))
