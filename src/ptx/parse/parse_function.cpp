// Functions: headers, performance directives, bodies and the directives in them.
//
// Scopes. `{ }` nests registers, variables and labels; inline assembly relies on reusing names. Labels may be used
// before they are declared, so a use waits in its scope. When the scope closes, the use is bound to a label of the
// scope or passed to the enclosing scope.
#include <fmt/format.h>

#include <algorithm>

#include "ptx/parse/parser_state.h"
#include "ptx/parse/suggest.h"

namespace warpwise::ptx {

void Parser::declare_parameters(std::vector<Parameter>& parameters, SymbolRef::Kind kind) {
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i];
    if (p.name == "_") continue;
    Meaning meaning = p.space == Space::Reg ? Meaning{true, p.reg, {}} : Meaning{false, 0, {kind, i}};
    std::string_view earlier = scopes_->declare(p.name, meaning);
    if (!earlier.empty()) note_previous(error("P0103", p.span, fmt::format("`{}` is declared twice", p.name)), earlier);
  }
}

void Parser::begin_function(Function function) {
  function_ = std::move(function);
  scopes_.emplace(function_.registers);
  label_scopes_.assign(1, {});
  location_ = kNoLocation;
  last_location_.clear();
}

bool Parser::parse_function(bool is_entry, Linkage linkage) {
  Function header;
  header.is_entry = is_entry;
  header.linkage = linkage;
  begin_function(std::move(header));
  bool unused = false;
  if (take(".attribute") && !parse_attribute(unused)) return false;
  if (token_.is('(') && !parse_parameter_list(function_.returns, true)) return false;
  check_results(function_.returns);
  function_.span = token_.text;
  if (!expect_word(is_entry ? "the kernel's name" : "the function's name", function_.name)) return false;
  if (token_.is('(') && !parse_parameter_list(function_.parameters, true)) return false;
  if (is_entry) {
    uint64_t offset = 0;
    for (Parameter& p : function_.parameters) {
      offset = (offset + p.align - 1) / p.align * p.align;
      p.offset = static_cast<uint32_t>(offset);
      offset += p.size;
    }
    if (offset > (1u << 20)) return fail("P0005", function_.span, "the parameters need more than 1 MiB");
    function_.parameter_bytes = static_cast<uint32_t>(offset);
  }
  if (!parse_function_directives()) return false;
  function_.is_declaration = !token_.is('{');
  if (function_.is_declaration && !expect(';', "or a body")) return false;
  function_index_ = place_function();
  if (function_.is_declaration) return true;
  declare_parameters(function_.parameters, SymbolRef::Kind::Parameter);
  declare_parameters(function_.returns, SymbolRef::Kind::ReturnParameter);
  advance();  // {
  in_function_ = true;
  parse_body();
  in_function_ = false;
  finish_function();
  return true;
}

// One result may be in .param space, a structure for example; several are registers (and ptxas refuses others).
void Parser::check_results(const std::vector<Parameter>& results) {
  for (size_t k = 1; k < results.size(); ++k) {
    if (results[0].space != Space::Param && results[k].space != Space::Param) continue;
    error("P0105", results[k].span, fmt::format("`{}` is one of several results, which are registers", results[k].name))
        .help = "return a .param array that holds them, or declare all of them .reg";
    return;
  }
}

// Where the function goes: the place of its declaration when it has one, so that references hold.
uint32_t Parser::place_function() {
  auto index = static_cast<uint32_t>(module_.functions.size());
  auto [at, fresh] = globals_.try_emplace(function_.name, SymbolRef{SymbolRef::Kind::Function, index});
  if (fresh) {
    global_places_[function_.name] = function_.span;
    module_.functions.emplace_back();
  } else if (at->second.kind != SymbolRef::Kind::Function ||
             (!function_.is_declaration && !module_.functions[at->second.index].is_declaration)) {
    note_previous(error("P0103", function_.span, fmt::format("`{}` is defined twice", function_.name)),
                  global_places_[function_.name]);
    module_.functions.emplace_back();  // parsed for its own errors
  } else {
    index = at->second.index;
    if (function_.is_declaration) return index;
  }
  Function& f = module_.functions[index];
  f = function_;  // calls of itself need the header
  f.is_declaration = true;
  return index;
}

