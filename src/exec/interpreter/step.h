// What an instruction's function is given: its operands as values, places to write to, memory, and the
// thread and block around it.
//
//     void run_add_int(Step& s) { s.d(s.a() + s.b()); }
//
// a(), b() and c() are operands 1 to 3 as numbers of the instruction's first type; d() writes operand 0,
// taking the low bits. A value whose width differs from the register's is cut or extended as PTX ISA 6.4
// and 9.4.1 let programs do.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "exec/interpreter/block.h"
#include "exec/interpreter/formats.h"

namespace warpwise::exec::interpreter {

class Step {
 public:
  Step(Block& block, Thread& thread, const ptx::Instruction& inst) : block(block), thread(thread), inst(inst) {}

  // Does the instruction and moves on. True when the thread should give way to the next one.
  bool execute();
  // Before that: whether the guard lets the thread through, and where an access goes that counting code would report
  // (simt/instrument/counts.h): Shared and Local with offsets there, all else as Global.
  bool is_on();
  std::optional<std::pair<ptx::Space, uint64_t>> counted_address();

  Block& block;
  Thread& thread;
  const ptx::Instruction& inst;

  // --- modifiers ---
  // Without a way out of the loop, so that it becomes two comparisons of vectors: it was a third of all time.
  bool has(ptx::Mod mod) const {
    bool found = false;
    for (ptx::Mod m : inst.mods) found |= m == mod;
    return found;
  }
  ptx::Type type(unsigned index = 0) const { return inst.type(index); }
  unsigned bits() const { return ptx::bits_of(type()); }
  // The rounding modifier, to nearest when there is none; the integer roundings (rni ...) too.
  Round rounding() const;

  // --- operands ---
  const ptx::Operand& operand(unsigned index) const { return inst.operands[index]; }
  bool present(unsigned index) const {
    return index < inst.operands.size() && !inst.operands[index].is(ptx::Operand::Kind::None);
  }
  Bits bits_in(const ptx::Operand& operand, ptx::Type type);
  Bits bits_in(unsigned index, ptx::Type type) { return bits_in(operand(index), type); }
  Number in(unsigned index, ptx::Type type) { return number_of(bits_in(index, type), type); }
  Number a() { return in(1, type()); }
  Number b() { return in(2, type()); }
  Number c() { return in(3, type()); }
  float f32(unsigned index) { return float_of(bits_in(index, ptx::Type::F32)); }
  double f64(unsigned index) { return double_of(bits_in(index, ptx::Type::F64)); }
  uint32_t u32(unsigned index) { return static_cast<uint32_t>(bits_in(index, ptx::Type::U32)); }
  bool predicate(unsigned index) { return bits_in(index, ptx::Type::Pred) != 0; }

  // Writes the low bits of a value of `type`: to a register (a wider one gets it extended, by its sign if it
  // has one and the instruction extends), a vector of registers (cut into equal parts) or a sink.
  void out(const ptx::Operand& operand, Bits value, ptx::Type type, bool extend_sign = false);
  void d(Number value) { out(operand(0), static_cast<Bits>(value), type()); }
  void d(Bits value, ptx::Type as, bool extend_sign = false) { out(operand(0), value, as, extend_sign); }
  // Arithmetic results: a NaN becomes the device's.
  void d(float value);
  void d(double value);

  // --- memory ---
  // The bytes an address names; null after a fault (outside what may be accessed, or misaligned).
  std::byte* memory(const ptx::Operand& address, ptx::Space space, unsigned bytes);
  std::byte* memory(unsigned index, ptx::Space space, unsigned bytes) { return memory(operand(index), space, bytes); }
  // The same without a demand on alignment.
  std::byte* bytes(const ptx::Operand& address, ptx::Space space, unsigned bytes);
  // Where an address operand points, as a generic address; .shared means .shared::cluster when `in_cluster`.
  device::Address generic_address(const ptx::Operand& address, ptx::Space space, bool in_cluster = false);
  // The generic address of an mbarrier, checked; 0 after a fault.
  device::Address mbarrier(unsigned index);
  // A symbol's address within its own space, as mov gives it.
  uint64_t address_of(const ptx::Operand& symbol);
  // An address in shared memory as the program sees it, of the offset in the own block's or of a .shared::cluster
  // address of ours (simt/abi.h); and back. They differ in modules that work for pairs.
  uint64_t seen_address(uint64_t offset) const;
  uint64_t seen_cluster_address(uint64_t address) const;
  uint64_t shared_offset(uint64_t seen) const;
  uint64_t cluster_address(uint64_t seen) const;
  device::Address local_window() const;  // of this thread, as a generic address

  // --- control ---
  Frame& frame() { return thread.frame(); }
  const ptx::Module& module() const { return block.run.program.module; }
  const ptx::Function& function() const { return module().functions[thread.frame().function]; }
  void jump(ptx::SymbolRef label);
  // The instruction has to wait, or has set the pc itself: execute() must not move on.
  void stay() { moves_on_ = false; }
  void give_way() { gives_way_ = true; }
  void fail(device::Failure failure, std::string what = "", std::optional<device::Address> address = std::nullopt,
            Misuse misuse = Misuse::None);

 private:
  Bits& slot(const ptx::Operand& operand) {
    const Frame& f = thread.frames.back();
    const unsigned component = operand.component < function().registers[operand.reg].vector ? operand.component : 0;
    return thread.frames.back().registers[block.run.program.slot[f.function][operand.reg] + component];
  }
  std::byte* parameter_bytes(ptx::SymbolRef symbol, int64_t offset, unsigned bytes, bool& is_parameter);
  std::pair<ptx::Space, uint64_t> resolve(const ptx::Operand& address, ptx::Space space);
  std::byte* window(device::Address base, uint64_t window_bytes, uint64_t offset, unsigned bytes);

  bool moves_on_ = true, gives_way_ = false;
};

// The address of a function as a value: what call through a register undoes.
constexpr uint64_t kFunctionAddressUnit = 16;
inline uint64_t function_address(uint32_t index) { return (uint64_t{index} + 1) * kFunctionAddressUnit; }

// A frame at the start of a function whose local variables lie at `local`.
Frame new_frame(const Program& program, uint32_t function, uint64_t local);
// Ends the current call; the last one ends the thread.
void return_from(Block& block, Thread& thread);

}  // namespace warpwise::exec::interpreter
