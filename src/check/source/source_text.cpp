#include "check/source/source_text.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
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
      if (c == '\n')
        at_line_start_ = true, ++at_;
      else if (std::isspace(static_cast<unsigned char>(c)))
        ++at_;
      else if (c == '#' && at_line_start_)
        directive();
      else if (text_.compare(at_, 2, "//") == 0)
        skip_to("\n");
      else if (text_.compare(at_, 2, "/*") == 0)
        skip_to("*/"), at_ += 2;
      else if (c == '"' || c == '\'')
        skip_literal(c);
      else
        return begin_ = at_, word();
    }
    return "";
  }
  // Where the last word begins.
  size_t offset() const { return begin_; }
  // Of a place, both from 1; npos: the text has no such line.
  size_t offset_of(uint32_t line, uint32_t column) const {
    size_t at = 0;
    for (; line > 1 && at != std::string::npos; --line) at = text_.find('\n', at), at += at != std::string::npos;
    return at == std::string::npos ? at : at + column - 1;
  }
  // A macro that has been defined in this text, with a `return` in it.
  bool is_returning_macro(const std::string& word) const { return returning_macros_.contains(word); }

  static bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

 private:
  std::string word() {
    at_line_start_ = false;
    const size_t begin = at_++;
    if (is_name(text_[begin]))
      while (at_ < text_.size() &&
             (is_name(text_[at_]) || (text_[at_] == '\'' && std::isdigit(static_cast<unsigned char>(text_[begin])))))
        ++at_;
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

  // Of the preprocessor, with the lines that a backslash adds.
  void directive() {
    const size_t begin = at_ + 1;
    do skip_to("\n");
    while (at_ < text_.size() && text_[at_ - 1] == '\\' && ++at_);
    Words words(text_.substr(begin, at_ - begin));
    if (words.next() != "define") return;
    const std::string name = words.next();
    for (std::string word; !(word = words.next()).empty();)
      if (word == "return") returning_macros_.insert(name);
  }

  std::string text_;
  std::set<std::string> returning_macros_;
  size_t at_ = 0, begin_ = 0;
  bool at_line_start_ = true;
};

// What a statement's first words say of what stands in it.
struct Statement {
  bool conditional = false, loop = false;

  void add(const std::string& word) {
    const bool is_loop = word == "for" || word == "while" || word == "do";
    loop |= is_loop;
    conditional |= is_loop || word == "if" || word == "else" || word == "switch";
  }
};

// Namespaces and classes open braces as functions do; those of functions follow a list of parameters. What begins so:
//
//     template <class T> __global__ void k(T* x) {        a body
//     struct __align__(8) pair {                          none
//
// `head` are the words since the last statement outside of all bodies has ended.
bool begins_body(const std::vector<std::string>& head) {
  size_t first = 0;
  if (!head.empty() && head[0] == "template") {
    int angles = 0;
    for (first = 1; first < head.size(); ++first) {
      angles += head[first] == "<" ? 1 : head[first] == ">" ? -1 : 0;
      if (angles == 0) break;
    }
    ++first;
  }
  if (first >= head.size()) return false;
  for (const char* scope : {"struct", "class", "union", "enum", "namespace"})
    if (head[first] == scope) return false;
  return std::find(head.begin(), head.end(), "(") != head.end();
}

// Is this the body of the place's function? Clang's optimised code keeps of what was inlined the line alone. Functions
// are named with their parameters and template arguments, but for those that are extern "C".
bool is_head_of(const std::vector<std::string>& head, const std::string& function) {
  for (size_t i = 1; i < head.size(); ++i) {
    if (head[i] != "(") continue;
    const std::string& name = head[i - 1];
    for (size_t at = function.find(name); at != std::string::npos; at = function.find(name, at + 1)) {
      const size_t end = at + name.size();
      const bool ends = end == function.size() || function[end] == '(' || function[end] == '<';
      if (ends && (at == 0 || !Words::is_name(function[at - 1]))) return true;
    }
  }
  return false;
}

// The body of a function, as far as braces show.
struct Body {
  static constexpr size_t kNone = std::string::npos;
  struct Brace {
    size_t begin, end = kNone;    // in the text
    size_t around;                // index; kNone: the body's own
    Statement statement;          // that it is the body of
    std::vector<size_t> returns;  // directly in it
  };
  std::vector<Brace> braces;
  size_t at = 0;         // the place
  size_t innermost = 0;  // brace around it
  Statement statement;   // that it stands in, without a brace of its own

