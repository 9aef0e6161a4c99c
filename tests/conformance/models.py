"""The Hugging Face models of the suite, as data. Nothing is imported for them here, so that they are listed at once.

A size that is a name is open in a dynamic export; SIZES says what it is in the example and in the other inputs. Configurations
are tiny, and a class of transformers comes with those fields only that make it so."""

from dataclasses import dataclass

SIZES = {
    "batch": (2, 3), "seq": (7, 12), "target": (5, 9), "past": (6, 10), "height": (64, 96), "width": (96, 64),
    "samples": (800, 1180), "frames": (48, 64), "images": (2, 4),
}
VOCABULARY = 99


@dataclass(frozen=True)
class Input:
    """A tensor, or the cache of past tokens."""

    fill: str  # ids, mask, real, or a class of caches
    shape: tuple  # numbers, names of SIZES, or sums: "past+1"; of a cache: (batch, past)
    high: int = VOCABULARY
    token: tuple = ()  # (id, count): stands in every row, that often, after the first place


@dataclass(frozen=True)
class Model:
    kind: str
    cls: str
    config: dict
    inputs: dict
    quick: bool = False  # part of the ordinary tests
    about: str = ""

    @property
    def name(self):
        return self.cls + (f"-{self.about}" if self.about else "")


def ids(*shape, **more):
    return Input("ids", shape, **more)


def mask(*shape):
    return Input("mask", shape)


def real(*shape):
    return Input("real", shape)


SPECIAL = dict(pad_token_id=0, bos_token_id=1, eos_token_id=2)
TEXT = dict(vocab_size=VOCABULARY, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
            max_position_embeddings=128, **SPECIAL)
GROUPED = dict(TEXT, num_key_value_heads=2)
TOKENS = dict(input_ids=ids("batch", "seq"), attention_mask=mask("batch", "seq"))


def decoder(cls, config, inputs=TOKENS, **more):
    return Model("decoder", cls, config, inputs, **more)


DECODERS = [
    decoder("LlamaForCausalLM", GROUPED, quick=True),
    decoder("LlamaForCausalLM", GROUPED, about="decode", quick=True, inputs=dict(
        input_ids=ids("batch", 1), attention_mask=mask("batch", "past+1"), past_key_values=Input("DynamicCache", ("batch", "past")))),
    decoder("LlamaForCausalLM", GROUPED, about="static-cache", inputs=dict(
        input_ids=ids(2, 1), attention_mask=mask(2, 16), past_key_values=Input("StaticCache", (2, 6)))),
    decoder("GPT2LMHeadModel", dict(vocab_size=VOCABULARY, n_embd=32, n_layer=2, n_head=4, n_positions=64, **SPECIAL), quick=True),
    decoder("GPTNeoXForCausalLM", TEXT),
    decoder("GPTJForCausalLM", dict(vocab_size=VOCABULARY, n_embd=32, n_layer=2, n_head=4, rotary_dim=4, n_positions=64, **SPECIAL)),
    decoder("OPTForCausalLM", dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, ffn_dim=64, num_attention_heads=4,
                                   max_position_embeddings=64, word_embed_proj_dim=16, **SPECIAL)),
    decoder("BloomForCausalLM", dict(vocab_size=VOCABULARY, hidden_size=32, n_layer=2, n_head=4, **SPECIAL)),
    decoder("FalconForCausalLM", dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, **SPECIAL)),
    decoder("MptForCausalLM", dict(vocab_size=VOCABULARY, d_model=32, n_heads=4, n_layers=2, max_seq_len=64)),
    decoder("MistralForCausalLM", dict(GROUPED, sliding_window=4)),
    decoder("Cosmos3EdgeTextModel", dict(GROUPED, head_dim=8, rope_parameters=dict(rope_type="default", rope_theta=1e8, mrope_section=[2, 1, 1])),
            dict(inputs_embeds=real("batch", "seq", 32), position_ids=ids(3, "batch", "seq", high=12))),
    decoder("Qwen2ForCausalLM", GROUPED),
    decoder("Qwen3ForCausalLM", dict(GROUPED, head_dim=8)),
    decoder("Gemma2ForCausalLM", dict(GROUPED, head_dim=8, query_pre_attn_scalar=8, sliding_window=4)),
    decoder("Gemma3ForCausalLM", dict(GROUPED, head_dim=8, query_pre_attn_scalar=8, sliding_window=4,
                                      layer_types=["sliding_attention", "full_attention"])),
    decoder("Phi3ForCausalLM", GROUPED),
    decoder("CohereForCausalLM", GROUPED),
    decoder("Olmo2ForCausalLM", GROUPED),
    decoder("XLNetLMHeadModel", dict(vocab_size=VOCABULARY, d_model=32, n_layer=2, n_head=4, d_inner=64, **SPECIAL)),
    decoder("Qwen3NextForCausalLM", dict(
        GROUPED, head_dim=8, num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, shared_expert_intermediate_size=16,
        linear_num_value_heads=4, linear_num_key_heads=2, linear_key_head_dim=8, linear_value_head_dim=8,
        layer_types=["linear_attention", "full_attention"])),
]

