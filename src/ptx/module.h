// A PTX module in memory: the parser builds it from the text, the verifier checks it, and the compiler, the interpreter
// and the printer read it.
//
// It stays close to the text. Names are views into the source (the module keeps the text alive). Scopes are flattened:
// a register of an inner `{ }` is a register of the function. Labels are instruction indices. An instruction is a row
// of the table (isa/instructions.inc) with the chosen modifiers. Nothing here is specific to an engine.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/source.h"
#include "ptx/isa/isa.h"
#include "ptx/types.h"

namespace warpwise::ptx {

using RegisterId = uint32_t;  // index into Function::registers
using LabelId = uint32_t;     // index into Function::labels
using VariableId = uint32_t;  // index into Module::variables or Function::variables, see SymbolRef

struct Register {
  std::string_view name;  // "%r7"
  Type type = Type::None;
  uint8_t vector = 1;  // 2 or 4 for `.reg .v4 .f32 %v`
};

// The entity that a name in an operand refers to.
struct SymbolRef {
  enum class Kind : uint8_t {
    ModuleVariable,    // Module::variables[index]
    FunctionVariable,  // Function::variables[index] of the enclosing function
    Parameter,         // Function::parameters[index] of the enclosing function
    ReturnParameter,   // Function::returns[index] of the enclosing function
    Function,          // Module::functions[index]
    Label,             // Function::labels[index] (a .branchtargets list or a label)
    Prototype,         // Function::prototypes[index]
  };
  Kind kind = Kind::ModuleVariable;
  uint32_t index = 0;
  bool operator==(const SymbolRef&) const = default;
};

// One operand of an instruction.
struct Operand {
  enum class Kind : uint8_t {
    None,
    Register,   // %r1, !%p1 (negated), %v.x (component)
    Immediate,  // 7, -1, 0f3F800000, 1.5
    Special,    // %tid.x
    Symbol,     // a variable, function or label by name, as a value: mov.u64 %rd, buffer+8; mov.u64 %rd, words[2]
    Address,    // [%rd1+8], [buffer+4], [16]
    Vector,     // {%r1, %r2, _, 3}
    Sink,       // _
    Pair,       // d|p : elements[0] is d, elements[1] is p (either may be a Sink)
    List,       // (a, b, c): arguments of a call
    String,     // a quoted or bare word that some directives take
  };
  Kind kind = Kind::None;
  bool negated = false;       // Register: !p
  bool minus = false;         // Register: -a (vmad)
  bool indexed = false;       // Symbol: written words[2]; `offset` has the bytes
  uint8_t component = 0;      // Register of a vector type, Special: 0 x, 1 y, 2 z, 3 w; kWhole for all
  std::string_view selector;  // Register of a video instruction: "b0", "h10", "b7531"; "" for the whole
  bool is_float = false;      // Immediate: written as a floating-point constant
  RegisterId reg = 0;         // Register; Address with base Register
  uint64_t bits = 0;          // Immediate: the 64-bit integer value, or the bits of the value as an f64
                              // (0f… constants are widened exactly; NaN payloads survive the round trip)
  uint32_t float_bits = 0;    // Immediate written 0fXXXXXXXX: the very bits
  bool exact_f32 = false;     // Immediate: float_bits holds
  SpecialRegister special = SpecialRegister::None;
  SymbolRef symbol;                                                        // Symbol; Address with base Symbol
  enum class Base : uint8_t { None, Register, Symbol } base = Base::None;  // Address
  int64_t offset = 0;                                                      // Address, Symbol: bytes added
  std::vector<Operand> elements;  // Vector, Pair, List; texture and tensor addresses [t, {x, y}]
  Span span;

  static constexpr uint8_t kWhole = 0xff;
  bool is(Kind k) const { return kind == k; }
};

// `@p` or `@!p` before an instruction.
struct Guard {
  bool present = false;
  bool negated = false;
  RegisterId reg = 0;
};

// The source of a piece of PTX (a .loc directive): a line, and the call through which it was inlined.
struct SourceLocation {
  uint32_t file = 0;  // index into Module::files
  uint32_t line = 0;
  uint32_t column = 0;
  int32_t inlined_at = -1;         // index into Module::locations, -1: not inlined
  std::string_view function_name;  // of the inlined function; "" when not known
};

constexpr int32_t kNoLocation = -1;

struct Instruction {
  Op op{};  // the row of isa/instructions.inc
  Guard guard;
  // The modifiers in the order of the row's pattern, Mod::None for an optional one that is absent.
  std::array<Mod, kMaxModifiers> mods{};
  // One per operand of the row's pattern, in its order; None where an optional one is absent. Rows that
  // take `...` have as many as were written.
  std::vector<Operand> operands;
  int32_t location = kNoLocation;  // index into Module::locations
  Span span;                       // from the opcode to the last operand

