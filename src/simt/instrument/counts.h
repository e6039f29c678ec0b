// Code that counts its instructions and accesses (CompileOptions::count): what it counts and where.
//
// Lowering marks where something happens, as calls of the dialect: a basic block begins, a guard lets lanes through,
// memory is accessed. The marks are made from PTX, before any pass, so the program's own instructions are counted,
// whatever the compiler makes of them. The vectoriser turns marks into additions to cells (`ww.counted.add`) where
// masks and patterns give the answer, and into calls of Services::count_access where addresses are needed. At the end,
// instrument/expand_counts.h makes loads, stores and calls of these.
//
// Every PTX instruction that a kernel can reach has a cell of kCellWords counters of 64 bits in the array that
// BlockContext::counters points to. Basic blocks are counted at their first instruction: its counts hold for the
// others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ptx/layout.h"
#include "ptx/module.h"
#include "ptx/shapes/matrix.h"

namespace warpwise::simt {

// What a mark of lanes tells: those that a guard lets through, of a branch or of another instruction, or those that
// take the slow way.
enum class LaneMark : uint32_t { Guard, Branch, SlowWay };

// How much compiled code counts.
enum class Counting : uint8_t {
  None,
  Sums,      // what is needed for sums; accesses whose cost follows from their pattern are not reported
  Accesses,  // every access is reported with its addresses, for models of caches
  Steps,     // every mark is reported, in the order of the warp's program: nothing is added up
};

enum CellWord : uint32_t {
  kCellWarps,  // of a block's first instruction: warps that ran the block, and their active lanes
  kCellLanes,
  kCellOnWarps,    // of an instruction with a guard: warps and lanes that it let through; of a division or root without
  kCellOnLanes,    // one: those whose operands take the slow way (count_slow_ways.h)
  kCellDivergent,  // of a branch: how often lanes diverged there
  kCellAccessLanes = kCellDivergent,  // of an access: lanes that took part in those counted here
  kCellCost,                          // of an access: sectors, or wavefronts in shared memory
  kCellIdeal,                         // ... what they would be, did the lanes' data lie side by side
  kCellAccesses,                      // ... how often it was counted
};
constexpr unsigned kCellWords = 8;

// Where the cells of each function begin, in cells; one more entry for the end.
inline std::vector<uint32_t> lay_out_cells(const ptx::Module& module, const ptx::KernelLayout& layout) {
  std::vector<uint32_t> first;
  uint32_t next = 0;
  for (size_t f = 0; f < module.functions.size(); ++f) {
    first.push_back(next);
    if (layout.reachable[f]) next += uint32_t(module.functions[f].instructions.size());
  }
  first.push_back(next);
  return first;
}

// Whether control may go elsewhere behind the instruction.
inline bool ends_block(const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.spec().opcode;
  return opcode == "bra" || opcode == "brx" || opcode == "ret" || opcode == "exit";
}

// For each instruction of a function, the first one of its basic block.
inline std::vector<uint32_t> block_starts(const ptx::Function& function) {
  std::vector<uint32_t> start(function.instructions.size(), 0);
  std::vector<bool> begins(function.instructions.size() + 1, false);
  for (const ptx::Label& label : function.labels)
    if (label.targets.empty()) begins[label.instruction] = true;
  for (uint32_t i = 1; i < start.size(); ++i)
    start[i] = begins[i] || ends_block(function.instructions[i - 1]) ? i : start[i - 1];
  return start;
}

// An access that is counted, in one word of the dialect.
enum class CountedSpace : uint8_t { Generic, Global, Shared, Local, Const };
enum class CountedKind : uint8_t {
  Load,
  Store,
  Atomic,
  Reduction,
  AsyncCopy,  // cp.async, its global side
  LoadRows,   // ldmatrix: rows of 16 bytes
  StoreRows,
  Switch,  // brx.idx; the "address" is where it goes
  // Marks that are reported with Counting::Steps:
  Block,  // a basic block begins
  Guard,  // the "address" of a lane is 1 where the guard lets it through
  Value,  // what an instruction has written, or stores; `rows` is which of its elements (ReportedValues)
};
struct CountedAccess {
  CountedKind kind = CountedKind::Load;
  CountedSpace space = CountedSpace::Generic;
  uint8_t bytes = 0;  // of a lane
  uint8_t rows = 0;   // lanes that name a row
  bool past_l1 = false;