TWO_KINDS = dict(TEXT, type_vocab_size=2)


def encoder(cls, config, inputs=TOKENS, **more):
    return Model("encoder", cls, config, inputs, **more)


ENCODERS = [
    encoder("BertForMaskedLM", TWO_KINDS, dict(TOKENS, token_type_ids=ids("batch", "seq", high=2)), quick=True),
    encoder("RobertaForSequenceClassification", TWO_KINDS),
    encoder("XLMRobertaForQuestionAnswering", TWO_KINDS),
    encoder("DistilBertModel", dict(vocab_size=VOCABULARY, dim=32, n_layers=2, n_heads=4, hidden_dim=64, max_position_embeddings=64,
                                    pad_token_id=0)),
    encoder("AlbertModel", dict(TWO_KINDS, embedding_size=16)),
    encoder("ElectraForTokenClassification", dict(TWO_KINDS, embedding_size=16)),
    encoder("MPNetModel", TEXT),
    encoder("DebertaV2Model", dict(TEXT, relative_attention=True, position_buckets=8, pos_att_type=["p2c", "c2p"], type_vocab_size=0)),
    encoder("ModernBertForMaskedLM", dict(TEXT, local_attention=4, cls_token_id=1, sep_token_id=2)),
    encoder("ConvBertModel", dict(TWO_KINDS, embedding_size=32, conv_kernel_size=3)),
    encoder("FNetModel", TWO_KINDS, dict(input_ids=ids("batch", "seq"))),
    encoder("FunnelModel", dict(vocab_size=VOCABULARY, d_model=32, n_head=4, d_head=8, d_inner=64, block_sizes=[1, 1], num_decoder_layers=1)),
    encoder("CanineModel", dict(TWO_KINDS, downsampling_rate=4, num_hash_functions=2, num_hash_buckets=64, local_transformer_stride=8,
                                upsampling_kernel_size=4)),
    encoder("YosoModel", dict(TWO_KINDS, use_expectation=True)),
]

SEQ2SEQ = dict(vocab_size=VOCABULARY, d_model=32, encoder_layers=2, decoder_layers=2, encoder_ffn_dim=64, decoder_ffn_dim=64,
               encoder_attention_heads=4, decoder_attention_heads=4, max_position_embeddings=64, decoder_start_token_id=2, **SPECIAL)
PAIR = dict(TOKENS, decoder_input_ids=ids("batch", "target"))


def seq2seq(cls, config, inputs=PAIR, **more):
    return Model("encoder-decoder", cls, config, inputs, **more)


