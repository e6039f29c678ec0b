// The instruction table as data: one Spec per row of instructions.inc.
//
// A row is written in the PTX manual's own notation and is parsed at compile time; everything that
// needs a list of instructions (the parser, the verifier, the printer, the compiler's and the
// interpreter's dispatch, the random-program generator, `warpwise isa`, docs/isa.md) includes the
// table or asks here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ptx/types.h"

namespace warpwise::ptx {

// One enumerator per row of instructions.inc.
enum class Op : uint16_t {
#define INST(name, ...) name,
#include "ptx/isa/instructions.inc"
#undef INST
};

// Every modifier (`.ftz`, `.f32`, `.global`, …), one enumerator each; modifiers.inc lists them with
// their class.
enum class Mod : uint16_t {
  None,
#define MOD(id, text, cls) id,
#include "ptx/isa/modifiers.inc"
#undef MOD
};

enum class ModClass : uint8_t {
  Type, Space, Rounding, Compare, BoolOp, Semantics, Scope, Cache, Vector, AtomicOp, Mode, Flag, Shape, Layout, Texture,
  Level, Other,
};

constexpr unsigned kMaxModifiers = 20;

// Read-only special registers: special_registers.inc.
enum class SpecialRegister : uint8_t {
  None,
#define SPECIAL_REGISTER(id, ...) id,
#include "ptx/isa/special_registers.inc"
#undef SPECIAL_REGISTER
};

enum class State : uint8_t {
  Executed,    // runs in the compiler and in the interpreter
  Recognised,  // parses and verifies; executing it is diagnostic P0900
};

// Which part of an SM executes a row: the counters' and the model's column.
enum class Unit : uint8_t {
  None, Alu, Fp32, Fp64, Half, Sfu, Lsu, Branch, Tensor, Texture, Uniform, Sync, Async,
};

struct Spec {
  std::string_view name;      // "fma_f32"
  std::string_view pattern;   // "fma.rnd{.ftz}{.sat}.f32 d, a, b, c"
  std::string_view opcode;    // "fma"
  State state = State::Executed;
  Unit unit = Unit::None;
  unsigned ptx_version = 10;  // first .version, times ten
  unsigned sm = 0;            // lowest target
  // The rest of the parsed pattern (modifier slots with their allowed sets, operand slots) is defined
  // beside the parser of patterns; see isa.cpp.
};

const Spec& spec_of(Op op);
std::span<const Spec> all_specs();
std::string_view text_of(Mod mod);  // "ftz", without the dot
ModClass class_of(Mod mod);

}  // namespace warpwise::ptx