  bool is_in(size_t place, size_t brace) const { return place > braces[brace].begin && place < braces[brace].end; }

  bool is_conditional() const {
    bool conditional = statement.conditional;
    for (size_t brace = innermost; brace != kNone; brace = braces[brace].around)
      conditional |= braces[brace].statement.conditional;
    return conditional;
  }
  // Before the place, or behind it in a loop that goes round.
  bool may_have_returned() const {
    size_t until = at;
    for (size_t brace = innermost; brace != kNone; brace = braces[brace].around)
      if (braces[brace].statement.loop) until = braces[brace].end;
    for (const Brace& brace : braces)
      for (const size_t place : brace.returns)
        if (place < until) return true;
    return false;
  }
};

// The body of the place's function; nothing where the text has none.
std::optional<Body> body_around(const SourcePlace& place) {
  if (place.line == 0 || place.column == 0) return std::nullopt;
  std::ifstream file(place.file);
  std::stringstream text;
  text << file.rdbuf();
  Words words(text.str());
  Body body;
  body.at = words.offset_of(place.line, place.column);
  if (body.at == std::string::npos) return std::nullopt;

  std::vector<std::string> head;  // of the body, or so far
  size_t open = Body::kNone;      // the innermost brace
  Statement statement;
  unsigned parentheses = 0;
  bool found = false;
  for (std::string word; !(word = words.next()).empty();) {
    if (!found && words.offset() >= body.at) {
      if (open == Body::kNone || !is_head_of(head, place.function)) return std::nullopt;
      found = true;
      body.innermost = open, body.statement = statement;
    }
    if (open == Body::kNone) {
      if (word == "{" && begins_body(head)) {
        body.braces = {{words.offset(), Body::kNone, Body::kNone, {}, {}}};
        open = 0, statement = {}, parentheses = 0;
      } else if (word == "{" || word == "}" || word == ";") {
        head.clear();
      } else {
        head.push_back(word);
      }
      continue;
    }
    if (word == "return" || words.is_returning_macro(word))
      body.braces[open].returns.push_back(words.offset());
    else if (word == "(")
      ++parentheses;
    else if (word == ")" && parentheses > 0)
      --parentheses;
    else if (word == "{")
      body.braces.push_back({words.offset(), Body::kNone, open, statement, {}}), open = body.braces.size() - 1,
                                                                                 statement = {};
    else if (word == "}") {
      body.braces[open].end = words.offset();
      open = body.braces[open].around, statement = {};
      if (open == Body::kNone && found) return body;
      if (open == Body::kNone) head.clear();
    } else if (word == ";" && parentheses == 0)
      statement = {};
    else
      statement.add(word);
  }
  return std::nullopt;
}

}  // namespace

bool is_conditional_without_return(const std::vector<SourcePlace>& places) {
  bool conditional = false;
  for (const SourcePlace& place : places) {
    const std::optional<Body> body = body_around(place);
    if (!body || body->may_have_returned()) return false;
    conditional = conditional || body->is_conditional();
  }
  return conditional;
}

bool leaves_loop_to_return(const std::vector<SourcePlace>& places, const SourcePlace& end) {
  const auto inside = std::find_if(places.begin(), places.end(), [&](const SourcePlace& p) {
    return p.file == end.file && p.function == end.function;
  });
  const std::optional<Body> body = body_around(end),
                            loops = inside == places.end() ? std::nullopt : body_around(*inside);
  if (!body || !loops || body->braces.front().begin != loops->braces.front().begin) return false;
  const Body::Brace& last = body->braces[body->innermost];
  if (body->is_in(loops->at, body->innermost)) return false;
  if (std::none_of(last.returns.begin(), last.returns.end(), [&](size_t at) { return at > body->at; })) return false;
  for (size_t brace = last.around; brace != Body::kNone; brace = body->braces[brace].around)
    if (body->braces[brace].statement.loop && body->is_in(loops->at, brace)) return true;
  return false;
}

std::string name_at(const SourcePlace& place) {
  std::ifstream file(place.file);
  std::string line;
  for (uint32_t n = 0; n < place.line; ++n)
    if (!std::getline(file, line)) return "";
  if (place.column == 0 || place.column > line.size()) return "";
  const auto begin = line.begin() + (place.column - 1);
  if (std::isdigit(static_cast<unsigned char>(*begin))) return "";
  return std::string(begin, std::find_if_not(begin, line.end(), Words::is_name));
}

}  // namespace warpwise::check
