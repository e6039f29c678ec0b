"""Functions of NVIDIA's LLVM, and of its library of device code, that LLVM itself does not have, as LLVM code.

NVIDIA's LLVM has one function each for all kinds of shuffle and of vote, where LLVM has one for each kind. `kind` is a
constant in every call, so that nothing of the choice is left after inlining.
"""

from __future__ import annotations

_SHUFFLES = ("idx", "up", "down", "bfly")
_VOTES = ("all", "any", "uni", "ballot")

_RENAMED = {
    "llvm.nvvm.shfl.sync.i32": "warpwise.shfl.sync.i32",
    "llvm.nvvm.vote.sync": "warpwise.vote.sync",
    "llvm.nvvm.match.all.sync.i32": "llvm.nvvm.match.all.sync.i32p",
    "llvm.nvvm.match.any.sync.i64": "warpwise.match.any.sync.i64",
    "llvm.nvvm.match.all.sync.i64": "warpwise.match.all.sync.i64",
}

# Of 64 bits, LLVM 14 and 19 disagree on the types. Two values agree where both of their halves do.
_MATCHES = """
define linkonce_odr i32 @warpwise.match.any.sync.i64(i32 %mask, i64 %value) alwaysinline {
  %low = trunc i64 %value to i32
  %shifted = lshr i64 %value, 32
  %high = trunc i64 %shifted to i32
  %a = call i32 @llvm.nvvm.match.any.sync.i32(i32 %mask, i32 %low)
  %b = call i32 @llvm.nvvm.match.any.sync.i32(i32 %mask, i32 %high)
  %both = and i32 %a, %b
  ret i32 %both
}
define linkonce_odr {i32, i1} @warpwise.match.all.sync.i64(i32 %mask, i64 %value) alwaysinline {
  %low = trunc i64 %value to i32
  %shifted = lshr i64 %value, 32
  %high = trunc i64 %shifted to i32
  %a = call {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32 %mask, i32 %low)
  %b = call {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32 %mask, i32 %high)
  %lanes = extractvalue {i32, i1} %a, 0
  %is_low = extractvalue {i32, i1} %a, 1
  %is_high = extractvalue {i32, i1} %b, 1
  %is = and i1 %is_low, %is_high
  %agreeing = select i1 %is, i32 %lanes, i32 0
  %with_lanes = insertvalue {i32, i1} zeroinitializer, i32 %agreeing, 0
  %result = insertvalue {i32, i1} %with_lanes, i1 %is, 1
  ret {i32, i1} %result
}
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32, i32)
"""

# The barrier of a cooperative grid. Each round adds 2^31 in all, so the top bit flips when the last block has arrived.
_GRID = """
@warpwise.grid.barrier = internal addrspace(1) global i32 0
define linkonce_odr i64 @cudaCGGetIntrinsicHandle(i32 %scope) alwaysinline {
  ret i64 1
}
define linkonce_odr i32 @cudaCGSynchronize(i64 %grid, i32 %flags) alwaysinline {
entry:
  call void @llvm.nvvm.barrier0()
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %txy = or i32 %tx, %ty
  %t = or i32 %txy, %tz
  %speaks = icmp eq i32 %t, 0
  br i1 %speaks, label %arrive, label %done
arrive:
  call void @llvm.nvvm.membar.gl()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %bxy = or i32 %bx, %by
  %b = or i32 %bxy, %bz
  %first = icmp eq i32 %b, 0
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.z()
  %nxy = mul i32 %nx, %ny
  %n = mul i32 %nxy, %nz
  %rest = sub i32 -2147483647, %n
  %share = select i1 %first, i32 %rest, i32 1
  %before = atomicrmw add i32 addrspace(1)* @warpwise.grid.barrier, i32 %share monotonic
  br label %wait
wait:
  %now = load volatile i32, i32 addrspace(1)* @warpwise.grid.barrier
  %changed = xor i32 %before, %now
  %complete = icmp slt i32 %changed, 0
  br i1 %complete, label %leave, label %wait
leave:
  call void @llvm.nvvm.membar.gl()
  br label %done
done:
  call void @llvm.nvvm.barrier0()
  ret i32 0
}
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.membar.gl()
"""
_REGISTERS = [f"{name}.{axis}" for name in ("tid", "ctaid", "nctaid") for axis in "xyz"]


def _choice(function: str, parameters: str, cases: list[str]) -> str:
    """define {i32, i1} @function(...): a switch on %kind."""
    lines = [f"define linkonce_odr {{i32, i1}} @{function}({parameters}) alwaysinline {{"]
    targets = " ".join(f"i32 {i}, label %case{i}" for i in range(len(cases)))
    lines.append(f"  switch i32 %kind, label %case0 [ {targets} ]")
    for i, case in enumerate(cases):
        lines.append(f"case{i}:\n{case}\n  ret {{i32, i1}} %result{i}")
    lines.append("}")
    return "\n".join(lines)


def _shuffle(i: int, kind: str) -> str:
    return (
        f"  %result{i} = call {{i32, i1}} @llvm.nvvm.shfl.sync.{kind}.i32p"
        "(i32 %mask, i32 %value, i32 %lane, i32 %clamp)"
    )


def _vote(i: int, kind: str) -> str:
    if kind == "ballot":
        return (
            f"  %lanes = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %predicate)\n"
            f"  %result{i} = insertvalue {{i32, i1}} zeroinitializer, i32 %lanes, 0"
        )
    return (
        f"  %is{i} = call i1 @llvm.nvvm.vote.{kind}.sync(i32 %mask, i1 %predicate)\n"
        f"  %result{i} = insertvalue {{i32, i1}} zeroinitializer, i1 %is{i}, 1"
    )


def _definitions() -> str:
    parts = [
        _choice(
            "warpwise.shfl.sync.i32",
            "i32 %mask, i32 %kind, i32 %value, i32 %lane, i32 %clamp",
            [_shuffle(i, kind) for i, kind in enumerate(_SHUFFLES)],
        ),
        _choice(
            "warpwise.vote.sync",
            "i32 %mask, i32 %kind, i1 %predicate",
            [_vote(i, kind) for i, kind in enumerate(_VOTES)],
        ),
    ]
    parts += [_MATCHES, _GRID]
    parts += [f"declare i32 @llvm.nvvm.read.ptx.sreg.{register}()" for register in _REGISTERS]
    for kind in _SHUFFLES:
        parts.append(f"declare {{i32, i1}} @llvm.nvvm.shfl.sync.{kind}.i32p(i32, i32, i32, i32)")
    for kind in _VOTES:
        parts.append(f"declare {'i32' if kind == 'ballot' else 'i1'} @llvm.nvvm.vote.{kind}.sync(i32, i1)")
    return "\n".join(parts)


DEFINITIONS = _definitions()
# Numba looks for this word in the PTX, to know that a kernel must be launched as a cooperative grid.
GRID_MARK = "cudaCGGetIntrinsicHandle"


def needed(text: str) -> bool:
    """Whether the renamed code calls functions of DEFINITIONS."""
    return '@"warpwise.' in text or GRID_MARK in text


def rename(text: str) -> str:
    """Code that calls what DEFINITIONS has, or LLVM's own."""
    for nvidia, ours in _RENAMED.items():
        text = text.replace(f'@"{nvidia}"', f'@"{ours}"')
    return text