ENCODER_DECODERS = [
    seq2seq("T5ForConditionalGeneration", dict(vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4,
                                               decoder_start_token_id=0, pad_token_id=0, eos_token_id=1), quick=True),
    seq2seq("BartForConditionalGeneration", SEQ2SEQ),
    seq2seq("MarianMTModel", SEQ2SEQ),
    seq2seq("MBartForConditionalGeneration", SEQ2SEQ),
    seq2seq("PegasusForConditionalGeneration", SEQ2SEQ),
    seq2seq("M2M100ForConditionalGeneration", SEQ2SEQ),
    seq2seq("LongT5ForConditionalGeneration", dict(vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, local_radius=4,
                                                   decoder_start_token_id=0, pad_token_id=0, eos_token_id=1)),
    seq2seq("ProphetNetForConditionalGeneration", dict(
        vocab_size=VOCABULARY, hidden_size=32, encoder_ffn_dim=64, decoder_ffn_dim=64, num_encoder_layers=2, num_decoder_layers=2,
        num_encoder_attention_heads=4, num_decoder_attention_heads=4, max_position_embeddings=64, decoder_start_token_id=0, **SPECIAL)),
]

PATCHES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, image_size=32, patch_size=8)
IMAGE = dict(pixel_values=real("batch", 3, 32, 32))
LARGER_IMAGE = dict(pixel_values=real("batch", 3, 64, 64))
ANY_IMAGE = dict(pixel_values=real("batch", 3, "height", "width"))
RESNET = dict(embedding_size=8, hidden_sizes=[8, 16, 16, 24], depths=[1, 1, 2, 1])


def vision(cls, config, inputs=IMAGE, **more):
    return Model("vision", cls, config, inputs, **more)


VISION = [
    vision("ViTForImageClassification", PATCHES, quick=True),
    vision("DeiTModel", PATCHES),
    vision("BeitModel", PATCHES),
    vision("Dinov2Model", dict(PATCHES, mlp_ratio=2)),
    vision("SwinModel", dict(image_size=32, patch_size=2, embed_dim=16, depths=[1, 2], num_heads=[2, 2], window_size=4)),
    vision("HieraModel", dict(embed_dim=8, image_size=[64, 64], depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2], masked_unit_size=[8, 8]),
           dict(pixel_values=real("batch", 3, 64, 64))),
    vision("ResNetForImageClassification", RESNET, ANY_IMAGE, quick=True),
    vision("ConvNextForImageClassification", dict(hidden_sizes=[8, 16, 16, 24], depths=[1, 1, 2, 1]), ANY_IMAGE),
    vision("MobileNetV2ForImageClassification", dict(depth_multiplier=0.25), ANY_IMAGE),
    vision("EfficientNetModel", dict(image_size=64, kernel_sizes=[3, 5], in_channels=[8, 8], out_channels=[8, 16], strides=[1, 2],
                                     num_block_repeats=[1, 2], expand_ratios=[1, 4], hidden_dim=320, width_coefficient=0.25),
           ANY_IMAGE),
    vision("SegformerForSemanticSegmentation", dict(hidden_sizes=[8, 16, 16, 24], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 2, 2],
                                                    decoder_hidden_size=16), ANY_IMAGE),
    vision("DPTForDepthEstimation", dict(PATCHES, num_hidden_layers=4, backbone_out_indices=[0, 1, 2, 3], neck_hidden_sizes=[8, 8, 16, 16],
                                         fusion_hidden_size=16)),
    vision("DetrForObjectDetection", dict(d_model=32, num_queries=5, encoder_layers=1, decoder_layers=2, encoder_ffn_dim=32,
                                          decoder_ffn_dim=32, encoder_attention_heads=4, decoder_attention_heads=4,
                                          backbone_config=dict(RESNET, model_type="resnet", out_features=["stage4"])),
           dict(pixel_values=real("batch", 3, 64, 64), pixel_mask=mask("batch", 64, 64))),
    vision("YolosForObjectDetection", dict(PATCHES, image_size=[32, 32], num_detection_tokens=5)),
    vision("VideoMAEModel", dict(PATCHES, num_frames=4), dict(pixel_values=real("batch", 4, 3, 32, 32))),
    vision("Swin2SRForImageSuperResolution", dict(image_size=16, embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4),
           dict(pixel_values=real("batch", 3, 16, 16))),
    vision("Swinv2Model", dict(image_size=32, patch_size=2, embed_dim=16, depths=[1, 2], num_heads=[2, 2], window_size=4)),
    vision("LevitModel", dict(image_size=64, hidden_sizes=[16, 24, 32], num_attention_heads=[2, 2, 2], depths=[1, 1, 1], key_dim=[4, 4, 4]),
           LARGER_IMAGE),
    vision("MobileViTModel", dict(image_size=64, hidden_sizes=[16, 16, 16], neck_hidden_sizes=[8, 8, 8, 16, 16, 16, 32], num_attention_heads=2),
           LARGER_IMAGE),
    vision("SwiftFormerModel", dict(embed_dims=[8, 16, 24, 32], depths=[1, 1, 1, 1]), LARGER_IMAGE),
    vision("DINOv3ViTModel", PATCHES),
    vision("VitDetModel", dict(PATCHES, window_block_indices=[0], window_size=2, residual_block_indices=[1], use_absolute_position_embeddings=True,
                               use_relative_position_embeddings=True)),
    vision("DeformableDetrForObjectDetection", dict(
        d_model=32, num_queries=5, encoder_layers=1, decoder_layers=2, encoder_ffn_dim=32, decoder_ffn_dim=32, encoder_attention_heads=4,
        decoder_attention_heads=4, backbone_config=dict(RESNET, model_type="resnet", out_features=["stage2", "stage3", "stage4"])),
           dict(LARGER_IMAGE, pixel_mask=mask("batch", 64, 64))),
    vision("UperNetForSemanticSegmentation", dict(
        backbone_config=dict(hidden_sizes=[8, 16, 16, 24], depths=[1, 1, 1, 1], model_type="convnext",
                             out_features=["stage1", "stage2", "stage3", "stage4"]),
        hidden_size=16, auxiliary_in_channels=16, auxiliary_channels=8), LARGER_IMAGE),
    vision("SuperPointForKeypointDetection", dict(encoder_hidden_sizes=[8, 8, 16, 16], decoder_hidden_size=16, keypoint_decoder_dim=65,
                                                  descriptor_decoder_dim=16), dict(pixel_values=real(1, 3, 64, 64))),
]

