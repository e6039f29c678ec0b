#include "ptx/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "ptx/parse/lexer.h"

namespace warpwise::ptx {

namespace {

enum class Visibility { Local, Visible, Weak, Extern };

// A statement of a module: a declaration, a definition, or a directive.
struct Item {
  enum class Kind { Head, File, Section, Other, Function, Variable } kind = Kind::Other;
  std::string_view text;
  std::string_view name;  // of a function or variable
  Visibility visibility = Visibility::Local;
  bool defines = false;
};

size_t end_of_line(std::string_view text, size_t at) {
  size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

// Reads the statement that begins with `token`. False at the end of the text.
bool next_item(std::string_view text, Lexer& lexer, Item* item) {
  Token token = lexer.next();
  while (token.kind == Token::Kind::Bad) token = lexer.next();
  if (token.kind == Token::Kind::End) return false;
  *item = {};
  size_t start = static_cast<size_t>(token.text.data() - text.data());
  auto finish = [&](size_t end) {
    item->text = text.substr(start, end - start);
    lexer.set_position(end);
    return true;
  };
  if (token.is(".version") || token.is(".target") || token.is(".address_size")) {
    item->kind = Item::Kind::Head;
    return finish(end_of_line(text, start));
  }
  if (token.is(".file")) {
    item->kind = Item::Kind::File;
    return finish(end_of_line(text, start));
  }
  bool section = token.is(".section"), function = false, body = false;
  int parentheses = 0, braces = 0;
  for (; token.kind != Token::Kind::End; token = lexer.next()) {
    if (token.is(".func") || token.is(".entry"))
      function = true;
    else if (token.is(".extern"))
      item->visibility = Visibility::Extern;
    else if (token.is(".visible"))
      item->visibility = Visibility::Visible;
    else if (token.is(".weak") || token.is(".common"))
      item->visibility = Visibility::Weak;
    else if (token.is('('))
      ++parentheses;
    else if (token.is(')'))
      --parentheses;
    else if (token.is('{')) {
      ++braces;
      if (function || section) body = true;
    } else if (token.is('}')) {
      if (--braces == 0 && body) break;
    } else if (token.is(';')) {
      if (braces == 0) break;
    } else if (token.kind == Token::Kind::Word && parentheses == 0 && braces == 0 && item->name.empty()) {
      item->name = token.text;
    }
  }
  item->defines = function ? body : item->visibility != Visibility::Extern;
  if (section)
    item->kind = Item::Kind::Section;
  else if (function)
    item->kind = Item::Kind::Function;
  else if (!item->name.empty())
    item->kind = Item::Kind::Variable;
  return finish(token.kind == Token::Kind::End ? text.size() : lexer.position());
}

struct Input {
  std::vector<Item> items;
  std::unordered_map<std::string_view, std::string> renamed;
  uint64_t first_file = 0;  // added to its file numbers
  uint64_t files = 0;
  double version = 0;
};

uint64_t number_in(std::string_view text) {
  return std::strtoull(std::string(text.substr(0, 20)).c_str(), nullptr, 10);
}

// Labels of .debug_str, which are the module's own.
void collect_labels(std::string_view text, std::set<std::string_view>* labels) {
  Lexer lexer(text);
  Token last;
  for (Token token = lexer.next(); token.kind != Token::Kind::End; last = token, token = lexer.next())
    if (token.is(':') && last.kind == Token::Kind::Word) labels->insert(last.text);
}

// The text of an item with renamed symbols and adjusted file numbers.
void append(std::string_view text, const Input& module, std::string* out) {
  if (module.renamed.empty() && module.first_file == 0) {
    *out += text;
    return;
  }
  Lexer lexer(text);
  size_t copied = 0;
  bool file_follows = false;
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next()) {
    size_t at = static_cast<size_t>(token.text.data() - text.data());
    if (token.kind == Token::Kind::Word) {
      if (auto found = module.renamed.find(token.text); found != module.renamed.end()) {
        *out += text.substr(copied, at - copied);
        *out += found->second;
        copied = at + token.text.size();
      }
    } else if (token.kind == Token::Kind::Number && file_follows && module.first_file != 0) {
      *out += text.substr(copied, at - copied);
      *out += std::to_string(number_in(token.text) + module.first_file);
      copied = at + token.text.size();
    }
    file_follows = token.is(".loc") || token.is(".file") || token.is("inlined_at");
  }
  *out += text.substr(copied);
}

// Whether the value of a variable names other symbols, whose addresses it holds.
bool names_symbols(std::string_view definition) {
  Lexer lexer(definition);
  bool in_value = false;
  for (Token token = lexer.next(); token.kind != Token::Kind::End; token = lexer.next()) {
    in_value |= token.is('=');
    if (in_value && token.kind == Token::Kind::Word) return true;
  }
  return false;
}

// "… name (parameters)" of "… name (parameters) { body }"
std::string_view head_of(const Item& function) { return function.text.substr(0, function.text.find('{')); }

bool is_symbol(const Item& item) { return item.kind == Item::Kind::Function || item.kind == Item::Kind::Variable; }

class Linker {
 public:
  explicit Linker(const std::vector<std::string_view>& texts) {
    uint64_t files = 0;
    for (std::string_view text : texts) {
      Input& module = modules_.emplace_back(read_module(text));
      module.first_file = files;
      files += module.files + 1;
    }
  }

