#include "lab/judge/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/words.h"
#include "lab/judge/judge.h"

namespace warpwise::lab {
namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)); }

// The innermost conditional directive that the place stands under.
void find_condition(std::string_view text, size_t place, OwnSignature& own) {
  struct Open {
    std::string directive;
    size_t line;
  };
  std::vector<Open> open;
  size_t line = 0;
  for (size_t at = 0; at < place; at = std::min(text.find('\n', at), text.size() - 1) + 1) {
    ++line;
    const std::string_view rest = text.substr(at, text.find('\n', at) - at);
    const size_t sharp = rest.find_first_not_of(" \t");
    if (sharp == rest.npos || rest[sharp] != '#') continue;
    const size_t word = rest.find_first_not_of(" \t", sharp + 1);
    if (word == rest.npos) continue;
    const std::string_view directive = rest.substr(word, rest.find_last_not_of(" \t\r") + 1 - word);
    if (directive.starts_with("endif") && !open.empty()) open.pop_back();
    if (directive.starts_with("el") && !open.empty()) open.back() = {fmt::format("#{}", directive), line};
    if (directive.starts_with("if")) open.push_back({fmt::format("#{}", directive), line});
  }
  own.line = line;
  if (!open.empty()) own.condition = open.back().directive, own.line_of_condition = open.back().line;
}