WAVES = dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, vocab_size=20, conv_dim=[16, 16, 16],
             conv_stride=[5, 2, 2], conv_kernel=[10, 3, 2], num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2, num_feat_extract_layers=3)
SOUND = dict(input_values=real("batch", "samples"))


def audio(cls, config, inputs=SOUND, **more):
    return Model("audio", cls, config, inputs, **more)


AUDIO = [
    audio("WhisperForConditionalGeneration", dict(
        {key: value for key, value in SEQ2SEQ.items() if key != "max_position_embeddings"}, num_mel_bins=16, max_source_positions=30,
        max_target_positions=40), dict(input_features=real("batch", 16, 60), decoder_input_ids=ids("batch", "target")), quick=True),
    audio("Wav2Vec2ForCTC", WAVES, quick=True),
    audio("HubertModel", WAVES),
    audio("WavLMModel", dict(WAVES, num_buckets=16, max_bucket_distance=32)),
    audio("ASTForAudioClassification", dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, patch_size=4,
                                            frequency_stride=4, time_stride=4, max_length=24, num_mel_bins=16),
          dict(input_values=real("batch", 24, 16))),
    audio("Speech2TextForConditionalGeneration", dict(
        SEQ2SEQ, max_source_positions=64, max_target_positions=64, conv_channels=16, input_feat_per_channel=16),
          dict(input_features=real("batch", "frames", 16), attention_mask=mask("batch", "frames"), decoder_input_ids=ids("batch", "target"))),
    audio("EncodecModel", dict(hidden_size=16, num_filters=4, upsampling_ratios=[4, 2], num_lstm_layers=1, codebook_size=16, codebook_dim=16,
                               sampling_rate=240, target_bandwidths=[1.5]), dict(input_values=real("batch", 1, "samples"))),
    audio("DacModel", dict(encoder_hidden_size=8, downsampling_ratios=[2, 4], decoder_hidden_size=16, n_codebooks=2, codebook_size=16,
                           codebook_dim=4, sampling_rate=240), dict(input_values=real("batch", 1, "samples"))),
    audio("Wav2Vec2BertModel", dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
                                    feature_projection_input_dim=16, conv_depthwise_kernel_size=5),
          dict(input_features=real("batch", "frames", 16))),
    audio("SpeechT5ForSpeechToText", dict(
        hidden_size=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64,
        decoder_ffn_dim=64, conv_dim=[16, 16, 16], conv_stride=[5, 2, 2], conv_kernel=[10, 3, 2], num_feat_extract_layers=3,
        num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=2, vocab_size=VOCABULARY),
          dict(input_values=real("batch", "samples"), decoder_input_ids=ids("batch", "target"))),
]