bool Parser::parse_dim3(Dim3& out) {
  uint64_t n[3] = {0, 1, 1};
  for (int i = 0; i < 3; ++i) {
    if (!parse_unsigned(n[i], 0x7fffffff)) return false;
    if (!take(',')) break;
  }
  out = {static_cast<uint32_t>(n[0]), static_cast<uint32_t>(n[1]), static_cast<uint32_t>(n[2])};
  return true;
}

// Between the header and the body.
bool Parser::parse_function_directives() {
  while (token_.kind == Token::Kind::Dot) {
    uint64_t n = 0;
    if (take(".maxntid")) {
      if (!parse_dim3(function_.max_threads)) return false;
    } else if (take(".reqntid")) {
      if (!parse_dim3(function_.required_threads)) return false;
    } else if (take(".minnctapersm")) {
      if (!parse_unsigned(n, 1u << 20)) return false;
      function_.min_blocks_per_sm = static_cast<uint32_t>(n);
    } else if (take(".maxnreg")) {
      if (!parse_unsigned(n, 1u << 20)) return false;
      function_.max_registers = static_cast<uint32_t>(n);
    } else if (take(".reqnctapercluster")) {
      if (!parse_dim3(function_.required_cluster)) return false;
    } else if (take(".explicitcluster")) {
      function_.explicit_cluster = true;
    } else if (take(".noreturn")) {
      function_.noreturn = true;
    } else if (take(".maxnctapersm") || take(".maxclusterrank") || take(".abi_preserve") ||
               take(".abi_preserve_control")) {
      if (!parse_unsigned(n, 1u << 20)) return false;
    } else if (take(".blocksareclusters")) {
    } else if (take(".pragma")) {
      if (!parse_pragma()) return false;
    } else if (take(".language") || take(".attribute")) {
      bool managed = false;
      if (token_.is('(') && !parse_attribute(managed)) return false;
    } else {
      static constexpr std::string_view kKnown[] = {
          ".maxntid",  ".reqntid", ".minnctapersm",      ".maxnreg",         ".maxnctapersm",
          ".noreturn", ".pragma",  ".reqnctapercluster", ".explicitcluster", ".maxclusterrank"};
      Diagnostic& d = error("P0102", token_.text, fmt::format("unknown directive `{}` for a function", token_.text));
      if (auto near = closest(token_.text, kKnown); !near.empty()) d.help = fmt::format("did you mean `{}`?", near);
      return false;
    }
  }
  return true;
}

void Parser::parse_body() {
  for (;;) {
    if (gave_up()) return;
    if (token_.kind == Token::Kind::End) {
      if (!unclosed_comment_)
        fail("P0002", function_.span, fmt::format("the body of `{}` has no closing brace", function_.name));
      while (!label_scopes_.empty()) close_scope();
      return;
    }
    if (token_.is('}')) {
      bool outermost = label_scopes_.size() == 1;
      close_scope();
      advance();
      if (outermost) return;
    } else if (token_.is('{')) {
      if (label_scopes_.size() >= ParseLimits::kNesting) {
        fail("P0005", token_.text, "scopes are nested too deeply");
        skip_braces();
        continue;
      }
      open_scope();
      advance();
    } else if (!take(';')) {
      parse_statement();
    }
  }
}

void Parser::parse_statement() {
  bool ok = false;
  if (token_.kind == Token::Kind::Dot) {
    ok = parse_body_directive();
  } else if (token_.kind == Token::Kind::Word) {
    std::string_view word = token_.text;
    bool label = lexer_.peek() == ':' && lexer_.peek_second() != ':';
    ok = label ? parse_label_or_list(word) : parse_whole_instruction(word);
  } else if (token_.is('@')) {
    ok = parse_whole_instruction("");
  } else if (token_.is("@@")) {
    lexer_.skip_line();
    advance();
    ok = true;
  } else {
    ok = expected("an instruction");
  }
  if (!ok) skip_statement();
}

