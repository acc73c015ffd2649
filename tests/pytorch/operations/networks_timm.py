"""Networks of timm, small ones: a family of networks each."""
from models import Family, lively, picture

family = Family(__name__)
module = family.module


def timm_class(name, **options):
    def build():
        import timm
        return lively(getattr(timm.models, name)(num_classes=10, **options))
    return build


def timm_model(name, **options):
    def build():
        import timm
        return lively(timm.create_model(name, num_classes=10, **options))
    return build


def maxvit(*blocks):
    def build():
        from timm.models import MaxxVit
        from timm.models.maxxvit import MaxxVitCfg, MaxxVitTransformerCfg
        return lively(MaxxVit(MaxxVitCfg(embed_dim=(16, 32), depths=(1, 1), block_type=blocks, stem_width=8, transformer_cfg=MaxxVitTransformerCfg(dim_head=8, window_size=(4, 4))), img_size=64, num_classes=10))
    return build


VIT = {"img_size": 32, "patch_size": 8, "embed_dim": 24, "depth": 2, "num_heads": 2}
SMALL, PICTURE = picture(2, 3, 32, 32), picture(2, 3, 64, 64)
ANY = {"unknown": (0,)}


def hybrid():
    from timm.models._efficientnet_builder import decode_arch_def
    from timm.models import MobileNetV3
    blocks = [["cn_r1_k3_s2_e1_c16"], ["uir_r1_a3_k3_s2_e2_c24"], ["uir_r1_a0_k3_s2_e2_c24", "mqa_r1_k3_h2_s1_v2_d8_c24", "mha_r1_k3_h2_s1_d8_c24"], ["cn_r1_k1_s1_c32"]]
    return lively(MobileNetV3(decode_arch_def(blocks), num_classes=10, stem_size=8, num_features=32))


def res2net():
    from timm.models import ResNet, res2net
    return lively(ResNet(res2net.Bottle2neck, [1, 1, 1, 1], num_classes=10, channels=(8, 16, 24, 32), base_width=26, block_args={"scale": 4}))


def deit():
    from timm.models.deit import VisionTransformerDistilled
    return lively(VisionTransformerDistilled(num_classes=10, **VIT))


def gmlp():
    from timm.layers import GatedMlp
    from timm.models.mlp_mixer import MlpMixer, SpatialGatingBlock
    return lively(MlpMixer(num_classes=10, img_size=32, patch_size=8, num_blocks=2, embed_dim=24, mlp_ratio=4, block_layer=SpatialGatingBlock, mlp_layer=GatedMlp))


