"""Compares Ferry's symbolic expressions with those of torch: how they print, what they read, and their values.

usage: peer_sympy.py PROGRAM [COUNT [SEED]], where PROGRAM is built from tests/peers/sym_expr.cpp
"""

import random
import subprocess
import sys

import sympy
from sympy.printing.repr import srepr
from torch.utils._sympy import functions as F
from torch.utils._sympy.numbers import int_oo

FUNCTIONS = {name: getattr(F, name) for name in F.__all__}
FUNCTIONS |= {"Max": F.Max, "Min": F.Min, "int_oo": int_oo}
SYMBOLS = [sympy.Symbol(name, positive=True, integer=True) for name in ("s0", "s1", "s2", "s10", "s27", "s77")]
UNBACKED = sympy.Symbol("u0", integer=True)
LOCALS = FUNCTIONS | {str(s): s for s in [*SYMBOLS, UNBACKED]}


def read(text):
    return sympy.sympify(text, locals=LOCALS)


def integer(rng, depth):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*SYMBOLS, *SYMBOLS, UNBACKED, sympy.Integer(rng.randint(-9, 20))])
    a = integer(rng, depth - 1)
    b = integer(rng, depth - 1)
    number = sympy.Integer(rng.choice([2, 3, 4, 7, 8, 16, 64]))
    kind = rng.randrange(13)
    if kind < 2:
        return a + b
    if kind == 2:
        return a * b
    if kind == 3:
        return a - rng.randint(1, 9)
    if kind == 4:
        return number * a
    if kind == 5:
        return F.FloorDiv(a, number)
    if kind == 6:
        return F.FloorDiv(a, rng.choice(SYMBOLS))
    if kind == 7:
        return (F.Mod if a.is_nonnegative else F.PythonMod)(a, number)
    if kind == 8:
        return F.Max(a, b)
    if kind == 9:
        return F.Min(a, b)
    if kind == 10:
        return sympy.Pow(a, 2)
    if kind == 11:
        return F.CeilDiv(rng.choice(SYMBOLS) + rng.randint(0, 5), number)
    if rng.random() < 0.5:
        return F.TruncToInt(rng.choice([1.5, 0.5, 2.25]) * F.ToFloat(rng.choice(SYMBOLS)))
    return F.CeilToInt(F.IntTrueDiv(rng.choice(SYMBOLS), number))


def condition(rng, depth):
    if depth > 0 and rng.random() < 0.4:
        parts = [condition(rng, depth - 1) for _ in range(2)]
        kind = rng.randrange(3)
        return sympy.And(*parts) if kind == 0 else sympy.Or(*parts) if kind == 1 else sympy.Not(parts[0])
    relation = rng.choice([sympy.Eq, sympy.Ne, sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge])
    return relation(integer(rng, 1), integer(rng, 2))


def make(rng):
    try:
        kind = rng.random()
        if kind < 0.15:
            return condition(rng, 2)
        if kind < 0.2:
            return sympy.Piecewise((integer(rng, 1), condition(rng, 0)), (integer(rng, 1), True))
        return integer(rng, rng.randint(0, 4))
    except (ZeroDivisionError, AssertionError, RecursionError):
        return None


def value(expr, values):
    """The number an expression has, or None where it has none (a division by zero, a float of its own kind)."""
    try:
        result = expr.xreplace(values) if values else expr
        if result in (sympy.true, sympy.false):
            return str(bool(result))
        return str(int(result)) if result.is_Integer else None
    except (ZeroDivisionError, AssertionError, TypeError, ValueError):
        return None


# Forms that programs exported by torch hold.
KNOWN = [
    "Add(FloorDiv(Add(Symbol('s27', positive=True, integer=True), Integer(-3)), Integer(2)), Integer(1))",
    "Max(Integer(1), TruncToInt(Mul(Float('1.5', precision=53), ToFloat(Symbol('s27', positive=True, integer=True)))))",
    "GreaterThan(Symbol('u0', integer=True), Integer(0))",
    "Mul(Add(Mod(Symbol('s77', positive=True, integer=True), Integer(8)), Integer(2)), Symbol('s77', positive=True, integer=True))",
]


def ask(program, lines):
    answer = subprocess.run([program], input="".join(line + "\n" for line in lines), capture_output=True, text=True, check=True)
    rows = [row.split("\t") for row in answer.stdout.split("\n")[:-1]]
    assert len(rows) == len(lines), f"{len(rows)} answers to {len(lines)} expressions"
    return rows


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1500
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    expressions = [sympy.sympify(text, locals=FUNCTIONS) for text in KNOWN]
    while len(expressions) < count:
        expr = make(rng)
        if expr is not None and not expr.has(sympy.nan, sympy.zoo, int_oo, sympy.oo):
            expressions.append(expr)
    expressions = [expr for expr in expressions for _ in range(2)]  # once in each form
    lines, bindings = [], []
    for index, expr in enumerate(expressions):
        chosen = {s: sympy.Integer(rng.randint(1, 40)) for s in sorted(expr.free_symbols, key=str)}
        bindings.append(chosen)
        lines.append((srepr if index % 2 else str)(expr) + "\t" + " ".join(f"{s}={v}" for s, v in chosen.items()))
    rows = ask(program, lines)

    failures, compared, printed, others = [], 0, 0, []
    for expr, chosen, (text, srepr_text, number) in zip(expressions, bindings, rows, strict=True):
        if text == "error":
            failures.append((str(expr), "not read", srepr_text))
            continue
        # What Ferry writes is the same function to torch, in both forms, ...
        again = sympy.sympify(srepr_text, locals=FUNCTIONS)
        expected = value(expr, chosen)
        for name, found in (("value", number), ("str", value(read(text), chosen)), ("srepr", value(again, chosen))):
            if expected is not None and found is not None and expected != found:
                failures.append((str(expr), f"{name} at {chosen}", f"{text}: {found} instead of {expected}"))
        compared += expected is not None
        # ... and torch prints it just so, ...
        if str(again) == text:
            printed += 1
        elif "/" not in str(again).replace("//", ""):
            others.append((expr, text, str(again)))
    # ... unless it has made another expression of it (or a fraction, which Ferry multiplies out).
    for (expr, text, theirs), (second, _, _) in zip(others, ask(program, [theirs for _, _, theirs in others]), strict=True):
        if second == text:
            failures.append((str(expr), "printed", f"{text} instead of {theirs}"))
    for failure in failures[:20]:
        print(*failure, sep="\n    ")
    print(f"{len(rows)} expressions, {compared} values compared, {printed} printed alike, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
