"""What is exported: a module, its inputs at two sizes, and which sizes are open. Weights and inputs are seeded."""

import copy
import importlib.util
import pathlib
import sys

import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

from models import MODELS, SIZES, Input, Model

sys.path.append(str(pathlib.Path(__file__).parent.parent / "pt2"))
LARGEST = 3_000_000  # parameters; more means that a configuration is not as small as it was meant


class Subject:
    """`cases`: arguments and keyword arguments, of the example and at other sizes. `shapes` is None where no size is open."""

    def __init__(self, module, cases, shapes):
        self.module, self.cases, self.shapes = module, cases, shapes

    def export(self, dynamic):
        args, kwargs = copy.deepcopy(self.cases[0])
        return torch.export.export(self.module, args, kwargs, dynamic_shapes=self.shapes if dynamic else None, strict=False)

    def eager(self, case):
        """The tensors of what the module gives; it starts anew each time."""
        args, kwargs = copy.deepcopy(self.cases[case])
        with torch.no_grad():
            return tensors_of(copy.deepcopy(self.module)(*args, **kwargs))


class PretrainedSubject(Subject):
    """By transformers' own exporter, which is torch.export.export with what its models need for it."""

    def export(self, dynamic):
        from transformers.exporters import DynamoConfig, DynamoExporter

        config = DynamoConfig(dynamic=dynamic, dynamic_shapes=self.shapes if dynamic else None)
        return DynamoExporter().export(self.module, copy.deepcopy(self.cases[0][1]), config)


def run_program(program, args, kwargs):
    """The tensors of what a program gives. Its modules write to the program's own buffers: these are put back."""
    state = [*program.state_dict.values(), *(each for each in program.constants.values() if isinstance(each, torch.Tensor))]
    before = [tensor.detach().clone() for tensor in state]
    try:
        with torch.no_grad():
            return [tensor.clone() for tensor in tensors_of(program.module()(*args, **kwargs))]
    finally:
        for tensor, value in zip(state, before):
            tensor.data.copy_(value)


def tensors_of(tree):
    return [leaf.detach() for leaf in pytree.tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def _number(size, case):
    """A size as a number: of itself, or as SIZES says."""
    if isinstance(size, int):
        return size
    return sum(SIZES[part][case] if part in SIZES else int(part) for part in size.split("+"))


def _open_axes(shape):
    return {axis: Dim.AUTO for axis, size in enumerate(shape) if isinstance(size, str)}


def _cache(model, config, spec, case):
    import transformers

    batch, past = (_number(size, case) for size in spec.shape)
    heads, width = config.num_key_value_heads, config.hidden_size // config.num_attention_heads
    if spec.fill == "StaticCache":
        cache = transformers.StaticCache(config=config, max_cache_len=16)
        cache.early_initialization(batch, heads, width, torch.float32, torch.device("cpu"))
    else:
        cache = transformers.DynamicCache(config=config)
    for layer in range(config.num_hidden_layers):
        cache.update(torch.randn(batch, heads, past, width), torch.randn(batch, heads, past, width), layer)
    return cache


def _value(model, spec: Input, case):
    if spec.fill not in ("ids", "mask", "real"):
        return _cache(model, model.config, spec, case)
    shape = [_number(size, case) for size in spec.shape]
    if spec.fill == "real":
        return torch.randn(shape)
    if spec.fill == "mask":
        made = torch.ones(shape, dtype=torch.long)
        if len(shape) == 2 and shape[1] > 4:
            made[0, -2:] = 0  # one row is shorter
        return made
    made = torch.randint(min(3, spec.high - 1), spec.high, shape) if spec.high > 3 else torch.randint(0, spec.high, shape)
    if spec.token:
        token, count = spec.token
        made[:, 1 : 1 + count] = token
    return made


def _shapes(value, spec: Input):
    if spec.fill in ("ids", "mask", "real"):
        return _open_axes(spec.shape) or None
    batch, past = spec.shape
    axes = _open_axes((batch, 0, past, 0)) if spec.fill == "DynamicCache" else {}
    return [(axes or None) if leaf.dim() == 4 else None for leaf in pytree.tree_leaves(value)]


def _shake(module):
    """Norms that are all ones, biases that are all zeros and layers scaled by a millionth would hide a mistake."""
    codebooks = [buffer for buffer in module.buffers() if buffer.dim() > 1]
    for parameter in [*module.parameters(), *codebooks]:
        if parameter.is_floating_point() and parameter.numel() > 1 and bool((parameter == parameter.flatten()[0]).all()):
            parameter.data += 0.1 * torch.randn_like(parameter)
    for part in module.modules():
        if isinstance(part, torch.nn.modules.batchnorm._BatchNorm) and part.running_mean is not None:
            part.running_mean.normal_(0, 0.1)
            part.running_var.uniform_(0.5, 1.5)


def _pretrained(entry: Model):
    import transformers
    from transformers.exporters.exporter_dynamo import register_cache_pytrees_for_model
    from transformers.exporters.utils import prepare_for_export

    torch.manual_seed(0)
    cls = getattr(transformers, entry.cls)
    model = cls(cls.config_class(**copy.deepcopy(entry.config))).eval()
    count = sum(parameter.numel() for parameter in model.parameters())
    if count > LARGEST:
        raise ValueError(f"{entry.name} has {count} parameters: its configuration does not make it small")
    _shake(model)
    register_cache_pytrees_for_model(model)
    cases = []
    for case in range(2):
        inputs = {name: _value(model, spec, case) for name, spec in entry.inputs.items()}
        cases.append(((), prepare_for_export(model, inputs)[1]))
    shapes = {name: _shapes(cases[0][1][name], spec) for name, spec in entry.inputs.items()}
    is_open = any(isinstance(size, str) for spec in entry.inputs.values() for size in spec.shape)
    return PretrainedSubject(model, cases, shapes if is_open else None)


def _feature(name):
    from feature_modules import FEATURES

    torch.manual_seed(1)
    module, sample, other, shapes = FEATURES[name]()
    cases = [case if len(case) == 2 and isinstance(case[0], tuple) and isinstance(case[1], dict) else (case, {}) for case in (sample, other)]
    return Subject(module, cases, shapes)


def make(name) -> Subject:
    entry = next((each for each in MODELS if each.name == name), None)
    return _pretrained(entry) if entry else _feature(name)


def has_transformers():
    return importlib.util.find_spec("transformers") is not None
