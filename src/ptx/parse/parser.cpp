// The file: its top level, and how the parser continues after an error.
#include "ptx/parse/parser.h"

#include <fmt/format.h>

#include "ptx/parse/parser_state.h"
#include "ptx/parse/suggest.h"
#include "ptx/verify/verifier.h"

namespace warpwise::ptx {

Parser::Parser(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
    : source_(std::move(source)), diagnostics_(diagnostics), lexer_(source_->text()) {
  module_.source = source_;
}

Module Parser::run() {
  size_t errors_before = diagnostics_.error_count();
  advance();
  while (token_.kind != Token::Kind::End && !gave_up()) parse_top_level();
  if (!gave_up()) {
    if (!has_version_ && diagnostics_.error_count() == errors_before)
      error("P0101", source_->text().substr(0, 0), "there is no `.version` directive").help =
          "begin the file with `.version 8.5`, `.target sm_90` and `.address_size 64`";
    else if (!has_target_ && diagnostics_.error_count() == errors_before)
      error("P0101", source_->text().substr(0, 0), "there is no `.target` directive").help =
          "write `.target sm_90` after `.version`";
  }
  resolve_aliases();
  resolve_location_names();
  return std::move(module_);
}

// --- tokens and errors ----------------------------------------------------------------------------

bool Parser::take(char c) {
  if (!token_.is(c)) return false;
  advance();
  return true;
}

bool Parser::take(std::string_view word) {
  if (!token_.is(word)) return false;
  advance();
  return true;
}

bool Parser::expect(char c, std::string_view where) {
  if (take(c)) return true;
  return expected(fmt::format("`{}` {}", c, where));
}

bool Parser::expect_word(std::string_view what, std::string_view& out) {
  if (token_.kind != Token::Kind::Word) return expected(what);
  out = token_.text;
  advance();
  return true;
}

Diagnostic& Parser::error(std::string code, Span at, std::string message) {
  return diagnostics_.error(std::move(code), {source_, at, ""}, std::move(message));
}

bool Parser::fail(std::string code, Span at, std::string message) {
  error(std::move(code), at, std::move(message));
  return false;
}

bool Parser::expected(std::string_view what) {
  if (token_.kind == Token::Kind::End)
    return fail("P0002", token_.text, fmt::format("the file ends where {} is expected", what));
  if (token_.kind == Token::Kind::Bad) {
    if (token_.text.starts_with("/*")) {
      unclosed_comment_ = true;
      return fail("P0004", token_.text, "this comment has no end");
    }
    if (token_.text.starts_with('"')) return fail("P0004", token_.text, "this string has no end");
    return fail("P0001", token_.text, "this character has no meaning in PTX");
  }
  return fail("P0002", token_.text, fmt::format("expected {}, found `{}`", what, token_.text.substr(0, 60)));
}

void Parser::note_previous(Diagnostic& diagnostic, Span earlier) {
  diagnostic.secondary.push_back({source_, earlier, "it is declared here first"});
}

// To the end of a statement: past the next `;`, or before a brace that closes the scope or at a token
// that must begin a new statement.
void Parser::skip_statement() {
  while (token_.kind != Token::Kind::End) {
    if (take(';')) return;
    if (in_function_ && token_.is('}')) return;
    if (token_.is('{')) {
      skip_braces();
      if (!in_function_) return;
      continue;
    }
    if (!in_function_ && token_.kind == Token::Kind::Dot && at_line_start()) return;  // the next directive
    advance();
  }
}

// Whether nothing but space precedes the token on its line.
bool Parser::at_line_start() const {
  const char* first = source_->text().data();
  for (const char* at = token_.text.data(); at != first; --at) {
    if (at[-1] == '\n') return true;
    if (at[-1] != ' ' && at[-1] != '\t') return false;
  }
  return true;
}

// Past the `}` that belongs to the `{` here.
void Parser::skip_braces() {
  size_t depth = 0;
  while (token_.kind != Token::Kind::End) {
    if (token_.is('{')) ++depth;
    if (token_.is('}') && --depth == 0) {
      advance();
      return;
    }
    advance();
  }
}

// --- the file -------------------------------------------------------------------------------------

bool Parser::parse_linkage(Linkage& linkage) {
  for (;;) {
    if (take(".visible"))
      linkage = Linkage::Visible;
    else if (take(".extern"))
      linkage = Linkage::Extern;
    else if (take(".weak"))
      linkage = Linkage::Weak;
    else if (take(".common"))
      linkage = Linkage::Common;
    else
      return true;
  }
}

void Parser::parse_top_level() {
  bool ok = false;
  const Token at = token_;
  if (take(';')) return;
  if (take("@@")) {  // @@DWARF lines of old compilers
    lexer_.set_position(static_cast<size_t>(at.text.data() - source_->text().data()));
    lexer_.skip_line();
    advance();
    return;
  }
  Linkage linkage = Linkage::Internal;
  parse_linkage(linkage);
  if (take(".version"))
    ok = parse_version();
  else if (take(".target"))
    ok = parse_target();
  else if (take(".address_size"))
    ok = parse_address_size();
  else if (take(".entry"))
    ok = parse_function(true, linkage);
  else if (take(".func"))
    ok = parse_function(false, linkage);
  else if (take(".global"))
    ok = parse_module_variable(Space::Global, linkage);
  else if (take(".const"))
    ok = parse_module_variable(Space::Const, linkage);
  else if (take(".shared"))
    ok = parse_module_variable(Space::Shared, linkage);
  else if (take(".tex"))
    ok = parse_module_variable(Space::Tex, linkage);
  else if (take(".file"))
    ok = parse_file();
  else if (take(".section"))
    ok = parse_section();
  else if (take(".alias"))
    ok = parse_alias();
  else if (take(".pragma"))
    ok = parse_pragma();
  else if (take(".loc"))
    ok = parse_loc();
  else if (token_.is(".local") || token_.is(".param") || token_.is(".reg"))
    ok = fail("P0106", token_.text, fmt::format("`{}` variables belong inside a function", token_.text));
  else if (token_.is('}')) {
    fail("P0002", token_.text, "this `}` closes nothing");
    advance();
    return;
  } else if (token_.kind == Token::Kind::Dot) {
    static constexpr std::string_view kKnown[] = {
        ".version", ".target",  ".address_size", ".entry",  ".func",    ".global", ".const", ".shared",
        ".file",    ".section", ".alias",        ".pragma", ".visible", ".extern", ".weak",  ".common"};
    Diagnostic& d = error("P0102", token_.text, fmt::format("unknown directive `{}`", token_.text));
    if (auto near = closest(token_.text, kKnown); !near.empty()) d.help = fmt::format("did you mean `{}`?", near);
  } else {
    ok = expected("a directive such as `.entry` or `.global`");
  }
  if (!ok) {
    if (token_.text.data() == at.text.data() && token_.kind != Token::Kind::End) advance();
    skip_statement();
    in_function_ = false;
  }
}

bool Parser::parse_version() {
  Token at = token_;
  size_t dot = at.text.find('.');
  auto digit = [&](size_t i) { return i < at.text.size() && at.text[i] >= '0' && at.text[i] <= '9'; };
  if (at.kind != Token::Kind::Number || dot == at.text.npos || dot == 0 || dot > 2 || !digit(dot + 1) ||
      dot + 2 != at.text.size())
    return expected("a version such as `8.5`");
  unsigned major = 0;
  for (size_t i = 0; i < dot; ++i) {
    if (!digit(i)) return expected("a version such as `8.5`");
    major = major * 10 + static_cast<unsigned>(at.text[i] - '0');
  }
  if (has_version_) return fail("P0103", at.text, "a second `.version`; a module has one");
  module_.version = major * 10 + static_cast<unsigned>(at.text[dot + 1] - '0');
  has_version_ = true;
  advance();
  return true;
}

bool Parser::parse_target() {
  do {
    std::string_view name;
    Span at = token_.text;
    if (!expect_word("a target such as `sm_90`", name)) return false;
    if (name == "texmode_unified" || name == "texmode_independent" || name == "debug" || name == "map_f64_to_f32")
      continue;
    uint64_t sm = 0;
    size_t i = 3;
    if (name.starts_with("sm_"))
      for (; i < name.size() && i < 8 && name[i] >= '0' && name[i] <= '9'; ++i)
        sm = sm * 10 + static_cast<uint64_t>(name[i] - '0');
    bool suffix = i == name.size() || (i + 1 == name.size() && (name[i] == 'a' || name[i] == 'f'));
    if (sm < 10 || !suffix) {
      error("P0101", at, fmt::format("`{}` is not a target", name)).help = "write `sm_90`, `sm_90a` or another sm_NN";
      return false;
    }
    module_.target = name;
    module_.sm = static_cast<unsigned>(sm);
    has_target_ = true;
  } while (take(','));
  return true;
}

bool Parser::parse_address_size() {
  Span at = token_.text;
  uint64_t bits = 0;
  if (!parse_unsigned(bits, 64)) return false;
  if (bits != 64) {
    error("P0101", at, "32-bit addresses are not supported").help = "compile for `.address_size 64`";
    return false;
  }
  module_.address_64 = true;
  return true;
}

bool Parser::parse_pragma() {
  do {
    if (token_.kind != Token::Kind::String) return expected("a string");
    advance();
  } while (take(','));
  return expect(';', "after .pragma");
}

bool Parser::parse_alias() {
  std::string_view name, target;
  if (!expect_word("the alias's name", name) || !expect(',', "between an alias and its function") ||
      !expect_word("a function's name", target) || !expect(';', "after .alias"))
    return false;
  for (std::string_view n : {name, target}) {
    auto found = globals_.find(n);
    if (found == globals_.end() || found->second.kind != SymbolRef::Kind::Function)
      return fail("P0104", n, fmt::format("`{}` is not a function declared above", n));
  }
  aliases_.emplace_back(name, target);
  return true;
}

// A use of the alias becomes a use of the function it stands for.
void Parser::resolve_aliases() {
  std::unordered_map<uint32_t, uint32_t> to;
  for (auto [name, target] : aliases_) {
    to[globals_[name].index] = globals_[target].index;
    module_.aliases.emplace_back(globals_[name].index, globals_[target].index);
  }
  if (to.empty()) return;
  auto rename = [&](SymbolRef& symbol) {
    if (symbol.kind != SymbolRef::Kind::Function) return;
    for (size_t steps = 0; steps < to.size(); ++steps) {  // aliases of aliases; a cycle ends as well
      auto found = to.find(symbol.index);
      if (found == to.end()) return;
      symbol.index = found->second;
    }
  };
  for (Function& f : module_.functions)
    for (Instruction& i : f.instructions)
      for (Operand& o : i.operands) {
        rename(o.symbol);
        for (Operand& e : o.elements) rename(e.symbol);
      }
  for (Variable& v : module_.variables)
    for (Relocation& r : v.relocations) rename(r.symbol);
}

std::optional<Module> parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics) {
  size_t before = diagnostics.error_count();
  Module module = Parser(std::move(source), diagnostics).run();
  if (diagnostics.error_count() != before) return std::nullopt;
  return module;
}

std::optional<Module> load(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics) {
  // The parsed part is well formed, so it is verified even after errors elsewhere.
  size_t before = diagnostics.error_count();
  Module module = Parser(std::move(source), diagnostics).run();
  bool has_head = module.version != 0 && module.sm != 0;
  if (has_head || diagnostics.error_count() == before) verify(module, diagnostics);
  if (diagnostics.error_count() != before) return std::nullopt;
  return module;
}

}  // namespace warpwise::ptx
