#include "toolchain/nvcc_spelling.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/words.h"

namespace warpwise::toolchain {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Speller {
 public:
  explicit Speller(std::string_view source) : text_(source) {}

  std::optional<std::string> run() {
    while (at_ < text_.size()) step();
    return changed_ ? std::optional(std::move(text_)) : std::nullopt;
  }

 private:
  bool here(std::string_view what) const { return text_.compare(at_, what.size(), what) == 0; }
  void skip_past(std::string_view end) {
    const size_t found = text_.find(end, at_);
    at_ = found == text_.npos ? text_.size() : found + end.size();
  }

  void step() {
    const char c = text_[at_];
    if (here("//")) return skip_past("\n");
    if (here("/*")) return at_ += 2, skip_past("*/");
    if (c == '"') return string();
    if (c == '\'' && !after_word_) return quoted('\'');
    if (is_blank(c)) return void(++at_), void(after_word_ = false);
    if (is_word_character(c)) return word();
    if (c == '<' && opens()) return;
    if (c == '>' && closes()) return;
    if (c == '(') ++depth_;
    if (c == ')') --depth_;
    ++at_;
    after_word_ = after_operator_ = false;
  }

  void word() {
    const size_t start = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    const std::string_view name = std::string_view(text_).substr(start, at_ - start);
    after_word_ = true;  // 1'000'000
    after_operator_ = name == "operator";
    raw_ = name.ends_with('R');
    if (name == "extern" && defines_shared()) {
      std::fill_n(text_.begin() + ptrdiff_t(start), name.size(), ' ');
      changed_ = true;
    }
  }

  // Behind `extern`: whether a shared variable is declared that has its size.
  bool defines_shared() const {
    bool shared = false;
    int depth = 0;  // in parentheses of attributes
    for (size_t i = at_; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == '(') ++depth;
      if (c == ')' && --depth < 0) return false;
      if (depth > 0) continue;
      if (c == '"' || c == '{') return false;
      if (c == ';' || c == ',') return shared;
      if (c == '[') {
        do ++i;
        while (i < text_.size() && is_blank(text_[i]));
        return shared && i < text_.size() && text_[i] != ']';
      }
      constexpr std::string_view kShared = "__shared__";
      if (!is_word_character(text_[i - 1]) && text_.compare(i, kShared.size(), kShared) == 0) shared = true;
    }
    return false;
  }

  void string() {
    if (!raw_ || !after_word_) return quoted('"');
    const size_t open = text_.find('(', at_);
    if (open == text_.npos) return void(at_ = text_.size());
    std::string end = text_.substr(at_, open - at_);  // "delimiter
    end.front() = ')';
    skip_past(end += '"');
  }

  void quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
    after_word_ = false;
    if (quote == '"' && here("__")) part();
  }

  // A literal and the macro that follows it.
  void part() {
    text_.insert(at_++, 1, ' ');
    changed_ = true;
  }

  // `at_` is at the first of three brackets that may have blanks before the third. Puts them together, and the blanks
  // behind.
  bool join(char bracket) {
    const char two[] = {bracket, bracket};
    if (!here({two, 2})) return false;
    size_t third = at_ + 2;
    while (third < text_.size() && is_blank(text_[third])) ++third;
    if (third == text_.size() || text_[third] != bracket) return false;
    if (third > at_ + 2) {
      std::rotate(text_.begin() + ptrdiff_t(at_ + 2), text_.begin() + ptrdiff_t(third),
                  text_.begin() + ptrdiff_t(third + 1));
      changed_ = true;
    }
    at_ += 3;
    after_word_ = false;
    return true;
  }
  bool opens() {
    if (after_operator_ || !join('<')) return false;
    open_.push_back(depth_);
    return true;
  }
  bool closes() {
    // Of a launch that is open, and not inside of parentheses within it.
    if (open_.empty() || open_.back() != depth_ || !join('>')) return false;
    open_.pop_back();
    return true;
  }

  std::string text_;
  size_t at_ = 0;
  int depth_ = 0;
  std::vector<int> open_;  // depths at which launches began
  bool after_word_ = false, after_operator_ = false, raw_ = false, changed_ = false;
};

}  // namespace

std::optional<std::string> spelled_for_clang(std::string_view source) { return Speller(source).run(); }

}  // namespace warpwise::toolchain
