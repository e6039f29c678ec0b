#include "capi/source_functions.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <span>

#include "base/words.h"

namespace warpwise::capi {
namespace {

bool is_word(std::string_view token) { return is_word_character(token[0]); }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)); }

// Words, literals and single characters; comments and directives are gone. `extern "C"` is one token.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  std::vector<std::string_view> all() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '\n') starts_line_ = true;
    if (is_blank(c)) {
      ++at_;
    } else if (starts("//")) {
      skip_to_line_end();
    } else if (starts("/*")) {
      const size_t end = text_.find("*/", at_ + 2);
      at_ = end == text_.npos ? text_.size() : end + 2;
    } else if (c == '#' && starts_line_) {
      directive();
    } else {
      starts_line_ = false;
      token();
    }
  }

  void token() {
    const size_t start = at_;
    if (is_word_character(text_[at_])) {
      while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    } else if (text_[at_] == '"' || text_[at_] == '\'') {
      literal();
    } else {
      ++at_;
    }
    const std::string_view found = text_.substr(start, at_ - start);
    if (skipping_ > 0) return;
    if (found == "\"C\"" && !tokens_.empty() && tokens_.back() == "extern")
      tokens_.back() = kExternC;
    else
      tokens_.push_back(found);
  }

  void literal() {
    if (at_ > 0 && text_[at_] == '"' && text_[at_ - 1] == 'R') return raw_literal();
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
  }

  // R"end(...)end"
  void raw_literal() {
    const size_t open = text_.find('(', at_);
    if (open == text_.npos) return void(at_ = text_.size());
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t end = text_.find(close, open);
    at_ = end == text_.npos ? text_.size() : end + close.size();
  }

  // Keeps the branch of each #if that is read.
  void directive() {
    const size_t start = at_;
    skip_to_line_end();
    std::string_view line = text_.substr(start + 1, at_ - start - 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const auto begins = [&](std::string_view word) {
      return line.starts_with(word) && (line.size() == word.size() || !is_word_character(line[word.size()]));
    };
    if (begins("if") || begins("ifdef") || begins("ifndef")) {
      std::string_view condition = line.substr(2);
      condition.remove_prefix(std::min(condition.find_first_not_of(" \t"), condition.size()));
      const bool never =
          begins("if") && condition.starts_with('0') && (condition.size() == 1 || !is_word_character(condition[1]));
      branches_.push_back({.skipped = never, .read_one = !never});
      skipping_ += never;
    } else if ((begins("else") || begins("elif")) && !branches_.empty()) {
      Branch& branch = branches_.back();
      skipping_ -= branch.skipped;
      branch.skipped = branch.read_one;
      branch.read_one = true;
      skipping_ += branch.skipped;
    } else if (begins("endif") && !branches_.empty()) {
      skipping_ -= branches_.back().skipped;
      branches_.pop_back();
    }
  }

  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void skip_to_line_end() {
    while (at_ < text_.size() && text_[at_] != '\n') at_ += text_[at_] == '\\' && at_ + 1 < text_.size() ? 2 : 1;
    at_ = std::min(at_, text_.size());
  }

  struct Branch {
    bool skipped = false, read_one = false;
  };

 public:
  static constexpr std::string_view kExternC = "extern C";

 private:
  std::string_view text_;
  size_t at_ = 0;
  bool starts_line_ = true;
  int skipping_ = 0;
  std::vector<Branch> branches_;
  std::vector<std::string_view> tokens_;
};

using Words = std::span<const std::string_view>;

bool has(Words words, std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); }

// Behind the bracket that closes the one at `open`.
size_t behind_bracket(Words tokens, size_t open, std::string_view opening, std::string_view closing) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i] == opening) ++depth;
    if (tokens[i] == closing && --depth == 0) return i + 1;
  }
  return tokens.size();
}

std::string name_of_parameter(Words words) {
  words = words.first(size_t(std::find(words.begin(), words.end(), "=") - words.begin()));
  const auto is_type = [](std::string_view word) {
    constexpr std::array kTypes{"int",    "char", "short",    "long",   "float",
                                "double", "bool", "unsigned", "signed", "const"};
    return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end();
  };
  // In `float x[4]` the name stands before the bracket.
  const auto bracket = std::find(words.begin(), words.end(), "[");
  words = words.first(size_t(bracket - words.begin()));
  if (words.size() < 2 || !is_word(words.back()) || is_type(words.back())) return "";
  return std::string(words.back());
}

