"""Decomposed programs of Ferry against those of Python, for the same models.

Each model is scripted and handed to PEER, which captures it dynamic, decomposes it, and compares the result with the model
itself at sizes that the capture has not seen. Here: what is left must be core ATen by torch's own tags, and the same ops that
Python's `run_decompositions()` leaves; every op that Ferry's list has an entry for must have come by.

"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.export.exported_program import default_decompositions

torch.manual_seed(0)

warnings.filterwarnings("ignore")
aten = torch.ops.aten

# What is no core ATen op though it is left, here as in Python.
NOT_CORE = {
    "aten::_assert_tensor_metadata": "a check, not a computation",
    "aten::_assert_scalar": "a check, not a computation",
    "aten::sym_constrain_range_for_size": "a check, not a computation",
    "aten::linalg_vector_norm": "Python's table leaves it",
    "aten::max": "Python's table leaves it",
    "aten::min": "Python's table leaves it",
    "aten::unfold": "Python's table leaves it",
    "aten::bucketize.Tensor": "Python's table leaves it",
    "aten::searchsorted.Tensor": "Python's table leaves it",
    "aten::histc": "Python's table leaves it",
    "aten::bincount": "Python's table leaves it",
    "aten::cummax": "Python's table leaves it",
    "aten::cummin": "Python's table leaves it",
    "aten::_is_all_true": "Python's table leaves it",
    "aten::view_as_real": "Python's table leaves it",
    "aten::view_as_complex": "Python's table leaves it",
    "aten::polar": "Python's table leaves it",
    "aten::complex": "Python's table leaves it",
    "aten::_fft_c2c": "Python's table leaves it",
    "aten::_upsample_bilinear2d_aa": "Python's table leaves it",
    "aten::_native_batch_norm_legit_functional": "Python's table leaves it",
    "aten::cumprod": "Python's table leaves it",
    "aten::_conj": "Python's table leaves it",
    "aten::adaptive_max_pool2d": "Python's table leaves it",
    "aten::adaptive_max_pool3d": "Python's table leaves it",
    "aten::grid_sampler_3d": "Python's table leaves it",
}

# Ops that are one and the same for this comparison.
SAME = {
    # C++ has ops for numbers where Python passes a number as a tensor argument.
    "aten::add.Scalar": "aten::add.Tensor",
    "aten::sub.Scalar": "aten::sub.Tensor",
    "aten::mul.Scalar": "aten::mul.Tensor",
    "aten::div.Scalar": "aten::div.Tensor",
    # A number as a tensor.
    "aten::scalar_tensor": "aten::full",
    "aten::full_like": "aten::full",
}

# Models whose ops are not those of Python, as found with torch 2.12, and why. All others must have the very same. That the
# ops are core ATen, and the numbers right, is checked for these as for all.
OTHERWISE = {
    "one element is selected, where Python slices and squeezes": """
        GRU_bare_static GRU_layers_static GRU_plain_static LSTM_bare_static LSTM_layers_static
        LSTM_plain_static RNN_bare_static RNN_layers_static RNN_plain_static unbind
    """,
    "no decomposition in Python's table: Ferry goes on to core ATen": """
        addmv exact1d exact2d_raw exact3d_raw native_shuf nearest1d nearest2d nearest3d_raw std_mean
        trilinear_raw var_mean
    """,
    "sizes are symbols here and numbers there: ratios and roots of them are computed by tensors, and slices up to a symbol stay": """
        addr bicubic bicubic_raw bicubic_size bilinear bilinear_al conv1d exact1d_vec exact2d exact3d
        linear1d linear1d_raw linear1d_size linspace linspace_7 linspace_dbl linspace_int meshgrid
        nearest1d_vec nearest3d nll2d nll2d_raw outer sdpa sdpa_causal sdpa_grouped sdpa_mask
        sdpa_rows trilinear
    """,
    "Python checks a cast or an index in the graph": """
        int_onehot to_double
    """,
    "memory that nobody reads is zeros": """
        empty_like new_empty pad_circular
    """,
    "the same function in other core ops": """
        weight_norm all_all bce bce_logits bce_weighted bce_weights celu clamp_maxs clamp_mins cosine cross diag_above
        diag_below diag_embed dropout encoder eye eye_m fill_tensor floor_divides frac heaviside heavisides
        huber im2col im2col_3d index_fill index_fill_t int_floordiv int_floordivs int_isin int_logit
        int_rsub int_rsub_half isin isin_not lerp lerp_far lerp_tensor lift_fresh logaddexp logaddexp2 logit
        logit_eps mish nan_logaddexp nll_weights pad_any pad_reflect pad_reflect2 pad_reflect3 pad_replicat2
        pad_replicat3 pad_replicate roll roll_flat rsub sdpa_bias smooth_l1 special_logit trace
    """,
}

# TorchScript has no such op; tests/program/run_decompositions.cpp has.
FROM_CPP = {"aten::rsub.Tensor", "aten::reshape"}
# A capture takes it apart; a program of Python has it, see `spectrogram` in tests/pt2/feature_modules.py.
FROM_PYTHON = {"aten::istft"}

CASES = {}


def case(*inputs, static=False, **more):
    """Inputs for the capture, then for the comparison; `but` are ops that only one of both has, with the reason."""

    def add(model):
        CASES[model.__name__] = dict(model=model, inputs=inputs, dynamic=not static, **more)
        return model

    return add


def r(*sizes, dtype=torch.float32):
    return torch.randn(sizes, dtype=dtype)


def pairs(*sizes, dtype=torch.float32):
    """One tensor per run."""
    return [[r(*each, dtype=dtype)] for each in sizes]


X = pairs((3, 4), (5, 7), (2, 9))
H = pairs((3, 4), (5, 7), (2, 9), dtype=torch.float16)
B = pairs((3, 4), (5, 7), (2, 9), dtype=torch.bfloat16)
D = pairs((3, 4), (5, 7), (2, 9), dtype=torch.float64)
XY = [[r(3, 4), r(3, 4)], [r(5, 7), r(5, 7)], [r(2, 9), r(2, 9)]]
I = [[torch.randint(-9, 9, (3, 4))], [torch.randint(-9, 9, (5, 7))], [torch.randint(-9, 9, (2, 9))]]
U = [[torch.rand(3, 4)], [torch.rand(5, 7)], [torch.rand(2, 9)]]
N = [[torch.tensor([[1.0, float("nan"), float("inf")], [-float("inf"), -2.0, 0.0]])]] * 2
IMAGES = pairs((2, 4, 6, 8), (3, 4, 8, 10), (5, 4, 10, 6))


# One line each: name, expression over x (and y), inputs.
def lines(inputs, text, **more):
    two = len(inputs[0]) == 2
    for line in text.strip().splitlines():
        name, expression = [part.strip() for part in line.split("|", 1)]
        source = f"def {name}(x: Tensor{', y: Tensor' if two else ''}):\n    return {expression}\n"
        path = os.path.join(FOLDER, name + ".py")
        with open(path, "w") as file:
            file.write("import torch\nimport torch.nn.functional as F\nfrom torch import Tensor\naten = torch.ops.aten\n" + source)
        scope = {"__name__": name}
        exec(compile(open(path).read(), path, "exec"), scope)
        CASES[name] = dict(model=scope[name], inputs=inputs, dynamic=True, **more)


FOLDER = tempfile.mkdtemp()

UNARY = """
silu          | aten.silu(x)
mish          | aten.mish(x)
hardsigmoid   | aten.hardsigmoid(x)
hardswish     | aten.hardswish(x)
celu          | aten.celu(x, 0.7)
selu          | torch.selu(x)
softplus      | aten.softplus(x, 2.0, 1.5)
hardshrink    | aten.hardshrink(x, 0.3)
softshrink    | aten.softshrink(x, 0.3)
log_sigmoid   | F.logsigmoid(x)
glu0          | aten.glu(torch.cat([x, x * 2], 0), 0)
glu           | aten.glu(torch.cat([x, x * 2], 1), -1)
threshold     | aten.threshold(x, 0.2, -3.5)
clamp_min     | aten.clamp_min(x, 0.1)
clamp_max     | aten.clamp_max(x, 0.1)
rsub          | aten.rsub(x, 2.5, 3)
masked_fill   | x.masked_fill(x > 0.5, 3.0)
lerp          | torch.lerp(x, x * 3, 0.3)
lerp_far      | torch.lerp(x, x * 3, 0.8)
"""
lines(X, UNARY)
lines(H, re.sub(r"^(\w+)", r"half_\1", UNARY.strip(), flags=re.M), python=False)
lines(B, re.sub(r"^(\w+)", r"bfloat_\1", UNARY.strip(), flags=re.M), python=False)
lines(D, re.sub(r"^(\w+)", r"double_\1", UNARY.strip(), flags=re.M), python=False)
lines(X, """
prelu         | aten._prelu_kernel(x, torch.full([1], 0.3))
clamp_mins    | aten.clamp_min(x, x.abs() * 0.5)
clamp_maxs    | aten.clamp_max(x, x.abs() * 0.5)
floor_divides | torch.floor_divide(x, 0.3)
frac          | aten.frac(x * 3)
sgn           | aten.sgn(x)
sinc          | aten.sinc(x)
deg2rad       | aten.deg2rad(x)
rad2deg       | aten.rad2deg(x)
square        | torch.square(x)
heavisides    | torch.heaviside(torch.floor(x), x)
std_all       | x.std()
std_dim       | x.std([1], unbiased=False, keepdim=True)
std_mean      | aten.std_mean(x, [0], correction=2, keepdim=True)
std_correct   | aten.std(x, [0], correction=0)
var_mean      | aten.var_mean(x, [0], correction=1)
var_all       | x.var()
sum_all       | x.sum()
sum_double    | torch.sum(x, dtype=torch.float64)
mean_all      | x.mean()
aminmax       | torch.aminmax(x)
aminmax_dim   | torch.aminmax(x, dim=1, keepdim=True)
all_all       | (x > -1).all()
all_dim       | (x > -1).all(1, True)
all_dims      | aten.all(x > -1, [0, 1], True)
logsumexp     | torch.logsumexp(x, 1)
logsumexps    | torch.logsumexp(x, [0, 1], True)
norm_all      | torch.norm(x)
norm_p        | aten.norm(x, 1.5, [1], True)
norm_inf      | torch.norm(x, float('inf'), [0])
norm_scalar   | aten.norm(x, 3)
norm_dtype    | aten.norm(x, 2, [1], False, dtype=torch.float64)
norm_alldtype | aten.norm(x, 2, dtype=torch.float64)
count_nonzero | torch.count_nonzero(x > 0)
count_in      | torch.count_nonzero(x > 0, 1)
count_dims    | aten.count_nonzero(x > 0, [0, 1])
safe_softmax  | aten._safe_softmax(x.masked_fill(x < 2, -float('inf')), 1)
softmax       | torch.softmax(x, 1)
log_softmax   | torch.log_softmax(x, 0)
transpose     | x.transpose(0, -1)
t             | x.t() + 1
t_method      | x.T + 1
squeeze       | x.unsqueeze(0).squeeze(0) + 1
squeeze_all   | x.unsqueeze(0).unsqueeze(-1).squeeze() + 1
stack         | torch.stack([x, x + 1], -1)
roll          | torch.roll(x, [1, -2], [0, 1])
roll_flat     | torch.roll(x, 3)
rot90         | torch.rot90(x, 1, [0, 1])
rot270        | torch.rot90(x, -1, [0, 1])
rot180        | torch.rot90(x, 2, [0, 1])
diag_embed    | torch.diag_embed(x)
diag_above    | torch.diag_embed(x, 1, 0, 2)
diag_below    | torch.diag_embed(x, -2)
chunk         | x.unsqueeze(0).expand(4, -1, -1).chunk(2)[1] + 1
split         | torch.split(x.unsqueeze(0).expand(5, -1, -1), 2)[2] + 1
unsafe_split  | torch.unsafe_split(x.unsqueeze(0).expand(5, -1, -1), 2)[2] + 1
unsafe_sizes  | torch.unsafe_split_with_sizes(x.unsqueeze(0).expand(5, -1, -1), [2, 3])[1] + 1
unbind        | x.unsqueeze(0).expand(2, -1, -1).unbind(0)[1] + 1
detach        | x.detach() + 1
lift          | aten.lift_fresh_copy(x)
unsafe_view   | aten._unsafe_view(x, [x.size(1), x.size(0)])
tril          | torch.tril(x, 1)
triu          | torch.triu(x, -1)
arange        | torch.arange(x.size(0), dtype=torch.float32).unsqueeze(1) + x
arange_start  | torch.arange(1, x.size(1)) + x[:, 1:]
ones          | torch.ones([x.size(0), 1]) + x
ones_int      | torch.ones([x.size(0), 2], dtype=torch.int64)
zeros         | torch.zeros([x.size(0), 1]) + x
new_full      | x.new_full([x.size(1)], 2.5) + x
new_ones      | x.new_ones([x.size(1)]) + x
new_zeros     | x.new_zeros([x.size(0), 3], dtype=torch.int64)
ones_like     | torch.ones_like(x) + x
zeros_like    | torch.zeros_like(x, dtype=torch.float64)
eye           | torch.eye(x.size(0))
eye_m         | torch.eye(x.size(0), x.size(1), dtype=torch.int64)
linspace      | torch.linspace(-1.0, 2.0, x.size(1)) + x
linspace_int  | torch.linspace(0, 10, x.size(1), dtype=torch.int64)
linspace_dbl  | torch.linspace(0.1, 0.7, x.size(1), dtype=torch.float64)
linspace_7    | torch.linspace(0.1, 0.7, 7) + x.sum()
fill          | aten.fill(x, 3)
fill_tensor   | aten.fill(x, x.sum())
zero          | aten.zero(x)
where_scalar  | torch.where(x > 0, x, 0.25)
where_self    | torch.where(x > 0, 0.5, x)
where_both    | torch.where(x > 0, 1.0, 0.5)
addr          | torch.addr(x, x[:, 0], x[0], beta=0.5, alpha=2)
baddbmm       | torch.baddbmm(x.unsqueeze(0), x.unsqueeze(0), x.t().matmul(x).unsqueeze(0), beta=0.5, alpha=2)
baddbmm_0     | torch.baddbmm(x.unsqueeze(0) * float('nan'), x.unsqueeze(0), x.t().matmul(x).unsqueeze(0), beta=0)
addmv         | torch.addmv(x[:, 0], x, x[0], beta=0.5, alpha=2)
mv            | torch.mv(x, x[0])
dot           | torch.dot(x[0], x[0] + 1)
vdot          | torch.vdot(x[0], x[0] + 1)
trace         | torch.trace(x)
outer         | torch.outer(x[0], x[:, 0])
einsum        | torch.einsum('ij,kj->ik', x, x)
matmul        | torch.matmul(x, x.t())
repeat_interl | torch.repeat_interleave(x, 2, 1)
tile          | torch.tile(x, [2, 1])
meshgrid      | torch.meshgrid([x[0], x[:, 0]], indexing='ij')
clip          | torch.clip(x, -0.5, 0.5)
multiply      | torch.multiply(x, x)
expand_as     | x[0].expand_as(x) + 1
flatten       | x.unsqueeze(1).flatten(1) + 1
unflatten     | torch.cat([x, x], 1).unflatten(1, [2, x.size(1)])
to_double     | x.to(torch.float64)
type_as       | (x > 0).type_as(x)
dropout       | F.dropout(x, 0.5, False) + 1
layer_norm    | F.layer_norm(x, [x.size(1)])
rms_norm      | F.rms_norm(x, [x.size(1)])
group_norm    | F.group_norm(x.unsqueeze(1).repeat(1, 4, 1), 2)
pad           | F.pad(x, [1, 2], value=0.5)
pad_reflect   | aten.reflection_pad1d(x, [1, 0])
pad_any       | F.pad(x.unsqueeze(0), [1, 0], mode='reflect')
pad_replicate | aten.replication_pad1d(x, [2, 1])
pad_circular  | F.pad(x.unsqueeze(0), [1, 1], mode='circular')
max_pool1d    | F.max_pool1d(x.unsqueeze(0), 2, 1)
avg_pool1d    | F.avg_pool1d(x.unsqueeze(0), 2, 1)
adaptive_avg1 | F.adaptive_avg_pool1d(x.unsqueeze(0), 1)
linear1d      | F.interpolate(x.unsqueeze(0), scale_factor=2.0, mode='linear')
linear1d_size | F.interpolate(x.unsqueeze(0), size=[7], mode='linear', align_corners=True)
nearest1d     | aten.upsample_nearest1d(x.unsqueeze(0), [7])
nearest1d_vec | F.interpolate(x.unsqueeze(0), scale_factor=2.0, mode='nearest')
exact1d       | aten._upsample_nearest_exact1d(x.unsqueeze(0), [7])
exact1d_vec   | F.interpolate(x.unsqueeze(0), scale_factor=2.0, mode='nearest-exact')
linear1d_raw  | aten.upsample_linear1d(x.unsqueeze(0), [7], False)
new_empty     | x.new_empty([x.size(0), 2]).mul(0).nan_to_num()
empty_like    | torch.empty_like(x).mul(0).nan_to_num()
lift_fresh    | aten.lift_fresh(x) + 1
xlogy_float   | aten.xlogy(x.abs(), x.abs())
isin          | torch.isin(torch.round(x), torch.arange(-1, 1))
isin_not      | torch.isin(torch.round(x), torch.arange(-1, 1), invert=True)
isin_scalar   | torch.isin(torch.round(x), 1)
take          | torch.take(x, torch.arange(x.size(0)))
index_add     | torch.index_add(x, 1, torch.arange(2), x[:, :2], alpha=0.5)
index_copy    | torch.index_copy(x, 0, torch.arange(2), x[:2] + 1)
index_fill    | torch.index_fill(x, -1, torch.arange(2), 7.0)
index_fill_t  | torch.index_fill(x, 0, torch.arange(2), x.sum())
index         | x[torch.arange(2)]
unsafe_index  | aten._unsafe_index(x, [None, torch.arange(2)])
unsafe_put    | aten._unsafe_index_put(x, [torch.arange(2)], x[:2] * 2, True)
cosine        | F.cosine_similarity(x, x + 1, 1)
argsort       | torch.argsort(x, 1)
cross         | torch.linalg.cross(x[:, :3], x[:, :3] + 1 + torch.arange(3)) if x.size(1) >= 3 else x
mean_pow      | x.pow(2).mean(-1, True)
norm_vector   | torch.linalg.vector_norm(x, 2.0, [1])
bce           | F.binary_cross_entropy(torch.sigmoid(x), (x > 0.1).to(torch.float32))
bce_logits    | F.binary_cross_entropy_with_logits(x, (x > 0.1).to(torch.float32))
bce_weights   | F.binary_cross_entropy_with_logits(x, (x > 0.1).to(torch.float32), x.abs(), pos_weight=x.exp(), reduction='none')
nll           | F.nll_loss(torch.log_softmax(x, 1), torch.arange(x.size(0)) % 2)
nll_weights   | F.nll_loss(torch.log_softmax(x, 1), torch.arange(x.size(0)) % 2, x[0].abs(), reduction='sum')
nll_ignored   | F.nll_loss(torch.log_softmax(x, 1), torch.arange(x.size(0)) % 2, ignore_index=1, reduction='none')
nll_raw       | aten.nll_loss_forward(torch.log_softmax(x, 1), torch.arange(x.size(0)) % 2, None, 1, -100)
cross_entropy | F.cross_entropy(x, torch.arange(x.size(0)) % 2)
""")
lines(I, """
int_masked    | x.masked_fill(x > 2, -1)
int_rsub      | 3 - x
int_rsub_half | 3.5 - x
int_floordiv  | x // 4
int_floordivs | torch.floor_divide(x, 3)
int_clamp_min | torch.clamp_min(x, 1)
int_threshold | aten.threshold(x, 1, 7)
int_sum       | x.sum()
int_prod      | x.prod(1)
int_sgn       | torch.sgn(x)
int_sinc      | torch.sinc(x)
int_logit     | torch.logit(x)
int_nan       | torch.nan_to_num(x)
int_tril      | torch.tril(x)
int_addcmul   | torch.addcmul(x, x, x, value=2)
int_and       | (x & 3) | (x ^ 1)
int_isin      | torch.isin(x, torch.arange(3))
int_square    | x.square()
int_entr      | torch.special.entr(x)
int_embedding | F.embedding(x.abs(), torch.arange(40.0).view(10, 4))
int_onehot    | F.one_hot(x.abs(), 10)
""")
lines(U, """
logit         | torch.logit(x)
logit_eps     | torch.logit(x, 0.2)
entr          | torch.special.entr(x - 0.3)
xlogy         | torch.xlogy(x - 0.3, x)
special_logit | torch.special.logit(x, 1e-3)
""")
lines(N, """
nan_to_num    | torch.nan_to_num(x)
nan_to_given  | torch.nan_to_num(x, 1.0, 2.0, 3.0)
isposinf      | torch.isposinf(x)
isneginf      | torch.isneginf(x)
nansum        | torch.nansum(x[:, :2], 1)
nansum_all    | torch.nansum(x[:, :2])
nan_threshold | F.threshold(x, 0.0, 1.0)
nan_softshrink| F.softshrink(x)
nan_hardshrink| F.hardshrink(x)
nan_logsumexp | torch.logsumexp(x[1:], 1)
nan_entr      | torch.special.entr(x)
nan_xlogy     | torch.xlogy(x, x)
nan_logaddexp | torch.logaddexp(x, x)
nan_where     | torch.where(torch.isnan(x), 0.0, x)
""")
lines(XY, """
rsub_tensor   | aten.rsub(x, y, alpha=2)
masked_tensor | x.masked_fill(y > 0, y.sum())
addcmul       | torch.addcmul(x, x, y, value=0.5)
addcdiv       | torch.addcdiv(x, x, y, value=0.5)
lerp_tensor   | torch.lerp(x, y, torch.sigmoid(y))
logaddexp     | torch.logaddexp(x, y)
logaddexp2    | torch.logaddexp2(x, y)
heaviside     | torch.heaviside(x, y)
floor_divide  | torch.floor_divide(x, y)
min_other     | torch.min(x, y)
max_other     | torch.max(x, y)
mse           | F.mse_loss(x, y)
mse_none      | F.mse_loss(x, y, reduction='none')
huber         | F.huber_loss(x, y, delta=0.5)
smooth_l1     | F.smooth_l1_loss(x, y, beta=0.5, reduction='sum')
smooth_l1_0   | F.smooth_l1_loss(x, y, beta=0.0)
soft_margin   | F.soft_margin_loss(x, torch.sign(y))
bce_weighted  | F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y), y.abs(), reduction='sum')
sdpa_rows     | F.scaled_dot_product_attention(x.unsqueeze(0), y.unsqueeze(0), y.unsqueeze(0))
bilinear_like | torch.einsum('bi,bj->bij', x, y)
cdist         | torch.cdist(x, y)
concat        | torch.concat([x, y], 1)
""")
lines(IMAGES, """
conv2d        | F.conv2d(x, torch.full([4, 2, 3, 3], 0.1), torch.arange(4.0), padding=1, groups=2)
conv2d_same   | F.conv2d(x, torch.full([4, 4, 3, 3], 0.1), padding='same')
conv1d        | F.conv1d(x[:, :, 0], torch.full([3, 4, 3], 0.1))
conv_tr2d     | F.conv_transpose2d(x, torch.full([4, 2, 3, 3], 0.1), stride=2, output_padding=1)
max_pool2d    | F.max_pool2d(x, 2, 2)
avg_pool2d    | F.avg_pool2d(x, 2, 2)
adaptive_avg2 | F.adaptive_avg_pool2d(x, [1, 1])
adaptive_avg3 | F.adaptive_avg_pool2d(x, [2, 3])
pixel_shuffle | F.pixel_shuffle(x, 2)
pixel_unshuf  | F.pixel_unshuffle(x, 2)
channel_shuf  | aten.channel_shuffle(x, 2)
native_shuf   | torch.native_channel_shuffle(torch.stack([x[:, 0], x[:, 1], x[:, 2], x[:, 3]], 1), 2)
pad_reflect2  | aten.reflection_pad2d(x, [1, 2, 3, 0])
pad_replicat2 | aten.replication_pad2d(x, [1, 2, 3, 0])
pad_reflect3  | aten.reflection_pad3d(x, [1, 2, 3, 0, 1, 1])
pad_replicat3 | aten.replication_pad3d(x, [1, 2, 3, 0, 1, 1])
im2col        | F.unfold(x, [2, 3], dilation=[1, 2], padding=[1, 0])
im2col_3d     | F.unfold(x[0], [2, 3])
unfold_back   | aten.unfold_backward(x.unfold(3, 2, 1), list(x.shape), 3, 2, 1)
bicubic       | F.interpolate(x, scale_factor=[2.0, 1.5], mode='bicubic')
bicubic_size  | F.interpolate(x, size=[5, 7], mode='bicubic', align_corners=True)
bilinear_vec  | F.interpolate(x, scale_factor=2.0, mode='bilinear')
bilinear      | aten.upsample_bilinear2d(x, [5, 7], False)
bilinear_al   | aten.upsample_bilinear2d(x, [5, 7], True)
nearest2d_vec | F.interpolate(x, scale_factor=2.0, mode='nearest')
nearest2d     | aten.upsample_nearest2d(x, [5, 7])
exact2d_raw   | aten._upsample_nearest_exact2d(x, [5, 7])
exact2d       | F.interpolate(x, scale_factor=[2.0, 1.5], mode='nearest-exact')
trilinear     | F.interpolate(x.unsqueeze(0), scale_factor=2.0, mode='trilinear')
nearest3d     | F.interpolate(x.unsqueeze(0), scale_factor=2.0, mode='nearest')
exact3d_raw   | aten._upsample_nearest_exact3d(x.unsqueeze(0), [3, 5, 7])
nearest3d_raw | aten.upsample_nearest3d(x.unsqueeze(0), [3, 5, 7])
trilinear_raw | aten.upsample_trilinear3d(x.unsqueeze(0), [3, 5, 7], False)
bicubic_raw   | aten.upsample_bicubic2d(x, [5, 7], False)
exact3d       | F.interpolate(x.unsqueeze(0), scale_factor=2.0, mode='nearest-exact')
batch_norm    | F.batch_norm(x, torch.arange(4.0), torch.arange(1.0, 5.0), torch.arange(4.0), torch.arange(4.0))
batch_norm_tr | F.batch_norm(x, None, None, training=True)
instance_norm | F.instance_norm(x)
nll2d_raw     | aten.nll_loss2d_forward(torch.log_softmax(x, 1), (x[:, 0] > 0).to(torch.int64), None, 1, -100)
nll2d         | F.nll_loss(torch.log_softmax(x, 1), (x[:, 0] > 0).to(torch.int64), ignore_index=0)
grid_sample   | F.grid_sample(x, torch.tanh(x[:, :2].permute(0, 2, 3, 1)), align_corners=False)
sdpa          | F.scaled_dot_product_attention(x, x + 1, x)
sdpa_causal   | F.scaled_dot_product_attention(x, x + 1, x, is_causal=True)
sdpa_mask     | F.scaled_dot_product_attention(x, x + 1, x, (x @ x.transpose(-1, -2)) > 1)
sdpa_bias     | F.scaled_dot_product_attention(x, x + 1, x, x @ x.transpose(-1, -2), scale=0.3)
sdpa_grouped  | F.scaled_dot_product_attention(x, x[:, :2], x[:, :2], enable_gqa=True)
""")


class Network(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor):
        return self.layers(x)


class Recurrent(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor):
        return self.layer(x)


SEQUENCES = pairs((5, 2, 4), (7, 3, 4), (2, 2, 4), (11, 6, 4))
STATIC = pairs((5, 2, 4), (5, 2, 4))
for kind in ("RNN", "LSTM", "GRU"):
    for name, options in {
        "plain": {},
        "layers": dict(num_layers=2, bidirectional=True, batch_first=True),
        "bare": dict(bias=False),
    }.items():
        model = Recurrent(getattr(nn, kind)(4, 3, **options))
        CASES[f"{kind}_{name}"] = dict(model=model, inputs=SEQUENCES, dynamic=True, python=False)
        CASES[f"{kind}_{name}_static"] = dict(model=model, inputs=STATIC, dynamic=False)
CASES["RNN_relu"] = dict(model=Recurrent(nn.RNN(4, 3, nonlinearity="relu")), inputs=SEQUENCES, dynamic=True, python=False)
CASES["LSTM_projected"] = dict(model=Recurrent(nn.LSTM(4, 5, proj_size=3)), inputs=SEQUENCES, dynamic=True, python=False)
CASES["network"] = dict(
    model=Network(nn.Conv2d(4, 8, 3, padding=1), nn.BatchNorm2d(8), nn.SiLU(), nn.MaxPool2d(2), nn.Conv2d(8, 4, 1), nn.Hardswish(),
                  nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 6), nn.LayerNorm(6), nn.GELU()).eval(),
    inputs=IMAGES, dynamic=True)
CASES["encoder"] = dict(
    model=Network(nn.Linear(4, 16), nn.LayerNorm(16), nn.Mish(), nn.Linear(16, 4, bias=False), nn.Softmax(-1)).eval(),
    inputs=pairs((2, 3, 4), (4, 7, 4), (3, 2, 4)), dynamic=True)


lines(X, """
strided       | x.as_strided([2, 2], [1, 2])
weight_norm   | aten._weight_norm_interface(x, x[:, :1].contiguous(), 0)[0]
""")


class Script(nn.Module):
    names: list[str]
    inputs: list[list[Tensor]]

    def __init__(self, model, names, inputs, dynamic):
        super().__init__()
        self.model = model
        self.names, self.inputs, self.dynamic = names, inputs, dynamic


class One(Script):
    def forward(self, x: Tensor):
        return self.model(x)


class Two(Script):
    def forward(self, x: Tensor, y: Tensor):
        return self.model(x, y)


def wrapped(each):
    two = len(each["inputs"][0]) == 2
    model = each["model"] if isinstance(each["model"], nn.Module) else torch.jit.script(each["model"])
    names = ["x", "y"] if two else ["x"]
    return (Two if two else One)(model, names, [list(i) for i in each["inputs"]], each["dynamic"]).eval()


def ferry_name(target):
    name = target.name()
    return name[: -len(".default")] if name.endswith(".default") else name


def ops_of_python(each):
    model = each["model"]

    class Eager(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = model if isinstance(model, nn.Module) else None

        def forward(self, *inputs):
            return (self.inner or model)(*inputs)

    with torch.no_grad():
        program = torch.export.export(Eager().eval(), tuple(each["inputs"][0]), strict=False).run_decompositions()
    found = set()
    for module in program.graph_module.modules():
        for node in getattr(module, "graph", torch.fx.Graph()).nodes:
            if isinstance(node.target, torch._ops.OpOverload):
                found.add(ferry_name(node.target))
    return found


def overload(op):
    name, _, which = op.removeprefix("aten::").partition(".")
    return getattr(getattr(torch.ops.aten, name), which or "default")


def is_core(op):
    return torch.Tag.core in overload(op).tags


def computes(op):
    return op.startswith("aten::") and not op.startswith("aten::sym_")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", metavar="PEER")
    parser.add_argument("wanted", nargs="*", metavar="MODEL", help="which to run (default: all)")
    parser.add_argument("-v", "--verbose", action="store_true", help="print where the ops differ from Python's")
    parser.add_argument("--compare", type=int, default=1, metavar="N",
                        help="compare the ops with Python's for each Nth model, for Python takes a second for one (default: each)")
    options = parser.parse_args()
    peer, wanted = options.peer, options.wanted
    for name, each in CASES.items():
        if not wanted or name in wanted:
            torch.jit.save(torch.jit.script(wrapped(each)), os.path.join(FOLDER, name + ".pt"))
    answer = subprocess.run([peer, FOLDER], capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        sys.exit(f"{peer} failed: {answer.stderr[-2000:]}\n{answer.stdout[-500:]}")
    answers = [json.loads(line) for line in answer.stdout.splitlines()]
    wrong, met, more = [], set(), {}
    for position, found in enumerate(answers[1:]):
        name, each = found["name"], CASES[found["name"]]
        if "refused" in found or "error" in found:
            wrong.append(f"{name}: {found.get('refused') or found['error']}"[:600])
            continue
        met.update(found["before"])
        if max(found["off"]) > 1:
            wrong.append(f"{name}: {max(found['off']):.3g} times what may be off at one of the inputs {found['off']}")
        after = {op for op in found["after"] if computes(op)}
        for op in sorted(after):
            if not is_core(op) and op not in NOT_CORE:
                wrong.append(f"{name}: {op} is left and no core ATen op")
        if each.get("python", True) and position % options.compare == 0:
            python = {op for op in ops_of_python(each) if computes(op)}
            same = lambda ops: {SAME.get(op, op) for op in ops}
            ours, theirs = same(after) - same(python), same(python) - same(after)
            if ours or theirs:
                more[name] = (sorted(ours), sorted(theirs))
            excused = any(name in names.split() for names in OTHERWISE.values())
            if (ours or theirs) and not excused:
                wrong.append(f"{name}: only Ferry has {sorted(ours)}, only Python {sorted(theirs)}")
            if excused and not ours and not theirs:
                wrong.append(f"{name}: has the ops of Python, and is said to have others")
    if not wanted:
        own = {op for op in answers[0]["listed"] if op.startswith("aten::")}  # those of Python's libraries: tests/pt2
        for op in sorted(own - met - FROM_CPP - FROM_PYTHON):
            wrong.append(f"no model has {op}, which the list has an entry for")
    if options.verbose:
        for name, (ours, theirs) in more.items():
            print(f"  {name:16} only Ferry: {' '.join(ours) or '-'}; only Python: {' '.join(theirs) or '-'}")
    print(f"{len(answers) - 1} models, {len(more)} with other ops than Python's, {len(wrong)} wrong")
    for line in wrong:
        print("WRONG", line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
