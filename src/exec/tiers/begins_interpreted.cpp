#include "exec/tiers/begins_interpreted.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "exec/interpreter/program.h"
#include "ptx/asynchronous.h"

namespace warpwise::exec {
namespace {

using ptx::Op;
using ptx::Operand;
using ptx::Space;
using Kind = Operand::Kind;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](auto beginning) { return name.starts_with(beginning); });
}

// Additions of whole numbers, minima, maxima and logic come to the same in every order.
bool commutes(const ptx::Instruction& i) {
  return is_one_of(i.spec().name,
                   {"atom_add_int", "atom_min_max", "atom_logic", "red_add_int", "red_min_max", "red_logic"});
}

// The registers that instructions of a function read.
class ReadRegisters {
 public:
  explicit ReadRegisters(const ptx::Function& function) {
    for (const ptx::Instruction& i : function.instructions) {
      if (i.guard.present) read_.insert(i.guard.reg);
      for (size_t k = 0; k < i.operands.size(); ++k) add(i.operands[k], /*is_written=*/k == 0);
    }
  }
  bool contains(const Operand& operand) const {
    switch (operand.kind) {
      case Kind::Sink:
        return false;
      case Kind::Register:
        return read_.contains(operand.reg);
      default:
        return true;
    }
  }

 private:
  // The first operand is a destination, if it is a register; what is written through an address is not.
  void add(const Operand& operand, bool is_written) {
    if (operand.kind == Kind::Register && !is_written) read_.insert(operand.reg);
    if (operand.base == Operand::Base::Register) read_.insert(operand.reg);
    for (const Operand& element : operand.elements) add(element, false);
  }

  std::set<uint32_t> read_;
};

bool is_seen_early(const ptx::Instruction& i) {
  using ptx::Mod;
  return i.has(Mod::Sys) || i.has(Mod::Acquire) || i.has(Mod::Release) || i.has(Mod::AcqRel);
}

bool is_order_free(const ptx::Instruction& i, const ReadRegisters& read) {
  return commutes(i) && (i.spec().opcode == "red" || !read.contains(i.operands[0]));
}

// Of special registers those that say where a thread is.
bool is_place(ptx::SpecialRegister special) {
  using Register = ptx::SpecialRegister;
  switch (special) {
    case Register::Tid:
    case Register::Ntid:
    case Register::Ctaid:
    case Register::Nctaid:
    case Register::LaneId:
    case Register::WarpId:
    case Register::SmId:
    case Register::NsmId:
    case Register::LanemaskEq:
    case Register::LanemaskLe:
    case Register::LanemaskLt:
    case Register::LanemaskGe:
    case Register::LanemaskGt:
    case Register::DynamicSmemSize:
      return true;
    default:
      return false;
  }
}

bool reads_places_alone(const std::vector<Operand>& operands) {
  return std::all_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return (operand.kind != Kind::Special || is_place(operand.special)) && reads_places_alone(operand.elements);
  });
}

bool may_be_interpreted(const ptx::Instruction& i, const ReadRegisters& read, Order order) {
  const std::string_view name = i.spec().name;
  if (!reads_places_alone(i.operands)) return false;
  switch (i.spec().unit) {
    case ptx::Unit::Alu:
    case ptx::Unit::Fp32:
    case ptx::Unit::Fp64:
    case ptx::Unit::Half:
    case ptx::Unit::Sfu:
      return !is_one_of(name,
                        {"vote_legacy", "vote_ballot_legacy", "activemask", "nanosleep", "pmevent", "createpolicy"});
    case ptx::Unit::Branch:
      return !is_one_of(name, {"brkpt"});
    case ptx::Unit::Tensor:
      return is_one_of(name, {"wmma", "mma", "ldmatrix", "stmatrix", "movmatrix"});
    case ptx::Unit::Texture:
      return is_one_of(name, {"tex", "tld4", "txq", "suld", "suq"});
    case ptx::Unit::Sync:
      if (name == "membar" || name == "fence") return i.has(ptx::Mod::Cta);
      return name == "fence_proxy" ||
             is_one_of(name, {"bar_warp_sync", "bar_sync", "bar_red", "barrier_sync", "barrier_red"});
    case ptx::Unit::Async:
      return is_one_of(name, {"cp_async_commit_group", "cp_async_wait_group", "cp_async_wait_all"}) ||
             name == "cp_async";
    case ptx::Unit::Lsu:
      break;
    default:
      return false;
  }
  if (i.spec().opcode == "atom" || i.spec().opcode == "red")
    return !is_seen_early(i) && (order == Order::DoesNotMatter || is_order_free(i, read));
  if (name == "ld_volatile" || name == "st_volatile") return i.space() == Space::Shared;
  return name == "ld" || name == "st" ||
         is_one_of(name,
                   {"ld_nc", "ld_const", "ld_param", "ldu", "st_param", "shfl_sync", "prefetch", "applypriority"});
}

bool may_be_interpreted(const ptx::Function& function, Order order) {
  using interpreter::Service;
  const Service service = interpreter::service_of(function);
  if (service != Service::None)
    return service != Service::Malloc && service != Service::Free && service != Service::Vprintf;
  if (function.is_declaration) return false;
  const ReadRegisters read(function);
  return std::all_of(function.instructions.begin(), function.instructions.end(),
                     [&](const ptx::Instruction& i) { return may_be_interpreted(i, read, order); });
}

}  // namespace

bool may_begin_interpreted(const KernelImage& image, Order order) {
  const ptx::Module& module = *image.module;
  if (ptx::uses_asynchronous_barriers(module)) return false;
  for (size_t f = 0; f < module.functions.size(); ++f)
    if (image.layout.reachable[f] && !may_be_interpreted(module.functions[f], order)) return false;
  return true;
}

}  // namespace warpwise::exec
