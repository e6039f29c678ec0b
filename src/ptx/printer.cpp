#include "ptx/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <unordered_set>

#include "ptx/verify/verify_operand.h"

namespace warpwise::ptx {
namespace {

using Kind = Operand::Kind;

std::string_view linkage_text(Linkage linkage) {
  switch (linkage) {
    case Linkage::Internal:
      return "";
    case Linkage::Visible:
      return ".visible ";
    case Linkage::Extern:
      return ".extern ";
    case Linkage::Weak:
      return ".weak ";
    case Linkage::Common:
      return ".common ";
  }
  return "";
}

// The names of one function: as declared, with a number where scopes reuse one.
struct Names {
  std::vector<std::string> registers, variables, labels, prototypes, parameters, returns;
};

class Printer {
 public:
  explicit Printer(const Module& module) : module_(module) {}

  std::string module_text() {
    add(".version {}.{}\n.target {}\n.address_size 64\n\n", module_.version / 10, module_.version % 10, module_.target);
    for (size_t i = 0; i < module_.files.size(); ++i)
      if (!module_.files[i].empty()) add(".file {} \"{}\"\n", i, module_.files[i]);
    // Declarations first: initialisers and bodies may name any function.
    for (const Function& f : module_.functions)
      if (!f.is_entry || f.is_declaration) header(f), add(";\n");
    for (auto [name, target] : module_.aliases)
      add(".alias {}, {};\n", module_.functions[name].name, module_.functions[target].name);
    for (const Variable& v : module_.variables) variable(v);
    // Functions come before kernels, like their declarations: then a second round trip keeps the order.
    for (bool entries : {false, true})
      for (const Function& f : module_.functions)
        if (!f.is_declaration && f.is_entry == entries) function(f);
    debug_strings();
    return std::move(out_);
  }