  constexpr uint32_t pack() const {
    return uint32_t(kind) | uint32_t(past_l1) << 7 | uint32_t(space) << 8 | uint32_t(bytes) << 16 |
           uint32_t(rows) << 24;
  }
  static constexpr CountedAccess unpack(uint32_t word) {
    return {CountedKind(word & 0x7f), CountedSpace(word >> 8 & 0xff), uint8_t(word >> 16), uint8_t(word >> 24),
            (word >> 7 & 1) != 0};
  }
};

// The access of an instruction that is counted as one, and which operand is its address; nothing for all others
// (parameters, which are operands of SASS instructions, and fragments, which are several accesses; bulk copies are
// reported when they run).
struct CountedOperand {
  CountedAccess access;
  uint8_t operand = 0;
  ptx::Space space = ptx::Space::Generic;
};
inline std::optional<CountedOperand> counted_operand(const ptx::Instruction& instruction) {
  using ptx::Space;
  const std::string_view opcode = instruction.spec().opcode, row = instruction.spec().name;
  // Cache operators that ask for L2 (PTX ISA 9.7.9.1), and loads that others' stores must reach.
  const bool past_l1 = instruction.has(ptx::Mod::Cg) || instruction.has(ptx::Mod::Cv) || row == "ld_volatile" ||
                       row == "ld_mmio" || row == "ld_sem";
  auto make = [past_l1](CountedKind kind, uint8_t operand, Space space, unsigned bytes,
                        unsigned rows = 0) -> std::optional<CountedOperand> {
    CountedSpace where;
    switch (space) {
      case Space::Generic:
        where = CountedSpace::Generic;
        break;
      case Space::Global:
        where = CountedSpace::Global;
        break;
      case Space::Local:
        where = CountedSpace::Local;
        break;
      case Space::Const:
        where = CountedSpace::Const;
        break;
      case Space::Param:
        return std::nullopt;
      default:
        where = CountedSpace::Shared;
        break;
    }
    return CountedOperand{{kind, where, uint8_t(bytes), uint8_t(rows), past_l1}, operand, space};
  };
  auto lane_bytes = [&] { return ptx::bytes_of(instruction.type()) * std::max(1u, instruction.vector_length()); };
  if (opcode == "ld" || opcode == "ldu") {
    const Space space = row == "ld_nc"      ? Space::Global
                        : row == "ld_const" ? Space::Const
                        : row == "ld_param" ? Space::Param
                                            : instruction.space();
    return make(CountedKind::Load, 1, space, lane_bytes());
  }
  if (opcode == "st" && row.starts_with("st_bulk")) return std::nullopt;
  if (opcode == "st")
    return make(CountedKind::Store, 0, row == "st_param" ? Space::Param : instruction.space(), lane_bytes());
  if (opcode == "atom" || opcode == "red") {
    const uint8_t at = opcode == "red" ? 0 : 1;
    const size_t elements = std::max<size_t>(1, instruction.operands[at + 1u].elements.size());
    return make(opcode == "red" ? CountedKind::Reduction : CountedKind::Atomic, at,
                elements > 1 ? Space::Global : instruction.space(),
                unsigned(ptx::bytes_of(instruction.type()) * elements));
  }
  if (row == "cp_async") return make(CountedKind::AsyncCopy, 1, Space::Global, unsigned(instruction.operands[2].bits));
  if (const auto moved = ptx::moved_matrices(instruction)) {
    const bool load = opcode == "ldmatrix";
    return make(load ? CountedKind::LoadRows : CountedKind::StoreRows, load ? 1 : 0, instruction.space(), 16,
                moved->rows);
  }
  return std::nullopt;
}

// The instructions whose values are reported, with Counting::Steps: by function (index into Module::functions) and
// instruction. Empty: none.
struct ReportedValues {
  std::vector<std::vector<bool>> of;