// Words and single punctuation characters.
std::vector<std::string> words_of_parameter(std::string_view text) {
  std::vector<std::string> words;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (is_word_character(text[i]))
      while (end < text.size() && is_word_character(text[end])) ++end;
    if (!is_blank(text[i])) words.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

bool is_qualifier(const std::string& word) {
  return word == "__restrict__" || word == "__restrict" || word == "restrict" || word == "__grid_constant__";
}

// "unsigned int" and "unsigned" are one type; so are half and __half. const is left out: it changes no bytes.
std::string comparable(const std::string& type) {
  std::string out;
  for (const std::string& word : words_of_parameter(type)) {
    if (word == "const" || is_qualifier(word) || word == "std" || word == ":" || word == "signed") continue;
    out += word == "__half" ? "half" : word;
  }
  for (const auto& [from, to] : {std::pair("uint8_t", "unsignedchar"), std::pair("uint32_t", "unsignedint"),
                                 std::pair("int32_t", "int"), std::pair("int8_t", "char")})
    if (out.starts_with(from)) out.replace(0, std::string_view(from).size(), to);
  if (out.starts_with("unsigned") && (out.size() == 8 || out[8] == '*')) out.insert(8, "int");
  return out;
}

bool is_constant(const std::string& type) {
  const auto words = words_of_parameter(type);
  return std::find(words.begin(), words.end(), "const") != words.end();
}

// Pointers to elements of eight bytes, which are a mistake more often than a choice.
bool is_wide(const std::string& comparable) {
  return comparable.starts_with("double") || comparable.starts_with("longlong") || comparable.starts_with("int64_t") ||
         comparable.starts_with("uint64_t") || comparable.starts_with("unsignedlong");
}

bool is_pointer(const std::string& comparable) { return comparable.ends_with('*'); }
bool is_real(const std::string& comparable) {
  return comparable.starts_with("float") || comparable.starts_with("double") || comparable.starts_with("half");
}

// Whether values of one type make no sense as values of the other.
bool means_something_else(const std::string& mine, const std::string& asked) {
  if (is_pointer(mine) != is_pointer(asked)) return true;
  return is_pointer(asked) ? is_wide(mine) != is_wide(asked) : is_real(mine) != is_real(asked);
}

// Something that the text does not tell the parameters of: one word, which a macro may replace.
bool may_be_a_macro(const OwnParameter& parameter) {
  static constexpr std::string_view kTypes[] = {"int",  "float", "double", "half", "unsigned",
                                                "long", "char",  "short",  "bool"};
  return parameter.name.empty() && !parameter.type.empty() &&
         std::all_of(parameter.type.begin(), parameter.type.end(), is_word_character) &&
         std::find(std::begin(kTypes), std::end(kTypes), parameter.type) == std::end(kTypes);
}

std::string on_one_line(std::string_view text) {
  constexpr size_t kMost = 200;
  std::string out;
  for (const char c : text) {
    if (!is_blank(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.size() > kMost) out = out.substr(0, kMost) + "…";
  return out;
}

// "a `float`", "an `int`".
std::string with_article(const std::string& type) {
  return fmt::format("{} `{}`", type.starts_with("int") || type.starts_with("unsigned") ? "an" : "a", type);
}

OwnParameter parameter_from(std::string_view text) {
  std::vector<std::string> words = words_of_parameter(text.substr(0, text.find('=')));
  OwnParameter out;
  const bool array = words.size() > 2 && words.back() == "]";
  if (array) words.resize(size_t(std::find(words.begin(), words.end(), "[") - words.begin()));
  std::erase_if(words, is_qualifier);
  const bool named =
      words.size() > 1 && is_word_character(words.back()[0]) && words.back() != "int" && words.back() != "char";
  if (named) out.name = words.back(), words.pop_back();
  for (const std::string& word : words)
    out.type +=
        (out.type.empty() || !is_word_character(word[0]) || !is_word_character(out.type.back()) ? "" : " ") + word;
  if (array) out.type += "*";
  return out;
}

// The definition of the function whose name stands at `at`, but for its line and condition. Nothing: a call, or a
// declaration.
std::optional<OwnSignature> definition_at(const std::string& text, size_t at, size_t name_length) {
  size_t open = at + name_length;
  while (open < text.size() && is_blank(text[open])) ++open;
  if (open == text.size() || text[open] != '(') return {};
  const size_t close = text.find(')', open);
  if (close == text.npos) return {};
  const size_t behind = text.find_first_not_of(" \t\r\n", close + 1);
  if (behind == text.npos || text[behind] != '{') return {};
  OwnSignature own;
  const size_t statement = text.find_last_of(";}", at);
  const size_t begin_of_head = statement == text.npos ? 0 : statement + 1;
  const std::string_view head = std::string_view(text).substr(begin_of_head, at - begin_of_head);
  own.found = true;
  own.kernel = head.find("__global__") != head.npos;
  const size_t line_of_directive = head.rfind('#');  // "#include <…>" ends without a semicolon
  const size_t begin = line_of_directive == head.npos ? 0 : std::min(head.find('\n', line_of_directive), head.size());
  const std::string_view words = head.substr(std::min(head.find_first_not_of(" \t\r\n", begin), head.size()));
  own.text = on_one_line(fmt::format("{}{}", words, std::string_view(text).substr(at, close + 1 - at)));
  // The contents of strings are gone; this one is known.
  if (const size_t empty = own.text.find("extern \"\""); empty != own.text.npos)
    own.text.replace(empty, 9, "extern \"C\"");
  std::string_view list = std::string_view(text).substr(open + 1, close - open - 1);
  while (list.find_first_not_of(" \t\r\n") != list.npos) {
    const size_t comma = std::min(list.find(','), list.size());
    own.parameters.push_back(parameter_from(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return own;
}

}  // namespace

OwnSignature signature_in(std::string_view source, std::string_view entry) {
  const std::string text = without_comments(std::string(source));
  for (size_t at = 0; (at = text.find(entry, at)) != text.npos; at += entry.size()) {
    if ((at > 0 && is_word_character(text[at - 1])) ||
        (at + entry.size() < text.size() && is_word_character(text[at + entry.size()])))
      continue;
    if (auto own = definition_at(text, at, entry.size())) {
      find_condition(text, at + 1, *own);
      return std::move(*own);
    }
  }
  return {};
}

OtherName entry_by_another_name(const Problem& problem, std::string_view source) {
  const std::string text = without_comments(std::string(source));
  auto fits = [&](const OwnSignature& other) {
    return other.kernel == (problem.kind == Kind::Kernel) &&
           std::equal(other.parameters.begin(), other.parameters.end(), problem.parameters.begin(),
                      problem.parameters.end(), [](const OwnParameter& mine, const Parameter& asked) {
                        return comparable(mine.type) == comparable(asked.spelling);
                      });
  };
  // One pass: a file of a megabyte can define tens of thousands of functions.
  for (size_t at = 0; (at = text.find('(', at)) != text.npos; ++at) {
    size_t begin = at;
    while (begin > 0 && is_word_character(text[begin - 1])) --begin;
    const std::string name = text.substr(begin, at - begin);
    if (name.empty() || name == problem.entry) continue;
    auto other = definition_at(text, begin, name.size());
    if (!other || !fits(*other)) continue;
    find_condition(text, begin + 1, *other);
    return {name, other->line};
  }
  return {};
}

Differences differences(const Problem& problem, const OwnSignature& own) {
  Differences out;
  const auto& asked = problem.parameters;
  if (!own.found || own.parameters.empty()) return out;
  if (std::any_of(own.parameters.begin(), own.parameters.end(), may_be_a_macro)) return out;
  if (own.parameters.size() != asked.size())
    return {{fmt::format("`{}` has {} parameter{} here, and the problem gives it {}", problem.entry,
                         own.parameters.size(), own.parameters.size() == 1 ? "" : "s", asked.size())},
            /*decisive=*/true};
  for (size_t i = 0; i < asked.size(); ++i) {
    const OwnParameter& mine = own.parameters[i];
    const auto named_alike =
        std::find_if(asked.begin(), asked.end(), [&](const Parameter& p) { return p.name == mine.name; });
    if (!mine.name.empty() && named_alike != asked.end() && named_alike != asked.begin() + ptrdiff_t(i)) {
      out.sentences.push_back(
          fmt::format("your `{}` is the problem's `{}`: parameters are passed by position", mine.name, asked[i].name));
      out.decisive |= is_constant(mine.type) != is_constant(asked[i].spelling);
    } else if (const std::string type = comparable(mine.type); !type.empty() && type != comparable(asked[i].spelling)) {
      out.sentences.push_back(fmt::format("`{}` is {} here, and the problem gives {}", mine.name,
                                          with_article(mine.type), with_article(asked[i].spelling)));
      out.decisive |= means_something_else(type, comparable(asked[i].spelling));
    }
  }
  return out;
}

}  // namespace warpwise::lab
