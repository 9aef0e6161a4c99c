"""Whether tensors are those that were wanted, and who is to blame where something is not."""

import re

import torch

TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 1e-2}  # of others: 1e-4


class PeerError(Exception):
    """Python cannot do it, by no fault of Ferry."""


class FerryError(Exception):
    pass


class Refusal(Exception):
    """Ferry says that it cannot, and why; and so it is."""


def first_line(error):
    text = " ".join(re.sub(r"\x1b\[\d*m", "", str(error)).split()) or type(error).__name__
    return text if isinstance(error, (PeerError, FerryError, Refusal)) else f"{type(error).__name__}: {text}"


def difference(given, wanted):
    """What is wrong, or None. Small numbers are compared by their own measure, so that zeros are no answer to them."""
    if len(given) != len(wanted):
        return f"{len(given)} tensors, not {len(wanted)}"
    for position, (a, b) in enumerate(zip(given, wanted)):
        if a.dtype != b.dtype or a.shape != b.shape:
            return f"tensor {position} is {a.dtype} {list(a.shape)}, not {b.dtype} {list(b.shape)}"
        if b.numel() == 0:
            continue
        tolerance = TOLERANCE.get(b.dtype, 1e-4)
        wide = torch.complex128 if b.is_complex() else torch.float64
        finite = b[torch.isfinite(b)].abs() if b.is_floating_point() or b.is_complex() else b.to(wide).abs()
        scale = min(1.0, finite.max().item()) if finite.numel() else 1.0
        if not torch.allclose(a.to(wide), b.to(wide), rtol=tolerance, atol=tolerance * scale, equal_nan=True):
            return f"tensor {position} is off by {(a.to(wide) - b.to(wide)).abs().nan_to_num().max().item():.2g}"
    return None