  bool has(size_t function, size_t instruction) const {
    return function < of.size() && instruction < of[function].size() && of[function][instruction];
  }
  // For keys of caches (FNV-1a).
  uint64_t hash() const {
    uint64_t h = 0xcbf29ce484222325u;
    const auto add = [&](uint64_t word) { h = (h ^ word) * 0x100000001b3u; };
    for (const auto& function : of) {
      add(function.size());
      for (const bool reported : function) add(reported);
    }
    return h;
  }
};

// The registers that hold the value of an instruction: what it writes, or what it stores. At most kMostValues; none
// where neither is in registers (calls, fragments).
constexpr size_t kMostValues = 8;
inline std::vector<const ptx::Operand*> value_operands(const ptx::Instruction& instruction) {
  const std::string_view opcode = instruction.spec().opcode;
  if (opcode == "call" || opcode == "ret" || opcode == "exit" || instruction.operands.empty()) return {};
  const bool stores = opcode == "st" || opcode == "red";
  if (stores && instruction.operands.size() < 2) return {};
  const ptx::Operand& value = instruction.operands[stores ? 1 : 0];
  const auto slots = instruction.spec().operands;
  if (!stores && (slots.empty() || !slots[0].written)) return {};
  const auto is_scalar = [](const ptx::Operand& operand) {
    return operand.is(ptx::Operand::Kind::Register) && operand.component != ptx::Operand::kWhole;
  };
  std::vector<const ptx::Operand*> operands;
  if (is_scalar(value)) operands.push_back(&value);
  if (value.is(ptx::Operand::Kind::Vector) && value.elements.size() <= kMostValues)
    for (const ptx::Operand& element : value.elements)
      if (is_scalar(element)) operands.push_back(&element);
  return operands;
}

// Whether a warp may wait for the instruction as long as for memory: its loads but those of shared and constant memory,
// and atomics whose old value it gets.
inline bool loads_from_afar(const ptx::Instruction& instruction) {
  const auto counted = counted_operand(instruction);
  if (!counted) return instruction.spec().unit == ptx::Unit::Texture;
  const bool waits = counted->access.kind == CountedKind::Load || counted->access.kind == CountedKind::Atomic;
  const CountedSpace space = counted->access.space;
  return waits && space != CountedSpace::Shared && space != CountedSpace::Const;
}

// What a warp has run, which is counted in one word.
struct WarpWork {
  uint64_t instructions = 0, loads = 0;  // loads_from_afar()

  static constexpr unsigned kLoadsShift = 40;
  constexpr uint64_t pack() const { return instructions | loads << kLoadsShift; }
  static constexpr WarpWork unpack(uint64_t word) {
    return {word & ((uint64_t{1} << kLoadsShift) - 1), word >> kLoadsShift};
  }
};

// Functions that the vectoriser leaves for instrument/expand_counts.h.
constexpr const char* kCountedAdd = "ww.counted.add";    // v(i32 word, i64 amount)
constexpr const char* kCountedWarp = "ww.counted.warp";  // v(i32 warp, i64 WarpWork)
constexpr const char* kCountedAccess =
    "ww.counted.access";  // v(i32 cell, i32 what, i32 warp, i32 mask, <32 x i64> addresses)
// In compact code (VectoriseOptions), all additions of a mark at once: of a block, whose lanes are `mask`; of a guard,
// which lets `lanes` through, or, where it says the same to all, lets the warp through. `mask` of a branch: the lanes
// that come there; else the same as `lanes`.
constexpr const char* kCountedBlock = "ww.counted.block";  // v(i32 cell, i64 WarpWork, i32 warp, i32 mask)
constexpr const char* kCountedGuard = "ww.counted.guard";  // v(i32 cell, i32 warps, i32 lanes, i32 mask)

}  // namespace warpwise::simt