// An instruction that is refused leaves no uses of labels.
bool Parser::parse_whole_instruction(std::string_view word) {
  std::vector<PendingLabel>& pending = label_scopes_.back().pending;
  size_t uses = pending.size(), instructions = function_.instructions.size();
  bool ok = parse_instruction(word);
  if (function_.instructions.size() == instructions) pending.resize(uses);
  return ok;
}

bool Parser::parse_body_directive() {
  Linkage linkage = Linkage::Internal;
  parse_linkage(linkage);
  if (take(".loc")) return parse_loc();
  if (take(".reg")) return parse_registers();
  if (take(".local")) return parse_local_variable(Space::Local, linkage);
  if (take(".shared")) return parse_local_variable(Space::Shared, linkage);
  if (take(".param")) return parse_local_variable(Space::Param, linkage);
  if (take(".pragma")) return parse_pragma();
  if (take(".file")) return parse_file();
  if (token_.is(".global") || token_.is(".const")) {
    // ptxas accepts them here; they belong to the module and are visible in this scope.
    Space space = token_.is(".global") ? Space::Global : Space::Const;
    advance();
    return parse_module_variable(space, linkage);
  }
  static constexpr std::string_view kKnown[] = {".reg",    ".local",         ".shared",      ".param",        ".loc",
                                                ".pragma", ".branchtargets", ".calltargets", ".callprototype"};
  Diagnostic& d = error("P0102", token_.text, fmt::format("unknown directive `{}` in a function", token_.text));
  if (auto near = closest(token_.text, kKnown); !near.empty()) d.help = fmt::format("did you mean `{}`?", near);
  return false;
}

// .reg {.v4} .type name, name<n>, …;
bool Parser::parse_registers() {
  uint8_t vector = 1;
  Type type = Type::None;
  parse_vector_prefix(vector);
  if (!parse_type(type, "the registers' type")) return false;
  do {
    std::string_view name, earlier;
    if (!expect_word("a register's name", name)) return false;
    if (take('<')) {
      int64_t count = 0;
      Span at = token_.text;
      std::optional<Constant> number = parse_number(token_.text);
      if (token_.kind != Token::Kind::Number || !number || number->is_float) return expected("the number of registers");
      count = static_cast<int64_t>(number->bits);
      advance();
      if (count < 0 || static_cast<uint64_t>(count) > ParseLimits::kRegisters)
        return fail("P0005", at, "too many registers");
      if (!expect('>', "after the number of registers")) return false;
      earlier = scopes_->declare_range(name, static_cast<uint64_t>(count), type, vector);
    } else {
      auto id = static_cast<RegisterId>(function_.registers.size());
      function_.registers.push_back({name, type, vector});
      earlier = scopes_->declare(name, {true, id, {}});
    }
    if (!earlier.empty())
      note_previous(error("P0103", name, fmt::format("`{}` is declared twice in this scope", name)), earlier);
  } while (take(','));
  return expect(';', "after registers");
}

// --- labels ---------------------------------------------------------------------------------------

LabelId Parser::declare_label(std::string_view name) {
  auto id = static_cast<LabelId>(function_.labels.size());
  auto [at, fresh] = label_scopes_.back().labels.try_emplace(name, id);
  if (!fresh)
    note_previous(error("P0103", name, fmt::format("label `{}` is declared twice in this scope", name)), at->first);
  Label label;
  label.name = label.span = name;
  label.instruction = static_cast<uint32_t>(function_.instructions.size());
  function_.labels.push_back(std::move(label));
  return id;
}

bool Parser::parse_label_or_list(std::string_view name) {
  advance();  // name
  advance();  // :
  if (take(".callprototype")) return parse_prototype(name);
  if (take(".branchtargets") || take(".calltargets")) return parse_target_list(name);
  declare_label(name);
  return true;
}