TOWER = dict(PATCHES, projection_dim=16)
READER = dict(TEXT, projection_dim=16)
PICTURED = dict(TOKENS, pixel_values=real("images", 3, 32, 32))
LLAMA_INSIDE = dict(GROUPED, model_type="llama")


def multimodal(cls, config, inputs, **more):
    return Model("multimodal", cls, config, inputs, **more)


MULTIMODAL = [
    multimodal("CLIPModel", dict(text_config=READER, vision_config=TOWER, projection_dim=16), PICTURED, quick=True),
    multimodal("SiglipModel", dict(text_config=dict(TEXT, projection_size=32), vision_config=PATCHES),
               dict(input_ids=ids("batch", "seq"), pixel_values=real("images", 3, 32, 32))),
    multimodal("BlipForImageTextRetrieval", dict(
        text_config=dict(READER, encoder_hidden_size=32), vision_config=TOWER, image_text_hidden_size=16), dict(TOKENS, **IMAGE)),
    multimodal("ViltModel", dict(TEXT, type_vocab_size=2, image_size=32, patch_size=8), dict(
        TOKENS, **IMAGE, pixel_mask=mask("batch", 32, 32))),
    multimodal("GitForCausalLM", dict(TEXT, vision_config=PATCHES), dict(TOKENS, **IMAGE)),
    multimodal("ClapModel", dict(projection_dim=16, text_config=dict(READER, type_vocab_size=1), audio_config=dict(
        spec_size=64, window_size=4, num_mel_bins=16, depths=[1, 1], num_attention_heads=[2, 2], patch_embeds_hidden_size=16, hidden_size=32,
        projection_dim=16, num_hidden_layers=2)), dict(TOKENS, input_features=real("batch", 1, 256, 16))),
    multimodal("Idefics2ForConditionalGeneration", dict(
        text_config=dict(GROUPED, model_type="mistral"), vision_config=dict(PATCHES, image_size=8), image_token_id=98, perceiver_config=dict(
            hidden_size=32, resampler_n_latents=2, resampler_depth=2, resampler_n_heads=2, num_key_value_heads=1, resampler_head_dim=12)),
        dict(input_ids=ids("batch", "seq+2", high=98, token=(98, 2)), attention_mask=mask("batch", "seq+2"), pixel_values=real("batch", 1, 3, 16, 24))),
    multimodal("LlavaForConditionalGeneration", dict(
        text_config=LLAMA_INSIDE, vision_config=dict(TOWER, model_type="clip_vision_model"), image_token_index=98, image_seq_length=16),
               dict(input_ids=ids("batch", "seq+16", high=98, token=(98, 16)), attention_mask=mask("batch", "seq+16"), **IMAGE)),
    multimodal("PaliGemmaForConditionalGeneration", dict(
        text_config=dict(GROUPED, model_type="gemma", head_dim=8), vision_config=dict(PATCHES, model_type="siglip_vision_model"),
        image_token_index=98, projection_dim=32, hidden_size=32),
               dict(input_ids=ids("batch", "seq+16", high=98, token=(98, 16)), attention_mask=mask("batch", "seq+16"), **IMAGE)),
    multimodal("Gemma3ForConditionalGeneration", dict(
        text_config=dict(GROUPED, head_dim=8, query_pre_attn_scalar=8, sliding_window=4, layer_types=["sliding_attention", "full_attention"]),
        vision_config=PATCHES, mm_tokens_per_image=4, image_token_index=98, boi_token_index=97, eoi_token_index=96),
               dict(input_ids=ids("batch", "seq+4", high=96, token=(98, 4)), attention_mask=mask("batch", "seq+4"), **IMAGE)),
    multimodal("Idefics3ForConditionalGeneration", dict(
        text_config=LLAMA_INSIDE, vision_config=PATCHES, scale_factor=2, image_token_id=98),
               dict(input_ids=ids("batch", "seq+4", high=98, token=(98, 4)), attention_mask=mask("batch", "seq+4"),
                    pixel_values=real("batch", 1, 3, 32, 32))),
    multimodal("Blip2Model", dict(
        vision_config=PATCHES, qformer_config=dict(TEXT, encoder_hidden_size=32, cross_attention_frequency=2), num_query_tokens=4,
        text_config=dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, ffn_dim=64, num_attention_heads=4,
                         max_position_embeddings=64, word_embed_proj_dim=32, model_type="opt", **SPECIAL), image_token_index=98),
               dict(IMAGE, input_ids=ids("batch", "seq+4", high=98, token=(98, 4)), attention_mask=mask("batch", "seq+4"))),
]


