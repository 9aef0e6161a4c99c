"""Small modules, one for each feature of torch.export: (module, example arguments, other arguments, dynamic shapes or None)."""
import math
from typing import NamedTuple

import torch
from torch import nn
from torch.export import Dim

torch.manual_seed(0)
FEATURES = {}


def feature(make):
    FEATURES[make.__name__] = make
    return make


class Call(nn.Module):
    """A function as a module."""

    def __init__(self, function, **tensors):
        super().__init__()
        self.function = function
        for name, tensor in tensors.items():
            self.register_buffer(name, tensor)

    def forward(self, *args):
        return self.function(self, *args)


BATCH = Dim("batch", min=1, max=64)


def rows(*more):
    return torch.randn(3, *more), torch.randn(7, *more)


def dynamic(function, *more, **tensors):
    """Of one tensor whose first size is dynamic."""

    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            for name, tensor in tensors.items():
                self.register_buffer(name, tensor)

        def forward(self, x):
            return function(self, x)

    sample, other = rows(*more)
    return Module(), (sample,), (other,), ({0: BATCH},)


@feature
def linear_relu():
    sample, other = rows(4)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)), (sample,), (other,), ({0: BATCH},)


@feature
def static_shapes():
    return nn.Linear(4, 2), (torch.randn(3, 4),), (torch.randn(3, 4),), None


@feature
def convolution_norm():
    model = nn.Sequential(nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6), nn.GELU(), nn.AdaptiveAvgPool2d(2)).eval()
    return model, (torch.randn(2, 3, 8, 8),), (torch.randn(5, 3, 8, 8),), ({0: BATCH},)


@feature
def lstm_without_its_states():
    """Of states that nobody uses Python's programs say a shape that they do not have."""
    class Last(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.LSTM(4, 3, batch_first=True, bidirectional=True)

        def forward(self, x):
            return self.layer(x)[0]

    return Last().eval(), (torch.randn(2, 5, 4),), (torch.randn(3, 5, 4),), ({0: BATCH},)


@feature
def batch_norm_in_training():
    model = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6)).train()
    sample, other = rows(4)
    return model, (sample,), (other,), ({0: BATCH},)


@feature
def buffer_in_place():
    def forward(self, x):
        self.count.add_(1)
        self.total[1:3].mul_(2).add_(x.sum())
        return x * self.count + self.total

    return dynamic(forward, 4, count=torch.zeros(()), total=torch.ones(4))


@feature
def cache_written_at_a_position():
    def forward(self, x):
        self.cache[:, 2:4].copy_(x[:1, :2])
        self.cache.index_copy_(1, torch.tensor([0]), x[:1, 3:4])
        return self.cache + x

    return dynamic(forward, 6, cache=torch.zeros(1, 6))


@feature
def views_written():
    def forward(self, x):
        y = x.clone()
        y[:, 1] = 0
        y.view(-1)[2] = 5.0
        y.t()[0].add_(1)
        return y

    return dynamic(forward, 4)


@feature
def index_put():
    def forward(self, x):
        y = torch.zeros_like(x)
        y[x > 0] = 1.5
        y[:, torch.tensor([0, 2])] += 1
        y.index_put_((torch.tensor([0]),), torch.tensor(3.0), accumulate=True)
        return y

    return dynamic(forward, 4)


@feature
def input_written():
    def forward(self, x):
        x.add_(1)
        return x * 2

    return dynamic(forward, 4)


@feature
def no_grad_inside():
    def forward(self, x):
        y = x * 2
        with torch.no_grad():
            z = y.sum(0) + 1
        return y + z, z

    return dynamic(forward, 4)


@feature
def no_grad_twice():
    def forward(self, x):
        with torch.no_grad():
            a, b = x.sin(), x.cos()
        with torch.enable_grad():
            c = a + b
        return c, a

    return dynamic(forward, 4)


@feature
def autocast_inside():
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = x @ x.t()
        return y.float() + 1, y

    return dynamic(forward, 4)


@feature
def condition():
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda a: a.sin() + 1, lambda a: a.cos() * 2, (x,))

    return dynamic(forward, 4)


@feature
def condition_several():
    def forward(self, x):
        y = x + 1

        def yes(a, b):
            return a + b, a.sum(0)

        def no(a, b):
            return a - b, b.sum(0)

        return torch.cond(x.sum() > 100, yes, no, (x, y))

    return dynamic(forward, 4)