  bool has(Mod mod) const;
  // The index-th type among the modifiers (cvt.rn.f32.s32: type(0) is F32, type(1) is S32).
  Type type(unsigned index = 0) const;
  // The state space among the modifiers; Generic when there is none.
  Space space() const;
  // The first modifier that belongs to a class, or None: rounding(), cmp …
  Mod first_of(ModClass cls) const;
  // 1, 2, 4 or 8 for .v2, .v4, .v8.
  unsigned vector_length() const;
  const Spec& spec() const { return spec_of(op); }
};

struct Label {
  std::string_view name;
  uint32_t instruction = 0;  // the index it stands before; == instructions.size() at the end
  // A `.branchtargets` or `.calltargets` list instead of a place, when not empty.
  std::vector<SymbolRef> targets;
  Span span;
};

// A piece of an initialiser that is an address: 8 bytes at `at` become address_of(symbol) + addend.
struct Relocation {
  uint64_t at = 0;
  SymbolRef symbol;  // ModuleVariable or Function
  int64_t addend = 0;
  bool generic = false;  // written generic(symbol)
  uint8_t bytes = 8;     // 4 or 8, or 1 for a piece taken by 0xFF00(symbol) masks
  uint8_t shift = 0;     // with bytes == 1: which byte of the address, times 8
};

enum class Linkage : uint8_t { Internal, Visible, Extern, Weak, Common };

struct Variable {
  std::string_view name;
  Space space = Space::Global;
  Type type = Type::B8;  // of one element
  uint8_t vector = 1;    // elements are .v2 or .v4 of `type`
  uint64_t size = 0;     // bytes in all; 0 for an extern array of unknown length (`[]`)
  bool is_array = false;
  uint32_t align = 1;  // bytes, a power of two
  Linkage linkage = Linkage::Internal;
  bool managed = false;            // .attribute(.managed)
  std::vector<std::byte> initial;  // empty: zeros
  std::vector<Relocation> relocations;
  Span span;
};

struct Parameter {
  std::string_view name;
  Space space = Space::Param;  // .param, or .reg for device functions
  Type type = Type::B32;
  uint64_t size = 4;  // bytes; arrays included
  uint32_t align = 4;
  uint32_t offset = 0;  // in the parameter buffer of an entry, in bytes
  RegisterId reg = 0;   // for .reg parameters of functions
  bool is_array = false;
  Span span;
};

struct Prototype {  // a .callprototype
  std::string_view name;
  std::vector<Parameter> parameters;
  std::vector<Parameter> returns;
  bool noreturn = false;
};

struct Dim3 {
  uint32_t x = 0, y = 0, z = 0;
};

struct Function {
  std::string_view name;
  bool is_entry = false;
  bool is_declaration = false;  // no body here (extern, or a forward declaration never completed)
  bool noreturn = false;
  Linkage linkage = Linkage::Internal;

  std::vector<Parameter> parameters;
  std::vector<Parameter> returns;
  uint32_t parameter_bytes = 0;  // of an entry: the size of the parameter buffer

  Dim3 max_threads{};       // .maxntid; x == 0: not given
  Dim3 required_threads{};  // .reqntid
  uint32_t min_blocks_per_sm = 0;
  uint32_t max_registers = 0;
  Dim3 required_cluster{};  // .reqnctapercluster
  bool explicit_cluster = false;

  std::vector<Register> registers;
  std::vector<Variable> variables;  // .local, .shared and .param of the body
  std::vector<Label> labels;
  std::vector<Prototype> prototypes;
  std::vector<Instruction> instructions;
  Span span;  // of the name in its definition
};

struct Module {
  std::shared_ptr<const SourceText> source;
  unsigned version = 0;     // 85 for .version 8.5
  std::string_view target;  // "sm_90a"
  unsigned sm = 0;          // 90
  bool address_64 = true;

  std::vector<std::string> files;  // .file, by index - see SourceLocation::file
  std::vector<SourceLocation> locations;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  // .alias name, function: indices of functions. Uses of the name have already been replaced by uses of the function.
  std::vector<std::pair<uint32_t, uint32_t>> aliases;
  // Storage for views that do not point into the source: names decoded from .debug_str.
  std::vector<std::shared_ptr<const std::string>> texts;

  const Function* find_function(std::string_view name) const;  // a definition if there is one
  const Variable* find_variable(std::string_view name) const;
};

}  // namespace warpwise::ptx