# Attention
module("vit", timm_class("VisionTransformer", **VIT), SMALL, **ANY, core=True)
module("vit_any_size", timm_class("VisionTransformer", dynamic_img_size=True, global_pool="avg", **VIT), SMALL, **ANY)
module("vit_registers", timm_class("VisionTransformer", reg_tokens=2, qk_norm=True, init_values=1e-3, no_embed_class=True, **VIT), SMALL, **ANY)
module("vit_map_pool", timm_class("VisionTransformer", class_token=False, global_pool="map", **VIT), SMALL, **ANY)
module("deit", deit, SMALL, **ANY)
module("beit", timm_class("Beit", use_shared_rel_pos_bias=True, init_values=1e-3, **VIT), SMALL, **ANY)
module("eva", timm_class("Eva", use_rot_pos_emb=True, swiglu_mlp=True, scale_mlp=True, **VIT), SMALL, **ANY)
module("swin", timm_class("SwinTransformer", img_size=32, patch_size=4, window_size=4, embed_dim=12, depths=(2, 2), num_heads=(2, 2)), SMALL, **ANY, core=True)
module("swin_v2", timm_class("SwinTransformerV2", img_size=32, patch_size=4, window_size=4, embed_dim=12, depths=(2, 2), num_heads=(2, 2)), SMALL)
module("maxvit", maxvit("M", "M"), PICTURE, **ANY)
module("coatnet", maxvit("C", "T"), PICTURE, **ANY)
module("cait", timm_class("Cait", img_size=32, patch_size=8, embed_dim=24, depth=2, num_heads=2), SMALL, **ANY)
module("xcit", timm_class("Xcit", img_size=32, patch_size=8, embed_dim=24, depth=2, num_heads=2), SMALL, **ANY)
module("pvt_v2", timm_class("PyramidVisionTransformerV2", depths=(1, 1, 1, 1), embed_dims=(8, 16, 24, 32), num_heads=(1, 2, 3, 4)), PICTURE, **ANY)
module("pit", timm_model("pit_ti_224", img_size=64), PICTURE)
module("twins", timm_class("Twins", img_size=64, patch_size=4, embed_dims=(8, 16), num_heads=(1, 2), depths=(2, 2), sr_ratios=(4, 2), wss=(4, 4)), PICTURE)
module("davit", timm_class("DaVit", depths=(1, 1), embed_dims=(16, 32), num_heads=(2, 4), window_size=4), PICTURE, **ANY)
module("focalnet", timm_class("FocalNet", depths=(1, 1), embed_dim=16, focal_levels=(2, 2), focal_windows=(3, 3)), SMALL, **ANY)
module("hiera", timm_class("Hiera", img_size=(64, 64), embed_dim=16, num_heads=1, stages=(1, 1), q_pool=1, mask_unit_size=(8, 8)), PICTURE)
module("levit", timm_class("Levit", img_size=64, embed_dim=(16, 24), key_dim=8, depth=(1, 1), num_heads=(2, 3)), PICTURE, **ANY)
module("volo", timm_class("VOLO", img_size=64, layers=(1, 1), embed_dims=(16, 32), num_heads=(2, 2), downsamples=(True, False), outlook_attention=(True, False)), PICTURE)
module("nest", timm_class("Nest", img_size=32, num_levels=2, patch_size=4, embed_dims=(8, 16), num_heads=(2, 2), depths=(1, 1)), SMALL)
module("gcvit", timm_class("GlobalContextVit", img_size=64, window_size=(4, 4), depths=(1, 1), num_heads=(2, 4), embed_dim=16), PICTURE)
module("visformer", timm_class("Visformer", img_size=64, init_channels=8, embed_dim=32, depth=(1, 1, 1), num_heads=2), PICTURE, **ANY)
module("tiny_vit", timm_class("TinyVit", depths=(1, 1), embed_dims=(16, 32), num_heads=(1, 2), window_sizes=(7, 7)), PICTURE)
module("mobilevit", timm_model("mobilevit_xxs"), PICTURE, **ANY)
module("mobilevit_v2", timm_model("mobilevitv2_050"), PICTURE)
module("edgenext", timm_class("EdgeNeXt", dims=(8, 16, 24, 32), depths=(1, 1, 1, 1), heads=(2, 2, 2, 2), global_block_counts=(0, 1, 1, 1)), PICTURE, **ANY)
module("efficientformer_v2", timm_class("EfficientFormerV2", depths=(1, 1, 1, 2), embed_dims=(8, 16, 24, 32), img_size=64, mlp_ratios=((4,), (4,), (4,), (4, 4))), PICTURE)
module("efficientvit", timm_class("EfficientVit", widths=(8, 16, 32, 64, 64), depths=(0, 1, 1, 1, 1), head_dim=8, head_widths=(64, 64)), PICTURE, **ANY)
module("efficientvit_msra", timm_class("EfficientVitMsra", img_size=64, embed_dim=(16, 32), key_dim=(8, 8), depth=(1, 1), num_heads=(2, 2), window_size=(7, 7), kernels=(5, 5), down_ops=(("", 1), ("subsample", 2))), PICTURE)
module("fastvit", timm_class("FastVit", layers=(1, 1, 1, 1), token_mixers=("repmixer", "repmixer", "repmixer", "attention"), embed_dims=(8, 16, 32, 64)), PICTURE, **ANY)
module("shvit", timm_class("SHViT", embed_dim=(16, 32, 48), partial_dim=(8, 8, 12), depth=(1, 1, 1)), PICTURE, **ANY)
module("swiftformer", timm_class("SwiftFormer", layers=(1, 1, 1, 1), embed_dims=(8, 16, 24, 32)), PICTURE, **ANY)
# Layers of perceptrons, and others that are no attention
module("mixer", timm_class("MlpMixer", img_size=32, patch_size=8, num_blocks=2, embed_dim=24), SMALL, **ANY)
module("gmlp", gmlp, SMALL, **ANY)
module("poolformer", timm_class("MetaFormer", depths=(1, 1), dims=(16, 24)), PICTURE, **ANY)
module("mambaout", timm_model("test_mambaout"), PICTURE, **ANY)
module("sequencer", timm_class("Sequencer2d", img_size=32, layers=(1, 1), patch_sizes=(8, 1), embed_dims=(12, 12), hidden_sizes=(6, 6), mlp_ratios=(2.0, 2.0)), SMALL, **ANY)
module("convmixer", timm_class("ConvMixer", dim=16, depth=2, kernel_size=5), SMALL, **ANY)
module("starnet", timm_class("StarNet", base_dim=8, depths=(1, 1)), PICTURE, **ANY)
# Convolutions
module("convnext", timm_class("ConvNeXt", depths=(1, 1, 1, 1), dims=(8, 16, 24, 32)), PICTURE, **ANY)
module("convnext_v2", timm_class("ConvNeXt", depths=(1, 1, 1, 1), dims=(8, 16, 24, 32), use_grn=True, ls_init_value=None), PICTURE, **ANY)
module("inception_next", timm_model("inception_next_atto"), PICTURE)
module("efficientnet", timm_model("test_efficientnet"), PICTURE, **ANY, core=True)
module("efficientnet_b0", timm_model("tf_efficientnet_b0"), SMALL, **ANY)
module("mobilenet_v3", timm_model("mobilenetv3_small_050"), PICTURE, **ANY)
module("mobilenet_v4", timm_model("mobilenetv4_conv_small_035"), PICTURE, **ANY)
module("mobilenet_v4_hybrid", hybrid, PICTURE, **ANY)
module("regnet_x", timm_model("regnetx_002"), PICTURE, **ANY)
module("regnet_y", timm_model("regnety_002"), PICTURE, **ANY)
module("nfnet", timm_model("test_nfnet"), PICTURE, **ANY)
module("resnet_d", timm_model("test_resnet"), PICTURE, **ANY)
module("resnet_v2", timm_class("ResNetV2", layers=(1, 1), channels=(128, 256), stem_chs=32), PICTURE, **ANY)
module("res2net", res2net, SMALL, **ANY)
module("byobnet", timm_model("test_byobnet"), PICTURE, **ANY)
module("dla", timm_model("dla46x_c"), PICTURE)
module("repvit", timm_class("RepVit", embed_dim=(8, 16), depth=(1, 1)), PICTURE, **ANY)
module("vovnet", timm_model("ese_vovnet19b_slim_dw"), PICTURE)