  std::string instruction_text(const Function& f, const Instruction& i) {
    set_function(f);
    instruction(i);
    return std::move(out_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  // --- names ---

  void set_function(const Function& f) {
    function_ = &f;
    names_ = {};
    std::unordered_set<std::string> used;
    for (const Variable& v : module_.variables) used.insert(std::string(v.name));
    for (const Function& g : module_.functions) used.insert(std::string(g.name));
    auto unique = [&](std::string_view name) {
      std::string out(name);
      for (unsigned n = 1; !used.insert(out).second; ++n) out = fmt::format("{}_{}", name, n);
      return out;
    };
    auto parameter_names = [&](const std::vector<Parameter>& parameters, std::vector<std::string>& into) {
      for (const Parameter& p : parameters) {
        into.push_back(p.name == "_" ? "_" : unique(p.name));
        if (p.space == Space::Reg)
          names_.registers.resize(std::max<size_t>(names_.registers.size(), p.reg + 1)),
              names_.registers[p.reg] = into.back();
      }
    };
    names_.registers.resize(f.registers.size());
    parameter_names(f.returns, names_.returns);
    parameter_names(f.parameters, names_.parameters);
    for (size_t i = 0; i < f.registers.size(); ++i)
      if (names_.registers[i].empty()) names_.registers[i] = unique(f.registers[i].name);
    for (const Variable& v : f.variables) names_.variables.push_back(unique(v.name));
    for (const Label& l : f.labels) names_.labels.push_back(unique(l.name));
    for (const Prototype& p : f.prototypes) names_.prototypes.push_back(unique(p.name));
  }

  std::string_view name_of_symbol(const SymbolRef& s) const {
    switch (s.kind) {
      case SymbolRef::Kind::ModuleVariable:
        return module_.variables[s.index].name;
      case SymbolRef::Kind::FunctionVariable:
        return names_.variables[s.index];
      case SymbolRef::Kind::Parameter:
        return names_.parameters[s.index];
      case SymbolRef::Kind::ReturnParameter:
        return names_.returns[s.index];
      case SymbolRef::Kind::Function:
        return module_.functions[s.index].name;
      case SymbolRef::Kind::Label:
        return names_.labels[s.index];
      case SymbolRef::Kind::Prototype:
        return names_.prototypes[s.index];
    }
    return "";
  }

  // --- variables ---

  void variable(const Variable& v, std::string_view name = {}) {
    uint64_t element = uint64_t{std::max(1u, bytes_of(v.type))} * v.vector;
    add("{}.{} .align {} ", linkage_text(v.linkage), ptx::name_of(v.space), v.align);
    if (v.managed) add(".attribute(.managed) ");
    if (v.vector > 1) add(".v{} ", v.vector);
    add(".{} {}", ptx::name_of(v.type), name.empty() ? v.name : name);
    if (v.size == 0)
      add("[]");
    else if (v.size != element)
      add("[{}]", v.size / element);
    if (!v.initial.empty()) initialiser(v);
    add(";\n");
  }

  void initialiser(const Variable& v) {
    uint64_t bytes = std::max(1u, bytes_of(v.type));
    // Bytes after the last nonzero one are zero anyway.
    uint64_t end = v.initial.size();
    while (end > 0 && v.initial[end - 1] == std::byte{0}) --end;
    for (const Relocation& r : v.relocations) end = std::max(end, r.at + bytes);
    uint64_t count = std::max<uint64_t>(1, (end + bytes - 1) / bytes);
    bool rows = v.vector > 1 && v.size != bytes * v.vector;  // an array of vectors: one pair of braces each
    if (v.vector > 1) count = (count + v.vector - 1) / v.vector * v.vector;
    std::vector<Relocation> sorted = v.relocations;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Relocation& a, const Relocation& b) { return a.at < b.at; });
    bool braces = v.size != bytes;
    add(" = {}", braces ? "{" : "");
    size_t next = 0;
    for (uint64_t n = 0; n < count; ++n) {
      if (n) add("{}, ", rows && n % v.vector == 0 ? "}" : "");
      if (rows && n % v.vector == 0) add("{{");
      if (next < sorted.size() && sorted[next].at == n * bytes) {
        address_value(sorted[next++]);
        continue;
      }
      uint64_t bits = 0;
      std::memcpy(&bits, v.initial.data() + n * bytes, std::min<uint64_t>(8, bytes));
      if (v.type == Type::F32)
        add("0f{:08X}", bits);
      else if (v.type == Type::F64)
        add("0d{:016X}", bits);
      else
        add("{}", bits);
    }
    add("{}{}", rows ? "}" : "", braces ? "}" : "");
  }

  void address_value(const Relocation& r) {
    std::string text(name_of_symbol(r.symbol));
    if (r.generic) text = fmt::format("generic({})", text);
    if (r.addend != 0) text += fmt::format("{:+}", r.addend);
    if (r.bytes == 1) text = fmt::format("0x{:X}({})", uint64_t{0xff} << r.shift, text);
    add("{}", text);
  }

  // --- functions ---

  void parameters(const std::vector<Parameter>& list, const std::vector<std::string>* names) {
    add("(");
    for (size_t i = 0; i < list.size(); ++i) {
      const Parameter& p = list[i];
      if (i) add(", ");
      uint64_t element = std::max(1u, bytes_of(p.type));
      add(".{} ", ptx::name_of(p.space));
      if (p.align != element) add(".align {} ", p.align);
      add(".{} {}", ptx::name_of(p.type), names ? std::string_view((*names)[i]) : p.name);
      if (p.is_array) {
        if (p.size)
          add("[{}]", p.size / element);
        else
          add("[]");
      }
    }
    add(")");
  }