std::vector<std::string> names_of_parameters(Words list) {
  std::vector<std::string> names;
  if (list.empty() || (list.size() == 1 && list[0] == "void")) return names;
  int depth = 0;
  size_t start = 0;
  for (size_t i = 0; i <= list.size(); ++i) {
    if (i == list.size() || (list[i] == "," && depth == 0)) {
      names.push_back(name_of_parameter(list.subspan(start, i - start)));
      start = i + 1;
      continue;
    }
    if (list[i] == "(" || list[i] == "<" || list[i] == "[" || list[i] == "{") ++depth;
    if (list[i] == ")" || list[i] == ">" || list[i] == "]" || list[i] == "}") --depth;
  }
  return names;
}

// Words that have brackets of their own before or behind the list of parameters.
bool takes_brackets(std::string_view word) {
  constexpr std::array kWords{"__launch_bounds__", "__attribute__", "__cluster_dims__", "__maxnreg__", "__block_size__",
                              "noexcept",          "alignas",       "decltype",         "__declspec",  "requires"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

class Reader {
 public:
  Reader(std::vector<std::string_view> tokens, const std::vector<std::string>& also)
      : tokens_(std::move(tokens)), also_(also) {}

  std::vector<SourceFunction> read() {
    size_t start = 0;  // of the declaration
    for (size_t i = 0; i < tokens_.size();) {
      const std::string_view token = tokens_[i];
      if (token == ";") {
        start = ++i;
      } else if (token == "(") {
        i = behind_bracket(tokens_, i, "(", ")");
      } else if (token == "}") {
        if (!scopes_.empty()) scopes_.pop_back();
        start = ++i;
      } else if (token == "{") {
        i = open_brace(start, i);
        start = i;
      } else {
        ++i;
      }
    }
    return std::move(found_);
  }

 private:
  struct Scope {
    std::string name;       // of a namespace
    bool extern_c = false;  // extern "C" { ... }
  };

  // What stands before a brace says what it opens. Returns where to read on.
  size_t open_brace(size_t start, size_t brace) {
    const Words head = Words(tokens_).subspan(start, brace - start);
    if (has(head, "namespace") && !has(head, "(")) {
      std::string name;
      for (auto word = std::find(head.begin(), head.end(), "namespace") + 1; word != head.end(); ++word) name += *word;
      scopes_.push_back({name, false});
      return brace + 1;
    }
    if (head.size() == 1 && head[0] == Tokens::kExternC) {
      scopes_.push_back({"", true});
      return brace + 1;
    }
    if (auto function = function_of(head)) found_.push_back(std::move(*function));
    return behind_bracket(tokens_, brace, "{", "}");
  }

  std::optional<SourceFunction> function_of(Words head) const {
    const bool kernel = has(head, "__global__");
    const bool extern_c = has(head, Tokens::kExternC) ||
                          std::any_of(scopes_.begin(), scopes_.end(), [](const Scope& s) { return s.extern_c; });
    const bool of_host = !has(head, "__device__") || has(head, "__host__");
    const bool offered = extern_c && of_host && !has(head, "static");
    if (!kernel && !offered && (!of_host || also_.empty())) return std::nullopt;
    for (size_t i = 1; i < head.size(); ++i) {
      if (head[i] != "(") continue;
      const size_t end = behind_bracket(head, i, "(", ")");
      if (is_word(head[i - 1]) && !takes_brackets(head[i - 1])) {
        SourceFunction function{qualified(head[i - 1]), kernel, has(head, "template"),
                                names_of_parameters(head.subspan(i + 1, end - i - 2))};
        const bool named = std::find(also_.begin(), also_.end(), function.name) != also_.end();
        return kernel || offered || named ? std::optional(std::move(function)) : std::nullopt;
      }
      i = end - 1;
    }
    return std::nullopt;
  }

  std::string qualified(std::string_view name) const {
    std::string out;
    for (const Scope& scope : scopes_)
      if (!scope.name.empty()) out += scope.name + "::";
    return out + std::string(name);
  }

  std::vector<std::string_view> tokens_;
  const std::vector<std::string>& also_;
  std::vector<Scope> scopes_;
  std::vector<SourceFunction> found_;
};

}  // namespace

std::vector<SourceFunction> functions_in(std::string_view source, const std::vector<std::string>& also) {
  std::vector<SourceFunction> found = Reader(Tokens(source).all(), also).read();
  for (const std::string& name : also)
    if (std::none_of(found.begin(), found.end(), [&](const SourceFunction& f) { return f.name == name; }))
      found.push_back({.name = name});
  return found;
}

}  // namespace warpwise::capi
