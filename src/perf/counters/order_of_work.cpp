#include "perf/counters/order_of_work.h"

#include <algorithm>
#include <map>
#include <vector>

#include "perf/counters/operands.h"
#include "simt/instrument/counts.h"

namespace warpwise::perf {
namespace {

using ptx::Instruction;
using ptx::Operand;
using simt::CountedKind;
using simt::CountedSpace;

// What a value may come from: pointers that the kernel is given, or that it takes of variables, a bit each (those
// beyond share the last). And kOthers, what other blocks may have changed.
using Origins = uint64_t;
constexpr Origins kOthers = Origins{1} << 63;
constexpr unsigned kPointers = 63;

Origins pointer(size_t n) { return Origins{1} << std::min<size_t>(n, kPointers - 1); }

class Origin {
 public:
  explicit Origin(const ptx::Function& function) : function_(function) {
    follow();
    stored_ = stored();
    follow();
  }

  // A guarded branch that goes on with a loop, or leaves it, where others decide.
  bool ends_a_loop(size_t branch) const {
    const Instruction& i = function_.instructions[branch];
    if (i.spec().opcode != "bra" || !i.guard.present || !(of(i.guard.reg) & kOthers)) return false;
    const size_t target = target_of_branch(function_, i);
    if (target <= branch) return true;
    for (size_t last = branch + 1; last < target && last < function_.instructions.size(); ++last)
      if (target_of_branch(function_, function_.instructions[last]) <= branch) return true;
    return false;
  }

 private:
  Origins of(ptx::RegisterId reg) const {
    const auto found = origins_.find(reg);
    return found == origins_.end() ? 0 : found->second;
  }

  // Of a variable by name, as a value or an address.
  Origins of_symbol(const Operand& operand) const {
    const bool named = operand.is(Operand::Kind::Symbol) ||
                       (operand.is(Operand::Kind::Address) && operand.base == Operand::Base::Symbol);
    if (!named || operand.symbol.kind != ptx::SymbolRef::Kind::ModuleVariable) return 0;
    return pointer(function_.parameters.size() + operand.symbol.index);
  }

  // Of the address of an access.
  Origins base_of(const Operand& address) const {
    Origins base = of_symbol(address);
    for_each_register(address, [&](ptx::RegisterId reg) { base |= of(reg); });
    return base & ~kOthers;
  }

  // The pointers through which the kernel changes memory.
  Origins stored() const {
    Origins pointers = 0;
    for (const Instruction& i : function_.instructions) {
      const auto counted = simt::counted_operand(i);
      if (!counted || (counted->access.space != CountedSpace::Global && counted->access.space != CountedSpace::Generic))
        continue;
      const CountedKind kind = counted->access.kind;
      if (kind == CountedKind::Store || kind == CountedKind::Atomic || kind == CountedKind::Reduction)
        pointers |= base_of(i.operands[counted->operand]);
    }
    return pointers;
  }

  // Of what the instruction makes.
  Origins made_by(const Instruction& i) {
    const std::string_view row = i.spec().name;
    if (row == "ld_param" && function_.is_entry) {
      const Operand& from = i.operands[1];
      const bool is_pointer = ptx::bits_of(i.type()) == 64 && from.symbol.kind == ptx::SymbolRef::Kind::Parameter;
      return is_pointer ? pointer(from.symbol.index) : 0;
    }
    if (const auto counted = simt::counted_operand(i)) {
      if (counted->access.space == CountedSpace::Shared) return in_shared_;
      if (counted->access.space == CountedSpace::Local || counted->access.space == CountedSpace::Const) return 0;
      if (counted->access.kind == CountedKind::Atomic) return row == "atom_cas" || row == "atom_exch" ? 0 : kOthers;
      const bool changes = counted->access.kind == CountedKind::Load && row != "ld_nc" &&
                           (base_of(i.operands[counted->operand]) & stored_);
      return changes ? kOthers : 0;
    }
    Origins from = i.guard.present ? of(i.guard.reg) & kOthers : 0;
    for (size_t n = 0; n < i.operands.size(); ++n) {
      if (is_result(i, n)) continue;
      from |= of_symbol(i.operands[n]);
      for_each_register(i.operands[n], [&](ptx::RegisterId reg) { from |= of(reg); });
    }
    return from;
  }

  // Until nothing changes; values only ever get more origins.
  void follow() {
    for (bool more = true; more;) {
      more = false;
      auto note = [&](Origins& to, Origins from) {
        if ((to | from) != to) to |= from, more = true;
      };
      for (const Instruction& i : function_.instructions) {
        const auto counted = simt::counted_operand(i);
        if (counted && counted->access.space == CountedSpace::Shared && counted->access.kind == CountedKind::Store)
          for (size_t n = 0; n < i.operands.size(); ++n)
            if (n != counted->operand)
              for_each_register(i.operands[n], [&](ptx::RegisterId reg) { note(in_shared_, of(reg) & kOthers); });
        const Origins from = made_by(i);
        if (from == 0) continue;
        for_each_result(i, [&](ptx::RegisterId reg) { note(origins_[reg], from); });
      }
    }
  }

  const ptx::Function& function_;
  std::map<ptx::RegisterId, Origins> origins_;
  Origins stored_ = 0, in_shared_ = 0;
};

}  // namespace

bool work_depends_on_order(const ptx::Function& function) {
  const Origin origin(function);
  for (size_t n = 0; n < function.instructions.size(); ++n)
    if (origin.ends_a_loop(n)) return true;
  return false;
}

}  // namespace warpwise::perf