  void header(const Function& f) {
    set_function(f);
    add("{}{} ", linkage_text(f.linkage), f.is_entry ? ".entry" : ".func");
    if (!f.returns.empty()) parameters(f.returns, &names_.returns), add(" ");
    add("{}", f.name);
    parameters(f.parameters, &names_.parameters);
    auto dim = [&](std::string_view directive, const Dim3& d) {
      if (d.x) add(" {} {}, {}, {}", directive, d.x, d.y, d.z);
    };
    dim(".maxntid", f.max_threads);
    dim(".reqntid", f.required_threads);
    dim(".reqnctapercluster", f.required_cluster);
    if (f.explicit_cluster) add(" .explicitcluster");
    if (f.min_blocks_per_sm) add(" .minnctapersm {}", f.min_blocks_per_sm);
    if (f.max_registers) add(" .maxnreg {}", f.max_registers);
    if (f.noreturn) add(" .noreturn");
  }

  void function(const Function& f) {
    header(f);
    add("\n{{\n");
    std::vector<bool> is_parameter(f.registers.size());
    for (const auto* list : {&f.parameters, &f.returns})
      for (const Parameter& p : *list)
        if (p.space == Space::Reg) is_parameter[p.reg] = true;
    for (size_t i = 0; i < f.registers.size(); ++i) {
      const Register& r = f.registers[i];
      if (is_parameter[i]) continue;
      add("  .reg ");
      if (r.vector > 1) add(".v{} ", r.vector);
      add(".{} {};\n", ptx::name_of(r.type), names_.registers[i]);
    }
    for (size_t i = 0; i < f.variables.size(); ++i) add("  "), variable(f.variables[i], names_.variables[i]);
    for (size_t i = 0; i < f.prototypes.size(); ++i) {
      const Prototype& p = f.prototypes[i];
      add("  {}: .callprototype ", names_.prototypes[i]);
      if (!p.returns.empty()) parameters(p.returns, nullptr), add(" ");
      add("_ ");
      parameters(p.parameters, nullptr);
      add("{};\n", p.noreturn ? " .noreturn" : "");
    }
    std::multimap<uint32_t, size_t> labels;  // by instruction
    for (size_t i = 0; i < f.labels.size(); ++i) {
      const Label& l = f.labels[i];
      if (l.targets.empty()) {
        labels.emplace(l.instruction, i);
        continue;
      }
      bool calls = l.targets[0].kind == SymbolRef::Kind::Function;
      add("  {}: {} ", names_.labels[i], calls ? ".calltargets" : ".branchtargets");
      for (size_t n = 0; n < l.targets.size(); ++n) add("{}{}", n ? ", " : "", name_of_symbol(l.targets[n]));
      add(";\n");
    }
    int32_t location = kNoLocation;
    printed_.clear();
    for (uint32_t i = 0; i <= f.instructions.size(); ++i) {
      auto [first, last] = labels.equal_range(i);
      for (auto at = first; at != last; ++at) add("{}:\n", names_.labels[at->second]);
      if (i == f.instructions.size()) break;
      if (f.instructions[i].location != location && f.instructions[i].location != kNoLocation) {
        location = f.instructions[i].location;
        loc(location);
      }
      add("  ");
      instruction(f.instructions[i]);
      add("\n");
    }
    add("}}\n");
  }

  // A .loc, and before it those of the calls through which it was inlined, unless these were the last ones printed for
  // their place.
  void loc(int32_t index) {
    const SourceLocation& l = module_.locations[index];
    if (l.inlined_at >= 0) {
      const SourceLocation& caller = module_.locations[l.inlined_at];
      auto found = printed_.find({caller.file, caller.line, caller.column});
      if (found == printed_.end() || found->second != l.inlined_at) loc(l.inlined_at);
    }
    add("  .loc {} {} {}", l.file, l.line, l.column);
    if (!l.function_name.empty()) add(", function_name $L__info_string{}", string_index(l.function_name));
    if (l.inlined_at >= 0) {
      const SourceLocation& caller = module_.locations[l.inlined_at];
      add(", inlined_at {} {} {}", caller.file, caller.line, caller.column);
    }
    add("\n");
    printed_[{l.file, l.line, l.column}] = index;
  }

  size_t string_index(std::string_view text) {
    auto [at, fresh] = string_ids_.try_emplace(text, strings_.size());
    if (fresh) strings_.push_back(text);
    return at->second;
  }