@feature
def loop():
    from torch._higher_order_ops.while_loop import while_loop

    def forward(self, x):
        return while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, a * 1.5), (torch.tensor(0), x))

    return dynamic(forward, 4)


@feature
def mapped():
    from torch._higher_order_ops.map import map as torch_map

    def forward(self, x):
        return torch_map(lambda row, other: row.sin() + other.sum(), x, x[0] + 1)

    return dynamic(forward, 4)


@feature
def scanned():
    from torch._higher_order_ops.scan import scan

    def forward(self, x):
        carry, ys = scan(lambda c, row: (c + row, (c * row).clone()), x[0] * 0, x, dim=0)
        return carry, ys

    return dynamic(forward, 4)


@feature
def numbers_as_tensors():
    def forward(self, x):
        y = torch.add(x, 1) * 2.5 + True
        return y, torch.div(7, x.abs() + 1), (x.long() + 1) / 2, torch.pow(2, x)

    return dynamic(forward, 4)


@feature
def size_arithmetic():
    def forward(self, x):
        n = x.shape[0]
        y = x.reshape(-1)[: n * 4 // 2]
        z = torch.zeros((n + 7) // 8 * 8, 2)
        return y, z + n, torch.arange(n) % 3, torch.full((max(n, 2),), n / 2)

    return dynamic(forward, 4)


@feature
def size_functions():
    def forward(self, x):
        n = x.shape[0]
        return (
            torch.zeros(torch.sym_max(n, 5)),
            torch.zeros(torch.sym_min(n, 5)),
            x * torch.sym_float(n),
            x * (n**2 - 1),
            x / math.sqrt(4),
        )

    return dynamic(forward, 4)


@feature
def sizes_as_outputs():
    def forward(self, x):
        return x.shape[0], x + 1, x.shape[0] * 2, 5, None

    return dynamic(forward, 4)


@feature
def nonzero_positions():
    def forward(self, x):
        found = (x[:, 0] > 0).nonzero()
        return found + 1, x[x > 0]

    return dynamic(forward, 4)


@feature
def bound_of_many_bits():
    """The bound that Python finds for the second number of positions, sixteen times the first, has more than 64 bits."""

    def forward(self, x):
        found = (x[:, 0] > 0).nonzero()
        return (found.expand(-1, 16) >= 0).nonzero().sum(0) + 1

    return dynamic(forward, 4)


@feature
def item_as_size():
    def forward(self, x):
        n = x.abs().sum().ceil().to(torch.int64).clamp(1, 5).item()
        torch._check(n >= 1)
        torch._check(n <= 5)
        return torch.ones(n) * 2, x

    return dynamic(forward, 4)


@feature
def parts_that_make_a_whole():
    """Two numbers of rows that depend on values, and whose sum does not."""

    def forward(self, x):
        positive = x[:, 0] > 0
        sorted_rows = torch.cat([x[positive], x[~positive]])
        torch._check(sorted_rows.size(0) == x.size(0))
        return nn.functional.silu(sorted_rows) + nn.functional.layer_norm(x, [4])

    return dynamic(forward, 4)


@feature
def as_many_as_given():
    """Rows that a mask picks, which must be as many as another input has."""

    def forward(self, x, mask, rows):
        picked = x[mask]
        torch._check(picked.size(0) == rows.size(0))
        x = x.clone()
        x[mask] = nn.functional.silu(picked) + nn.functional.layer_norm(rows, [4])
        return x

    def case(size, count):
        mask = torch.zeros(size, dtype=torch.bool)
        mask[torch.randperm(size)[:count]] = True
        return torch.randn(size, 4), mask, torch.randn(count, 4)

    auto = {0: Dim.AUTO}
    return Call(forward), case(9, 4), case(12, 5), ((auto, auto, auto),)


@feature
def values_that_share_rows():
    """A grid whose height and width are values of a tensor fills some rows, what is left is padding."""

    def forward(self, x, shape):
        height, width = shape.tolist()
        torch._check(height >= 1)
        torch._check(width >= 1)
        torch._check(height * width <= x.size(0))
        image = nn.functional.interpolate(self.grid, size=(height, width), mode="bilinear")
        filled = torch.empty_like(x)
        filled[: height * width] = image.reshape(4, height * width).t()
        filled[height * width :] = filled[0]
        return nn.functional.silu(filled) + nn.functional.layer_norm(x, [4])

    shapes = (({0: Dim.AUTO}, None),)
    return Call(forward, grid=torch.randn(1, 4, 3, 3)), (torch.randn(12, 4), torch.tensor([2, 5])), (torch.randn(21, 4), torch.tensor([6, 3])), shapes


@feature
def rows_in_fours():
    """A number of rows that depends on values, and must be a multiple of four."""

    def forward(self, x, mask):
        picked = x[mask]
        torch._check(picked.size(0) % 4 == 0)
        return nn.functional.silu(picked.view(-1, 4, 3)).sum(1), nn.functional.layer_norm(x, [3])

    def case(size, count):
        mask = torch.zeros(size, dtype=torch.bool)
        mask[torch.randperm(size)[:count]] = True
        return torch.randn(size, 3), mask

    return Call(forward), case(9, 8), case(17, 12), (({0: Dim.AUTO}, {0: Dim.AUTO}),)


@feature
def sum_of_values():
    def forward(self, x, counts):
        first, second, both = counts.tolist()
        for count in (first, second, both):
            torch._check(count >= 0)
        torch._check(both == first + second)
        padded = torch.cat([x.new_ones(first, 4), x.new_full((second, 4), 2.0)])
        return nn.functional.silu(padded + x.new_full((both, 4), 3.0)).sum() + nn.functional.layer_norm(x, [4])

    return Call(forward), (torch.randn(5, 4), torch.tensor([3, 4, 7])), (torch.randn(6, 4), torch.tensor([2, 9, 11])), (({0: BATCH}, None),)


@feature
def nested_inputs():
    class Module(nn.Module):
        def forward(self, x, extra, flag=True, scale=2.0, mode="sum"):
            y = x * scale + extra["a"] + extra["b"][0] - extra["b"][1]
            return {"y": y if flag else -y, "parts": [y.sum(0), (y.mean(), y.max())]}

    def arguments(n):
        return (torch.randn(n, 4), {"a": torch.randn(n, 4), "b": [torch.randn(4), torch.randn(n, 4)]})

    shapes = ({0: BATCH}, {"a": {0: BATCH}, "b": [None, {0: BATCH}]})
    return Module(), arguments(3), arguments(6), shapes


@feature
def constant_inputs():
    class Module(nn.Module):
        def forward(self, x, flag, scale, mode, nothing):
            y = x * scale
            return y.sum(0) if mode == "sum" and flag and nothing is None else y

    return Module(), (torch.randn(3, 4), True, 2.5, "sum", None), (torch.randn(6, 4), True, 2.5, "sum", None), ({0: BATCH}, None, None, None, None)


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


@feature
def tied_weights():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(11, 4)
            self.head = nn.Linear(4, 11, bias=False)
            self.head.weight = self.embed.weight

        def forward(self, ids):
            return self.head(self.embed(ids))

    return Module(), (torch.randint(0, 11, (3, 5)),), (torch.randint(0, 11, (6, 5)),), ({0: BATCH},)


@feature
def weights_that_are_views():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            both = torch.randn(6, 4)
            self.register_buffer("low", both[:3])
            self.register_buffer("high", both[3:])
            self.register_buffer("turned", both.t())

        def forward(self, x):
            return x @ self.low.t(), x @ self.high.t(), x @ self.turned

    sample, other = rows(4)
    return Module(), (sample,), (other,), ({0: BATCH},)


@feature
def buffers_not_saved():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("kept", torch.randn(4))
            self.register_buffer("dropped", torch.randn(4), persistent=False)
            self.plain = torch.randn(4)

        def forward(self, x):
            return x * self.kept + self.dropped - self.plain + torch.tensor([1.0, 2.0, 3.0, 4.0])

    sample, other = rows(4)
    return Module(), (sample,), (other,), ({0: BATCH},)


@feature
def element_types():
    def forward(self, x):
        return (
            x.half() + 1,
            x.to(torch.bfloat16) * 2,
            x.double(),
            x > 0,
            x.to(torch.uint8) if False else (x.abs() * 10).to(torch.uint8),
            (x * 10).to(torch.int8),
            torch.view_as_complex(x.view(-1, 2, 2)) * (1 + 2j),
        )

    return dynamic(forward, 4)


@feature
def spectral_layer():
    """Writes in place into a part of complex numbers."""

    def forward(self, x):
        waves = torch.fft.rfft(x)
        kept = torch.zeros(x.shape[0], 2, 9, dtype=torch.cfloat)
        kept[:, :, :4] = torch.einsum("bix,iox->box", waves[:, :, :4], self.weight)
        return torch.fft.irfft(kept, n=16), torch.fft.fft2(x).abs()

    return dynamic(forward, 3, 16, weight=torch.randn(3, 2, 4, dtype=torch.cfloat))


@feature
def spectrogram():
    """The window is a buffer."""

    def forward(self, x):
        made = torch.stft(x, 16, 4, 16, self.window, return_complex=True)
        turned = made * torch.exp(0.1j * made.abs())
        return made.abs(), torch.istft(turned, 16, 4, 16, self.window, length=x.shape[1])

    return dynamic(forward, 64, window=torch.hann_window(16))


@feature
def infinite_numbers():
    def forward(self, x):
        y = x.masked_fill(x < 0, float("-inf"))
        return y, torch.full_like(x, float("inf")), torch.nan_to_num(y, nan=0.0, neginf=-1.0), torch.full((2,), float("nan")).isnan()

    return dynamic(forward, 4)


@feature
def several_results():
    def forward(self, x):
        values, positions = x.topk(2, dim=1)
        a, b, c = x.split([1, 2, 1], dim=1)
        mean, var = torch.var_mean(x, dim=1)
        ordered, order = x.sort(dim=1)
        chunks = x.chunk(2, dim=1)
        return values, positions, b, c * a, var, ordered, chunks[1], torch.unbind(x, 1)[2]

    return dynamic(forward, 4)


@feature
def einsum_and_stack():
    def forward(self, x):
        return torch.einsum("ij,kj->ik", x, x), torch.stack([x, x + 1]).permute(1, 0, 2), torch.cat([x, x], -1)

    return dynamic(forward, 4)


@feature
def attention():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
            self.norm = nn.LayerNorm(8)

        def forward(self, x):
            return self.norm(x + self.attention(x, x, x, need_weights=False)[0])

    return Module().eval(), (torch.randn(2, 5, 8),), (torch.randn(4, 9, 8),), ({0: BATCH, 1: Dim("seq", min=2, max=100)},)


@feature
def transformer_layer():
    model = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
    return model, (torch.randn(2, 5, 8),), (torch.randn(4, 5, 8),), ({0: BATCH},)


@feature
def recurrent():
    return nn.GRU(4, 6, batch_first=True), (torch.randn(2, 5, 4),), (torch.randn(2, 5, 4),), None


@feature
def two_dims():
    class Module(nn.Module):
        def forward(self, x, y):
            return x @ y, x.shape[0] + y.shape[1]

    a, b = Dim("a", min=2, max=50), Dim("b", min=2, max=50)
    return Module(), (torch.randn(3, 4), torch.randn(4, 5)), (torch.randn(9, 4), torch.randn(4, 2)), ({0: a}, {1: b})


@feature
def derived_dims():
    class Module(nn.Module):
        def forward(self, x, y):
            return x + y[1:]

    n = Dim("n", min=2, max=50)
    return Module(), (torch.randn(3), torch.randn(4)), (torch.randn(8), torch.randn(9)), ({0: n}, {0: n + 1})


@feature
def interpolation():
    def forward(self, x):
        return nn.functional.interpolate(x, scale_factor=2.0, mode="bilinear"), nn.functional.interpolate(x, size=(5, 5))

    return dynamic(forward, 2, 4, 4)


@feature
def metadata_checks():
    def forward(self, x):
        y = x.to(torch.float32).to("cpu")
        return y.type_as(x).to(dtype=torch.float64).contiguous(), torch.empty_like(y).fill_(2)

    return dynamic(forward, 4)


@feature
def keyword_inputs():
    class Module(nn.Module):
        def forward(self, x, *, y, z=None):
            return x + y if z is None else x + y + z

    return (
        Module(),
        ((torch.randn(3, 4),), {"y": torch.randn(3, 4), "z": torch.randn(4)}),
        ((torch.randn(6, 4),), {"y": torch.randn(6, 4), "z": torch.randn(4)}),
        {"x": {0: BATCH}, "y": {0: BATCH}, "z": None},
    )


@feature
def empty_and_scalar():
    def forward(self, x):
        return x[:, :0], x.sum(), torch.cat([x[:0], x]), torch.tensor(3) + x.long()

    return dynamic(forward, 4)


@feature
def padding_and_folding():
    def forward(self, x):
        return nn.functional.pad(x, (1, 2)), x.unfold(1, 2, 1), nn.functional.one_hot(x.long().abs().clamp(max=3), 4), x.cumsum(1)

    return dynamic(forward, 4)


@feature
def fourier():
    def forward(self, x):
        return torch.fft.rfft(x, dim=1).abs(), torch.fft.irfft(torch.fft.rfft(x, dim=1), n=4, dim=1)

    return dynamic(forward, 4)


@feature
def integer_input():
    class Module(nn.Module):
        def forward(self, x, n):
            return x * n, n + 1, torch.zeros(n, 2)

    return Module(), (torch.randn(3, 4), 5), (torch.randn(6, 4), 5), ({0: BATCH}, Dim.DYNAMIC)


@feature
def cache_that_is_an_input():
    class Module(nn.Module):
        def forward(self, x, cache, *, position):
            keys, values = cache["keys"], cache["values"]
            keys.index_copy_(1, position, x)
            values[:, -1:] = x[:, :1] * 2
            return (x @ keys.transpose(1, 2)).softmax(-1) @ values

    def arguments(n):
        cache = {"keys": torch.randn(n, 6, 4), "values": torch.randn(n, 6, 4)}
        return (torch.randn(n, 2, 4), cache), {"position": torch.tensor([1, 4])}

    shapes = {"x": {0: BATCH}, "cache": {"keys": {0: BATCH}, "values": {0: BATCH}}, "position": None}
    return Module(), arguments(3), arguments(7), shapes


@feature
def integer_among_other_inputs():
    class Module(nn.Module):
        def forward(self, x, n, *, extra, flag=False):
            y = torch.cat([x, extra.expand(x.shape[0], n)], 1)
            return y * n, n * 2 + x.shape[0], y.sum() / n, None if flag else extra

    shapes = {"x": {0: BATCH}, "n": Dim.DYNAMIC, "extra": None, "flag": None}
    inputs = lambda rows: ((torch.randn(rows, 4), 5), {"extra": torch.randn(1, 1), "flag": True})
    return Module(), inputs(3), inputs(6), shapes


@feature
def writes_without_gradients():
    def forward(self, x):
        y = x * 2
        with torch.no_grad():
            self.count.add_(1)
            z = y.sum(0)
            z[1:].mul_(self.count)
            self.total.copy_(self.total + z)
        y.relu_()
        return y + z, self.total.clone()

    return dynamic(forward, 4, count=torch.zeros((), dtype=torch.int64), total=torch.ones(4))


@feature
def autocast_layers():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 4)
            self.norm = nn.LayerNorm(4)

        def forward(self, x):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                y = self.first(x).relu()
                z = self.norm(self.second(y) + x)
                both = torch.cat([y.new_zeros(y.shape[0], 4), z], 1)
                scores = torch.matmul(z, z.t()).softmax(-1)
                with torch.autocast("cpu", enabled=False):
                    exact = x @ x.t()
            return y, z, both, scores.float(), exact, self.second(y.float())

    sample, other = rows(4)
    return Module(), (sample,), (other,), ({0: BATCH},)


@feature
def attention_under_autocast():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv = nn.Linear(8, 24)

        def forward(self, x):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                q, k, v = (each.unflatten(-1, (2, 4)).transpose(1, 2) for each in self.qkv(x).chunk(3, -1))
                return nn.functional.scaled_dot_product_attention(q, k, v), q.softmax(-1)

    return Module(), (torch.randn(3, 5, 8),), (torch.randn(6, 5, 8),), ({0: BATCH},)


@feature
def views_of_buffers_written():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("table", torch.randn(4, 6))
            self.register_buffer("scratch", torch.zeros(6), persistent=False)

        def forward(self, x):
            self.table.view(-1)[3:5] = x.sum()
            self.table[1].zero_()
            self.table.t()[0].add_(x[0, 0])
            self.table.view(2, 2, 6).unbind(0)[1][0, 2:].mul_(3)
            rows = self.table.narrow(0, 2, 2)
            rows.copy_(rows + self.scratch)
            self.scratch += 1
            return self.table @ x.new_ones(6, 2), x + self.scratch[:4]

    sample, other = rows(4)
    return Module(), (sample,), (other,), ({0: BATCH},)


@feature
def in_place_functions():
    def forward(self, x):
        a = nn.functional.silu(x + 1, inplace=True)
        b = (x * 3).clamp_(-1, 1).sigmoid_()
        c = torch.zeros_like(x).masked_fill_(x > 0, 2.5).sub_(1)
        d = (x * 10).long().add_(2).floor_divide_(3)
        e = nn.functional.leaky_relu(x.clone(), 0.2, inplace=True).detach_()
        f = x.new_empty(x.shape).fill_(0.5).addcmul_(a, b, value=2).scatter_(1, d.abs() % 4, 7.0)
        return a, b, c, d, e, f, torch.empty_like(x).copy_(c[0]).t_()

    return dynamic(forward, 4)


@feature
def slices_of_an_input_written():
    class Module(nn.Module):
        def forward(self, x, y):
            x[:, 1:3] = 0
            y[0].add_(x.sum(0))
            z = x.view(-1, 2)
            z[:, 0] += 1
            return x + 1, z

    arguments = lambda n: (torch.randn(n, 4), torch.randn(2, 4))
    return Module(), arguments(3), arguments(7), ({0: BATCH}, None)


@feature
def numbers_and_scalars():
    def forward(self, x):
        whole, single = (x * 3).long(), x.sum()
        return whole + 2.5, whole.sum() * 2.5, single + 1, single.half() * 2.5, whole // 2, 3 - whole, single.double() / 3, x**2, 1 / (x.abs() + 1), whole.sum() > 1.5

    return dynamic(forward, 4)


@feature
def sizes_that_are_no_integers():
    def forward(self, x):
        n = x.shape[0]
        return x / torch.sym_sqrt(n), x * (n / 3), torch.full((2,), n * 0.5), x + n / 4, n / 4

    return dynamic(forward, 4)


@feature
def condition_with_weights():
    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.yes, self.no = nn.Linear(4, 4), nn.Linear(4, 4)

        def forward(self, x):
            def with_norm(a):
                return nn.functional.silu(nn.functional.layer_norm(self.yes(a), (4,)))

            def with_mean(a):
                return self.no(a).sub(a.mean(0, keepdim=True)) * a.shape[0]

            return torch.cond(x.sum() > 0, with_norm, with_mean, (x,))

    sample, other = rows(4)
    return Module(), (sample.abs(),), (-other.abs(),), ({0: BATCH},)


@feature
def mapped_several():
    from torch._higher_order_ops.map import map as torch_map

    def forward(self, x):
        def body(pair, scale):
            a, b = pair
            return nn.functional.softmax(a * scale, -1), (a + b).mean()

        return torch_map(body, (x, x + 1), self.scale)

    return dynamic(forward, 4, scale=torch.tensor(1.5))


@feature
def grouped_rows():
    import transformers.integrations.moe  # registers the op  # noqa: F401

    class Module(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(5, 4, 3))

        def forward(self, x, ends):
            return torch.ops.transformers.grouped_mm_fallback(x, self.weight, ends)

    return (
        Module(),
        (torch.randn(9, 4), torch.tensor([2, 2, 5, 6, 9], dtype=torch.int32)),
        (torch.randn(12, 4), torch.tensor([0, 4, 7, 7, 10], dtype=torch.int32)),
        ({0: BATCH}, None),
    )


@torch.library.custom_op("ferry_test::scale_rows", mutates_args=("x",))
def scale_rows(x: torch.Tensor, by: float) -> torch.Tensor:
    x.mul_(by)
    return x.sum()


@scale_rows.register_fake
def _(x, by):
    return x.new_empty(())


@feature
def custom_op_without_writes():
    """An op that writes to its argument, in the form without writes that Python gives a program."""

    def forward(self, x):
        y = x + 1
        total = torch.ops.ferry_test.scale_rows(y, 2.0)
        torch.ops.ferry_test.scale_rows(y[:, 1:3], 3.0)
        torch.ops.ferry_test.scale_rows(y.t()[0], 5.0)
        torch.ops.ferry_test.scale_rows(self.kept, 2.0)
        return y, total + self.kept

    return dynamic(forward, 4, kept=torch.ones(()))


DECOMPOSED = {"custom_op_without_writes"}  # saved as run_decompositions() gives them