  // Of the symbols that all modules see, the definition that counts.
  Result<void> choose_definitions() {
    for (const Input& module : modules_)
      for (const Item& item : module.items) {
        if (!item.defines || item.visibility == Visibility::Local || item.visibility == Visibility::Extern) continue;
        auto [at, fresh] = chosen_.try_emplace(item.name, Definition{&module, &item});
        if (fresh) continue;
        if (at->second.item->visibility == Visibility::Visible && item.visibility == Visibility::Visible)
          return Error{"P0902", fmt::format("`{}` is defined in two of the modules that are linked", item.name)};
        if (item.visibility == Visibility::Visible) at->second = {&module, &item};
      }
    return {};
  }

  // A module's private symbols get new names where another module uses the same ones.
  void rename_private_symbols() {
    std::unordered_set<std::string_view> taken;
    for (const auto& [name, definition] : chosen_) taken.insert(name);
    for (size_t m = 0; m < modules_.size(); ++m)
      for (std::string_view name : private_symbols(modules_[m]))
        if (!taken.insert(name).second) modules_[m].renamed[name] = fmt::format("{}$link{}", name, m);
  }

  std::string text() {
    const auto newest = std::max_element(modules_.begin(), modules_.end(),
                                         [](const Input& a, const Input& b) { return a.version < b.version; });
    if (newest != modules_.end())
      for (const Item& item : newest->items)
        if (item.kind == Item::Kind::Head) out_ += item.text;
    for (const Input& module : modules_)
      for (const Item& item : module.items) {
        if (item.kind == Item::Kind::Head) continue;
        if (item.visibility != Visibility::Local && is_symbol(item))
          write_shared_symbol(item, module);
        else
          write_line(item.text, module);
      }
    return std::move(out_);
  }

 private:
  struct Definition {
    const Input* module = nullptr;
    const Item* item = nullptr;
  };

  static Input read_module(std::string_view text) {
    constexpr std::string_view kFile = ".file ", kVersion = ".version";
    Input module;
    Lexer lexer(text);
    for (Item item; next_item(text, lexer, &item);) {
      if (item.kind == Item::Kind::File)
        module.files = std::max(module.files, number_in(item.text.substr(kFile.size())));
      if (item.kind == Item::Kind::Head && item.text.starts_with(kVersion))
        module.version = std::atof(std::string(item.text.substr(kVersion.size(), 16)).c_str());
      module.items.push_back(item);
    }
    return module;
  }

  static std::set<std::string_view> private_symbols(const Input& module) {
    std::set<std::string_view> symbols;
    for (const Item& item : module.items) {
      if (is_symbol(item) && item.visibility == Visibility::Local) symbols.insert(item.name);
      if (item.kind == Item::Kind::Section) collect_labels(item.text, &symbols);
    }
    return symbols;
  }

  void write_line(std::string_view text, const Input& module) {
    append(text, module, &out_);
    out_ += '\n';
  }
  void declare(const Item& function, const Input& module) {
    append(head_of(function), module, &out_);
    out_ += ";\n";
  }

  // NVIDIA's compiler refuses a module that declares a symbol as .extern and defines it, so what one module declares
  // and another defines is defined, or declared as it will be defined, where it is first needed.
  void write_shared_symbol(const Item& item, const Input& module) {
    if (written_.contains(item.name)) return;
    const auto found = chosen_.find(item.name);
    const Definition chosen = found == chosen_.end() ? Definition{} : found->second;
    const bool function = item.kind == Item::Kind::Function;
    if (item.defines && chosen.item != &item) {
      // Another module has the definition; the declaration stays here, because later statements may use the name.
      if (function) declare(item, module);
      return;
    }
    if (!item.defines && chosen.item && function) return declare(*chosen.item, *chosen.module);
    const bool early = !item.defines && chosen.item && !names_symbols(chosen.item->text);
    if (early || item.defines) written_.insert(item.name);
    if (early)
      write_line(chosen.item->text, *chosen.module);
    else
      write_line(item.text, module);
  }

  std::vector<Input> modules_;
  std::unordered_map<std::string_view, Definition> chosen_;  // symbols that all modules see
  std::unordered_set<std::string_view> written_;             // those whose definitions are in the text
  std::string out_;
};

}  // namespace

std::vector<std::string_view> split_modules(std::string_view text) {
  std::vector<std::string_view> modules;
  size_t start = 0;
  bool versioned = false;
  for (size_t line = 0; line < text.size(); line = end_of_line(text, line)) {
    if (!text.substr(line).starts_with(".version")) continue;
    if (versioned) {
      modules.push_back(text.substr(start, line - start));
      start = line;
    }
    versioned = true;
  }
  modules.push_back(text.substr(start));
  return modules;
}

bool is_several_modules(std::string_view text) { return split_modules(text).size() > 1; }

Result<std::string> link(const std::vector<std::string_view>& texts) {
  Linker linker(texts);
  TRY(linker.choose_definitions());
  linker.rename_private_symbols();
  return linker.text();
}

}  // namespace warpwise::ptx