def moe(cls, config, inputs=TOKENS, **more):
    return Model("moe", cls, dict(GROUPED, **config), inputs, **more)


MOE = [
    moe("MixtralForCausalLM", dict(num_local_experts=4), quick=True),
    moe("Qwen2MoeForCausalLM", dict(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, shared_expert_intermediate_size=16)),
    moe("Qwen3MoeForCausalLM", dict(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16, head_dim=8)),
    moe("OlmoeForCausalLM", dict(num_experts=4, num_experts_per_tok=2)),
    moe("GraniteMoeForCausalLM", dict(num_local_experts=4)),
    moe("JetMoeForCausalLM", dict(num_local_experts=4, kv_channels=8)),
    moe("GptOssForCausalLM", dict(num_local_experts=4, num_experts_per_tok=2, head_dim=8, sliding_window=4)),
    moe("DeepseekV3ForCausalLM", dict(num_key_value_heads=4, moe_intermediate_size=16, n_routed_experts=4, num_experts_per_tok=2, n_group=2, topk_group=1,
                                      kv_lora_rank=8, q_lora_rank=8, qk_rope_head_dim=4, qk_nope_head_dim=8, v_head_dim=8,
                                      first_k_dense_replace=1)),
]

STATES = dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, state_size=8, **SPECIAL)


def ssm(cls, config, inputs=TOKENS, **more):
    return Model("ssm", cls, config, inputs, **more)


SSM = [
    ssm("MambaForCausalLM", STATES, dict(input_ids=ids("batch", "seq")), quick=True),
    ssm("FalconMambaForCausalLM", STATES, dict(input_ids=ids("batch", "seq"))),
    ssm("Mamba2ForCausalLM", dict(STATES, num_heads=4, head_dim=16, n_groups=2, chunk_size=4)),
    ssm("JambaForCausalLM", dict(GROUPED, num_hidden_layers=4, num_experts=2, attn_layer_period=2, attn_layer_offset=1, mamba_d_state=8)),
    ssm("BambaForCausalLM", dict(GROUPED, attn_layer_indices=[1], mamba_n_heads=4, mamba_d_head=16, mamba_d_state=8, mamba_chunk_size=4)),
    ssm("Lfm2ForCausalLM", dict(GROUPED, layer_types=["conv", "full_attention"])),
    ssm("RwkvForCausalLM", dict(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=2, context_length=64, **SPECIAL),
        dict(input_ids=ids("batch", "seq"))),
]

SERIES = [
    Model("time series", "PatchTSTForPrediction", dict(num_input_channels=3, context_length=16, patch_length=4, patch_stride=4, d_model=16, ffn_dim=32,
                                                       num_hidden_layers=2, prediction_length=4), dict(past_values=real("batch", 16, 3))),
    Model("time series", "PatchTSMixerForPrediction", dict(context_length=16, patch_length=4, patch_stride=4, num_input_channels=3, d_model=16,
                                                           num_layers=2, prediction_length=4), dict(past_values=real("batch", 16, 3))),
]

MODELS = [*DECODERS, *ENCODERS, *ENCODER_DECODERS, *VISION, *AUDIO, *MULTIMODAL, *MOE, *SSM, *SERIES]
