// The instruction table as data: one Spec per row of instructions.inc.
//
// A row is written in the PTX manual's own notation and is parsed at compile time. All code that needs a list of
// instructions (the parser, the verifier, the printer, the dispatch of compiler and interpreter, the random-program
// generator, `warpwise isa`, docs/isa.md) includes the table or uses these functions.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

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

constexpr Mod kLastTypeMod = static_cast<Mod>(static_cast<unsigned>(kLastType));

enum class ModClass : uint8_t {
  Type,
  Space,
  Rounding,
  Compare,
  BoolOp,
  Semantics,
  Scope,
  Cache,
  Vector,
  AtomicOp,
  Mode,
  Flag,
  Shape,
  Layout,
  Texture,
  Level,
  Other,
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
  None,
  Alu,
  Fp32,
  Fp64,
  Half,
  Sfu,
  Lsu,
  Branch,
  Tensor,
  Texture,
  Uniform,
  Sync,
  Async,
};

// One modifier's place in a pattern: `.f32`, `{.ftz}`, or a placeholder such as `.rnd`.
struct ModSlot {
  std::string_view name;  // "f32", "ftz", "rnd": without dot and braces; "*" for any known modifiers
  std::span<const Mod> allowed;
  ModClass cls = ModClass::Other;  // in this place: `.hi` is a Compare in setp and a Mode in mul
  bool optional = false;
  bool tied = false;  // optional, and present exactly when the slot before it is: {.xorsign.abs}
  bool rest = false;  // `.*`: this and all further entries of Instruction::mods

  bool allows(Mod mod) const;
};

// What an operand's type has to be.
enum class TypeRule : uint8_t {
  Nth,       // the index-th type among the modifiers
  Wide,      // twice as wide as the first type
  Fixed,     // OperandSlot::type
  Memory,    // the first type or wider; a vector when a vector modifier is chosen
  Mov,       // what mov takes
  Four,      // a vector of four of the second type
  Address,   // an address as a value: register or symbol
  Constant,  // an immediate
  Any,       // not checked
};

enum class OperandForm : uint8_t { Value, Address, List, Label, Targets, Callee, Prototype, Rest };

// One operand's place in a pattern.
struct OperandSlot {
  std::string_view name;  // as in the manual: "d", "a", "membermask"
  OperandForm form = OperandForm::Value;
  TypeRule rule = TypeRule::Nth;
  uint8_t index = 0;       // Nth
  Type type = Type::None;  // Fixed
  bool wider = false;      // a wider register is accepted
  bool written = false;
  bool optional = false;       // when absent, the operand in Instruction::operands is None
  bool negatable = false;      // {!}c
  bool minus = false;          // {-}a
  bool pair = false;           // d|p
  bool pair_optional = false;  // d{|p}
  bool selector = false;       // d.sel
  int8_t only_with = -1;       // optional, and present exactly when this modifier slot is
};

struct Spec {
  std::string_view name;     // "fma_f32"
  std::string_view pattern;  // "fma.rnd{.ftz}{.sat}.f32 d, a, b, c"
  std::string_view opcode;   // "fma"
  State state = State::Executed;
  Unit unit = Unit::None;
  unsigned ptx_version = 10;              // first .version, times ten
  unsigned sm = 0;                        // lowest target
  std::string_view alternatives;          // ".rnd = .rn .rz": the placeholders' sets as the row gives them
  std::span<const ModSlot> mods;          // Instruction::mods[i] stands in mods[i]
  std::span<const OperandSlot> operands;  // Instruction::operands[i] stands in operands[i]

  // The position of the modifier slot called `name`, or -1.
  int slot(std::string_view name) const;
};

const Spec& spec_of(Op op);
std::span<const Spec> all_specs();
std::string_view text_of(Mod mod);  // "ftz", without the dot
ModClass class_of(Mod mod);
Mod find_mod(std::string_view text);  // Mod::None when there is no such modifier
// Types come first among the modifiers and in the order of enum Type.
inline Type type_of(Mod mod) { return mod <= kLastTypeMod ? static_cast<Type>(mod) : Type::None; }
inline Mod mod_of(Type type) { return static_cast<Mod>(type); }
Space space_of(Mod mod);  // Generic when it is not a state space; .shared::cluster is Shared

// The rows of an opcode ("fma"), in the table's order; empty when there is no such instruction.
std::span<const Op> ops_of(std::string_view opcode);
std::vector<std::string_view> all_opcodes();  // sorted

struct SpecialRegisterInfo {
  SpecialRegister id = SpecialRegister::None;
  std::string_view name;  // "%tid"
  Type type = Type::None;
  uint8_t components = 1;
  unsigned ptx_version = 10;
  unsigned sm = 0;
};
const SpecialRegisterInfo& info_of(SpecialRegister special);
SpecialRegister find_special_register(std::string_view name);  // "%tid"; None when there is none

}  // namespace warpwise::ptx
