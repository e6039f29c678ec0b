#include "ptx/layout.h"

#include <algorithm>

namespace warpwise::ptx {

namespace {

uint64_t align_up(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

constexpr uint32_t kFrameAlign = 16;

// Calls `visit(operand)` for every operand of the function, nested ones included.
template <class Visit>
void visit_operand(const Operand& operand, Visit& visit) {
  visit(operand);
  for (const Operand& element : operand.elements) visit_operand(element, visit);
}
template <class Visit>
void for_each_operand(const Function& function, Visit visit) {
  for (const Instruction& inst : function.instructions) {
    for (const Operand& operand : inst.operands) visit_operand(operand, visit);
  }
}

bool names_symbol(const Operand& operand) {
  return operand.is(Operand::Kind::Symbol) ||
         (operand.is(Operand::Kind::Address) && operand.base == Operand::Base::Symbol);
}

bool names_reserved_shared(const Operand& operand) {
  if (!operand.is(Operand::Kind::Special)) return false;
  switch (operand.special) {
    case SpecialRegister::ReservedSmemOffsetBegin:
    case SpecialRegister::ReservedSmemOffsetEnd:
    case SpecialRegister::ReservedSmemOffsetCap:
    case SpecialRegister::ReservedSmemOffset0:
    case SpecialRegister::ReservedSmemOffset1:
      return true;
    default:
      return false;
  }
}

// What one function refers to.
struct References {
  std::vector<uint32_t> called;     // functions named by a call, or whose address is taken
  std::vector<uint32_t> variables;  // of the module
  std::vector<bool> own;            // Function::variables
  std::vector<bool> parameter_address;
  bool indirect = false;  // calls through a register
  bool reserved_shared = false;
  bool allocates = false;
};

References references_of(const Function& function) {
  References found;
  found.own.resize(function.variables.size());
  found.parameter_address.resize(function.parameters.size());
  for_each_operand(function, [&](const Operand& operand) {
    found.reserved_shared |= names_reserved_shared(operand);
    if (!names_symbol(operand)) return;
    switch (operand.symbol.kind) {
      case SymbolRef::Kind::Function:
        found.called.push_back(operand.symbol.index);
        break;
      case SymbolRef::Kind::ModuleVariable:
        found.variables.push_back(operand.symbol.index);
        break;
      case SymbolRef::Kind::FunctionVariable:
        found.own[operand.symbol.index] = true;
        break;
      // As a value, not as [param]: its address is taken.
      case SymbolRef::Kind::Parameter:
        if (operand.is(Operand::Kind::Symbol)) found.parameter_address[operand.symbol.index] = true;
        break;
      default:
        break;
    }
  });
  for (const Label& label : function.labels) {  // .calltargets
    for (SymbolRef target : label.targets) {
      if (target.kind == SymbolRef::Kind::Function) found.called.push_back(target.index);
    }
  }
  for (const Instruction& inst : function.instructions) {
    found.allocates |= inst.op == Op::alloca;
    if (inst.spec().opcode != "call") continue;
    bool direct = false;
    for (const Operand& operand : inst.operands) {
      direct |= operand.is(Operand::Kind::Symbol) && operand.symbol.kind == SymbolRef::Kind::Function;
    }
    found.indirect |= !direct;
  }
  return found;
}

// Initialisers of module variables may hold function addresses (tables of virtual functions).
void add_functions_in_variable(const Module& module, uint32_t variable, std::vector<bool>& seen,
                               std::vector<uint32_t>& functions) {
  if (seen[variable]) return;
  seen[variable] = true;
  for (const Relocation& relocation : module.variables[variable].relocations) {
    if (relocation.symbol.kind == SymbolRef::Kind::Function) functions.push_back(relocation.symbol.index);
    if (relocation.symbol.kind == SymbolRef::Kind::ModuleVariable) {
      add_functions_in_variable(module, relocation.symbol.index, seen, functions);
    }
  }
}

class Placer {
 public:
  Placer(const Module& module, uint32_t kernel, uint32_t margin) : module_(module), kernel_(kernel) {
    layout_.margin = margin;
  }

  KernelLayout run() {
    size_t count = module_.functions.size();
    references_.resize(count);
    layout_.reachable.resize(count);
    layout_.frame_bytes.resize(count);
    layout_.function_shared.resize(count);
    layout_.function_local.resize(count);
    layout_.function_parameter_copies.resize(count);
    find_reachable();
    place_shared();
    for (uint32_t f = 0; f < count; ++f) {
      if (layout_.reachable[f]) place_frame(f);
    }
    depth_.assign(count, kUnknown);
    layout_.local_bytes = depth_of(kernel_);
    return std::move(layout_);
  }

 private:
  // All functions that the kernel calls, and those whose address it or its tables take. A kernel that calls through
  // pointers may get them from a table in a variable that it reaches only by pointer. Then every function that any
  // initialiser names counts as reachable.
  void find_reachable() {
    std::vector<bool> seen(module_.variables.size());
    std::vector<uint32_t> work{kernel_};
    while (!work.empty()) {
      uint32_t f = work.back();
      work.pop_back();
      if (layout_.reachable[f]) continue;
      layout_.reachable[f] = true;
      references_[f] = references_of(module_.functions[f]);
      layout_.allocates |= references_[f].allocates;
      for (uint32_t callee : references_[f].called) work.push_back(callee);
      for (uint32_t v : references_[f].variables) add_functions_in_variable(module_, v, seen, work);
      if (references_[f].indirect && !layout_.indirect_calls) {
        layout_.indirect_calls = true;
        for (uint32_t v = 0; v < module_.variables.size(); ++v) add_functions_in_variable(module_, v, seen, work);
      }
    }
  }

  void place_shared() {
    bool reserved =
        std::any_of(references_.begin(), references_.end(), [](const References& r) { return r.reserved_shared; });
    uint64_t at = reserved ? kReservedSharedBytes : 0;
    uint64_t dynamic_align = 16;
    auto place = [&](const Variable& variable) {
      at = align_up(at, std::max<uint32_t>(variable.align, 1));
      uint64_t offset = at;
      at += variable.size + layout_.margin;
      return offset;
    };

    layout_.module_shared.assign(module_.variables.size(), kNotPlaced);
    std::vector<bool> used(module_.variables.size());
    for (uint32_t f = 0; f < module_.functions.size(); ++f) {
      for (uint32_t v : references_[f].variables) used[v] = true;
    }
    std::vector<uint32_t> dynamic;
    for (uint32_t v = 0; v < module_.variables.size(); ++v) {
      const Variable& variable = module_.variables[v];
      if (variable.space != Space::Shared || !used[v]) continue;
      if (variable.size == 0) {
        dynamic.push_back(v);
        dynamic_align = std::max<uint64_t>(dynamic_align, variable.align);
      } else {
        layout_.module_shared[v] = place(variable);
      }
    }
    for (uint32_t f = 0; f < module_.functions.size(); ++f) {
      const Function& function = module_.functions[f];
      layout_.function_shared[f].assign(function.variables.size(), kNotPlaced);
      if (!layout_.reachable[f]) continue;
      for (uint32_t v = 0; v < function.variables.size(); ++v) {
        if (function.variables[v].space == Space::Shared && references_[f].own[v]) {
          layout_.function_shared[f][v] = place(function.variables[v]);
        }
      }
    }
    layout_.static_shared_bytes = static_cast<uint32_t>(at);
    layout_.dynamic_shared_offset = static_cast<uint32_t>(align_up(at, dynamic_align));
    for (uint32_t v : dynamic) layout_.module_shared[v] = layout_.dynamic_shared_offset;
  }

  void place_frame(uint32_t f) {
    const Function& function = module_.functions[f];
    uint64_t at = 0;
    layout_.function_local[f].assign(function.variables.size(), kNotPlaced);
    for (uint32_t v = 0; v < function.variables.size(); ++v) {
      const Variable& variable = function.variables[v];
      if (variable.space != Space::Local) continue;
      at = align_up(at, std::max<uint32_t>(variable.align, 1));
      layout_.function_local[f][v] = at;
      at += variable.size;
    }
    layout_.function_parameter_copies[f].assign(function.parameters.size(), kNotPlaced);
    for (uint32_t p = 0; p < function.parameters.size(); ++p) {
      if (function.is_entry || !references_[f].parameter_address[p]) continue;
      at = align_up(at, std::max<uint32_t>(function.parameters[p].align, 16));
      layout_.function_parameter_copies[f][p] = at;
      at += function.parameters[p].size;
    }
    layout_.frame_bytes[f] = static_cast<uint32_t>(align_up(at, kFrameAlign));
  }

  // The bytes of f's frame and of the deepest chain of frames below it. Sets `recursive` on a cycle. A call through a
  // pointer may reach any reachable function whose address is taken.
  uint32_t depth_of(uint32_t f) {
    if (depth_[f] == kBusy) {
      layout_.recursive = true;
      return 0;
    }
    if (depth_[f] != kUnknown) return depth_[f];
    depth_[f] = kBusy;
    uint32_t deepest = 0;
    for (uint32_t callee : references_[f].called) deepest = std::max(deepest, depth_of(callee));
    if (references_[f].indirect) {
      for (uint32_t g = 0; g < module_.functions.size(); ++g) {
        if (layout_.reachable[g] && !module_.functions[g].is_entry && g != f) deepest = std::max(deepest, depth_of(g));
      }
    }
    return depth_[f] = layout_.frame_bytes[f] + deepest;
  }

  static constexpr uint32_t kUnknown = ~0u, kBusy = ~0u - 1;
  const Module& module_;
  const uint32_t kernel_;
  KernelLayout layout_;
  std::vector<References> references_;
  std::vector<uint32_t> depth_;
};

}  // namespace

GlobalsLayout lay_out_globals(const Module& module, uint32_t margin) {
  GlobalsLayout layout;
  layout.offset.assign(module.variables.size(), kNotPlaced);
  auto place = [&](Space space) {
    for (size_t v = 0; v < module.variables.size(); ++v) {
      const Variable& variable = module.variables[v];
      if (variable.space != space || variable.linkage == Linkage::Extern) continue;
      uint64_t align = std::max<uint64_t>(variable.align, 16);
      layout.align = std::max(layout.align, align);
      layout.bytes = align_up(layout.bytes, align);
      layout.offset[v] = layout.bytes;
      layout.bytes += variable.size + margin;
    }
  };
  place(Space::Global);
  layout.const_begin = align_up(layout.bytes, 16);
  place(Space::Const);
  if (layout.bytes > layout.const_begin) layout.const_bytes = layout.bytes - layout.const_begin;
  return layout;
}

KernelLayout lay_out_kernel(const Module& module, uint32_t kernel, uint32_t margin) {
  return Placer(module, kernel, margin).run();
}

}  // namespace warpwise::ptx