  void debug_strings() {
    if (strings_.empty()) return;
    add(".section .debug_str\n{{\n");
    for (size_t i = 0; i < strings_.size(); ++i) {
      add("$L__info_string{}:\n  .b8 ", i);
      for (char c : strings_[i]) add("{}, ", static_cast<unsigned char>(c));
      add("0\n");
    }
    add("}}\n");
  }

  // --- instructions ---

  void instruction(const Instruction& i) {
    if (i.guard.present) add("@{}{} ", i.guard.negated ? "!" : "", names_.registers[i.guard.reg]);
    add("{}", opcode_text(i));
    if (i.op == Op::call) {
      call(i);
      return;
    }
    bool first = true;
    for (const Operand& o : i.operands) {
      if (o.is(Kind::None)) continue;
      add("{}", first ? " " : ", ");
      first = false;
      operand(o);
    }
    add(";");
  }

  void call(const Instruction& i) {
    add(" ");
    if (!i.operands[0].elements.empty()) operand(i.operands[0]), add(", ");
    operand(i.operands[1]);
    bool prototype = !i.operands[3].is(Kind::None);
    if (!i.operands[2].elements.empty() || prototype) add(", "), operand(i.operands[2]);
    if (prototype) add(", "), operand(i.operands[3]);
    add(";");
  }

  void elements(const std::vector<Operand>& list, std::string_view separator) {
    for (size_t n = 0; n < list.size(); ++n) {
      if (n) add("{}", separator);
      operand(list[n]);
    }
  }

  void register_text(const Operand& o) {
    add("{}", names_.registers[o.reg]);
    if (function_->registers[o.reg].vector > 1 && o.component != Operand::kWhole) add(".{}", "xyzw"[o.component & 3]);
    if (!o.selector.empty()) add(".{}", o.selector);
  }

  void operand(const Operand& o) {
    if (o.negated) add("!");
    if (o.minus) add("-");
    switch (o.kind) {
      case Kind::None:
        break;
      case Kind::Register:
        register_text(o);
        break;
      case Kind::Immediate:
        if (o.exact_f32)
          add("0f{:08X}", o.float_bits);
        else if (o.is_float)
          add("0d{:016X}", o.bits);
        else
          add("{}", static_cast<int64_t>(o.bits));
        break;
      case Kind::Special:
        add("{}", info_of(o.special).name);
        if (info_of(o.special).components > 1 && o.component != Operand::kWhole) add(".{}", "xyzw"[o.component & 3]);
        break;
      case Kind::Symbol:
        add("{}", name_of_symbol(o.symbol));
        if (o.offset) add("+{}", o.offset);
        break;
      case Kind::Address:
        add("[");
        if (o.base == Operand::Base::Register) register_text(o);
        if (o.base == Operand::Base::Symbol) add("{}", name_of_symbol(o.symbol));
        if (o.base == Operand::Base::None)
          add("{}", o.offset);
        else if (o.offset)
          add("+{}", o.offset);
        for (const Operand& e : o.elements) add(", "), operand(e);
        add("]");
        break;
      case Kind::Vector:
        add("{{"), elements(o.elements, ", "), add("}}");
        break;
      case Kind::List:
        add("("), elements(o.elements, ", "), add(")");
        break;
      case Kind::Pair:
        elements(o.elements, "|");
        break;
      case Kind::Sink:
        add("_");
        break;
      case Kind::String:
        break;
    }
  }

  const Module& module_;
  const Function* function_ = nullptr;
  Names names_;
  std::string out_;
  std::vector<std::string_view> strings_;
  std::map<std::string_view, size_t> string_ids_;
  std::map<std::array<uint32_t, 3>, int32_t> printed_;  // the last location printed for a place in this function
};

}  // namespace

std::string print(const Module& module) { return Printer(module).module_text(); }

std::string print(const Module& module, const Function& function, const Instruction& instruction) {
  return Printer(module).instruction_text(function, instruction);
}

}  // namespace warpwise::ptx
