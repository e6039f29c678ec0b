#include "check/source_text.h"

#include <cctype>
#include <fstream>
#include <string>
#include <vector>

namespace warpwise::check {
namespace {

// The words and brackets of a piece of C++, without comments, literals and preprocessor lines.
class Words {
 public:
  explicit Words(std::string text) : text_(std::move(text)) {}

  // The next word, or one character; empty at the end.
  std::string next() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') at_line_start_ = true, ++at_;
      else if (std::isspace(static_cast<unsigned char>(c))) ++at_;
      else if (c == '#' && at_line_start_) skip_to("\n");
      else if (text_.compare(at_, 2, "//") == 0) skip_to("\n");
      else if (text_.compare(at_, 2, "/*") == 0) skip_to("*/"), at_ += 2;
      else if (c == '"' || c == '\'') skip_literal(c);
      else return word();
    }
    return "";
  }

 private:
  static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  std::string word() {
    at_line_start_ = false;
    const size_t begin = at_++;
    if (is_name(text_[begin]))
      while (at_ < text_.size() && (is_name(text_[at_]) || (text_[at_] == '\'' && std::isdigit(static_cast<unsigned char>(text_[begin]))))) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  void skip_to(const char* end) {
    at_ = text_.find(end, at_);
    if (at_ == std::string::npos) at_ = text_.size();
  }
  void skip_literal(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }

  std::string text_;
  size_t at_ = 0;
  bool at_line_start_ = true;
};

}  // namespace

bool is_conditional_without_return(const SourcePlace& function, const SourcePlace& place) {
  if (function.file != place.file || function.line == 0 || place.line < function.line || place.column == 0) return false;
  std::ifstream file(place.file);
  std::string text, line;
  for (uint32_t number = 1; number <= place.line && std::getline(file, line); ++number) {
    if (number < function.line) continue;
    text += number == place.line ? line.substr(0, place.column - 1) : line;
    text += '\n';
  }
  // For each open brace of the body: does it belong to a condition? And for the statement that has begun.
  std::vector<bool> braces;
  bool statement = false;
  unsigned parentheses = 0;
  Words words(std::move(text));
  for (std::string word; !(word = words.next()).empty();) {
    if (word == "return") return false;
    if (word == "if" || word == "else" || word == "for" || word == "while" || word == "do" || word == "switch") statement = true;
    else if (word == "(") ++parentheses;
    else if (word == ")" && parentheses > 0) --parentheses;
    else if (word == "{") braces.push_back(statement), statement = false;
    else if (word == "}" && !braces.empty()) braces.pop_back(), statement = false;
    else if (word == ";" && parentheses == 0) statement = false;
  }
  bool conditional = statement;
  for (bool of_condition : braces) conditional = conditional || of_condition;
  return conditional && !braces.empty();
}

}  // namespace warpwise::check