// name: .callprototype (returns) _ (parameters) {.noreturn};
bool Parser::parse_prototype(std::string_view name) {
  Prototype p;
  p.name = name;
  if (token_.is('(') && !parse_parameter_list(p.returns, false)) return false;
  check_results(p.returns);
  std::string_view underscore;
  if (!expect_word("`_`", underscore)) return false;
  if (token_.is('(') && !parse_parameter_list(p.parameters, false)) return false;
  while (token_.kind == Token::Kind::Dot) {
    uint64_t unused = 0;
    if (take(".noreturn"))
      p.noreturn = true;
    else if ((take(".abi_preserve") || take(".abi_preserve_control"))) {
      if (!parse_unsigned(unused, 1u << 20)) return false;
    } else
      return expected("`;`");
  }
  auto index = static_cast<uint32_t>(function_.prototypes.size());
  function_.prototypes.push_back(std::move(p));
  std::string_view earlier = scopes_->declare(name, {false, 0, {SymbolRef::Kind::Prototype, index}});
  if (!earlier.empty()) note_previous(error("P0103", name, fmt::format("`{}` is declared twice", name)), earlier);
  return expect(';', "after a prototype");
}

// name: .branchtargets L0, L1;  name: .calltargets f, g;
bool Parser::parse_target_list(std::string_view name) {
  LabelId list = declare_label(name);
  do {
    std::string_view target;
    Span at = token_.text;
    if (!expect_word("a target", target)) return false;
    auto element = static_cast<uint32_t>(function_.labels[list].targets.size());
    auto global = globals_.find(target);
    if (global != globals_.end() && global->second.kind == SymbolRef::Kind::Function) {
      function_.labels[list].targets.push_back(global->second);
    } else {
      function_.labels[list].targets.push_back({SymbolRef::Kind::Label, 0});
      label_scopes_.back().pending.push_back({at, kNoInstruction, element, list});
    }
  } while (take(','));
  return expect(';', "after a list of targets");
}

// A use of a label by operand `operand` of the instruction that comes next.
SymbolRef Parser::label_reference(std::string_view name, size_t operand) {
  auto instruction = static_cast<uint32_t>(function_.instructions.size());
  label_scopes_.back().pending.push_back({name, instruction, static_cast<uint32_t>(operand), 0});
  return {SymbolRef::Kind::Label, 0};
}

void Parser::open_scope() {
  scopes_->open();
  label_scopes_.emplace_back();
}

void Parser::close_scope() {
  LabelScope scope = std::move(label_scopes_.back());
  label_scopes_.pop_back();
  for (const PendingLabel& use : scope.pending) {
    auto found = scope.labels.find(use.name);
    if (found != scope.labels.end()) {
      SymbolRef label{SymbolRef::Kind::Label, found->second};
      if (use.instruction == kNoInstruction)
        function_.labels[use.list].targets[use.operand] = label;
      else
        function_.instructions[use.instruction].operands[use.operand].symbol = label;
    } else if (!label_scopes_.empty()) {
      label_scopes_.back().pending.push_back(use);
    } else {
      // The module stays well formed: the missing label is created.
      function_.labels.push_back({use.name, static_cast<uint32_t>(function_.instructions.size()), {}, use.name});
      SymbolRef label{SymbolRef::Kind::Label, static_cast<uint32_t>(function_.labels.size() - 1)};
      if (use.instruction == kNoInstruction)
        function_.labels[use.list].targets[use.operand] = label;
      else
        function_.instructions[use.instruction].operands[use.operand].symbol = label;
      if (!reported_names_.insert(use.name).second) continue;
      Diagnostic& d = error("P0104", use.name, fmt::format("there is no label `{}` here", use.name));
      std::vector<std::string_view> names;
      for (const auto& [name, id] : scope.labels) names.push_back(name);
      std::sort(names.begin(), names.end());
      if (auto near = closest(use.name, names); !near.empty()) d.help = fmt::format("did you mean `{}`?", near);
    }
  }
  if (!label_scopes_.empty()) scopes_->close();
}

void Parser::finish_function() {
  reported_names_.clear();
  function_.is_declaration = false;
  module_.functions[function_index_] = std::move(function_);
  scopes_.reset();
}

}  // namespace warpwise::ptx
