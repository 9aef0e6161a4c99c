"""Models of torchvision and timm, as data. Nothing is imported for them here, so that they are listed at once.

Those of torchvision go to Ferry as TorchScript files, those of timm as Python's exports. They come in their usual sizes: what is
made of them is not kept."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class ZooModel:
    kind: str
    family: str
    options: dict = field(default_factory=dict)

    @property
    def name(self):
        return f"{self.family}-{self.kind.removeprefix('torchvision-')}"


NO_AUXILIARY = dict(aux_logits=False, init_weights=False)  # further results are for training; the other initialization is slow
TORCHVISION = {
    "alexnet": {}, "convnext_tiny": {}, "densenet121": {}, "efficientnet_b0": {}, "googlenet": NO_AUXILIARY, "inception_v3": NO_AUXILIARY,
    "maxvit_t": {}, "mnasnet0_5": {}, "mobilenet_v3_small": {}, "regnet_y_400mf": {}, "resnet18": {}, "shufflenet_v2_x0_5": {},
    "squeezenet1_1": {}, "swin_t": {}, "vgg11": {}, "vit_b_32": {},
}
TIMM = [
    "coat_lite_tiny", "convnext_atto", "crossvit_tiny_240", "edgenext_xx_small", "efficientnet_b0", "ghostnet_050", "gmlp_s16_224",
    "levit_128s", "maxvit_nano_rw_256", "mixer_s32_224", "mobilevit_xxs", "poolformer_s12", "pvt_v2_b0", "regnetx_002", "repvgg_a0",
    "resnet18", "sequencer2d_s", "swin_tiny_patch4_window7_224", "vit_tiny_patch16_224", "xcit_nano_12_p16_224",
]
SCRIPTS = [ZooModel(f"torchvision-{way}", family, options) for family, options in TORCHVISION.items() for way in ("traced", "scripted")]
ZOO = [*SCRIPTS, *(ZooModel("timm", family) for family in TIMM)]


def model_called(name):
    return next(each for each in ZOO if each.name == name)
