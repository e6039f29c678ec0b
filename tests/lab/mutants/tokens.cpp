#include "lab/mutants/tokens.h"

#include <cctype>

namespace warpwise::mutants {
namespace {

// Longest first.
constexpr std::string_view kSigns[] = {
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "<<", ">>", "<=", ">=", "==", "!=", "&&",
    "||",  "++",  "--",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "->", "::"};

bool starts_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool continues_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  std::vector<Token> read() {
    while (skip_to_token()) take();
    return std::move(tokens_);
  }

 private:
  char at(size_t offset) const { return offset < source_.size() ? source_[offset] : '\0'; }

  void advance(size_t bytes) {
    for (; bytes != 0 && at_ < source_.size(); --bytes, ++at_) {
      if (source_[at_] == '\n')
        ++line_, column_ = 1, line_is_empty_ = true;
      else
        ++column_;
    }
  }

  // The end of the line at `from`, where a backslash continues it.
  size_t line_end(size_t from) const {
    size_t end = from;
    while (end < source_.size() && (source_[end] != '\n' || (end > 0 && source_[end - 1] == '\\'))) ++end;
    return end;
  }

  // False at the end of the source.
  bool skip_to_token() {
    while (at_ < source_.size()) {
      const std::string_view rest = source_.substr(at_);
      if (std::isspace(static_cast<unsigned char>(rest[0]))) {
        advance(1);
      } else if (rest.starts_with("//")) {
        advance(line_end(at_) - at_);
      } else if (rest.starts_with("/*")) {
        const size_t end = source_.find("*/", at_ + 2);
        advance(end == source_.npos ? rest.size() : end + 2 - at_);
      } else if (rest[0] == '#' && line_is_empty_) {
        advance(line_end(at_) - at_);
      } else {
        return true;
      }
    }
    return false;
  }

  void take() {
    const std::string_view rest = source_.substr(at_);
    TokenKind kind = TokenKind::Sign;
    size_t length = 1;
    if (starts_word(rest[0])) {
      kind = TokenKind::Word;
      while (continues_word(at(at_ + length))) ++length;
    } else if (is_digit(rest[0]) || (rest[0] == '.' && is_digit(at(at_ + 1)))) {
      kind = TokenKind::Number;
      for (char c = at(at_ + length);
           continues_word(c) || c == '.' || ((c == '+' || c == '-') && exponent_ends(at_, length));
           c = at(at_ + length))
        ++length;
    } else if (rest[0] == '"' || rest[0] == '\'') {
      kind = TokenKind::Text;
      while (length < rest.size() && rest[length] != rest[0]) length += rest[length] == '\\' ? 2 : 1;
      length = std::min(length + 1, rest.size());
    } else {
      for (std::string_view sign : kSigns)
        if (rest.starts_with(sign)) {
          length = sign.size();
          break;
        }
    }
    Token token;
    token.kind = kind;
    token.text = rest.substr(0, length);
    token.begin = at_, token.line = line_, token.column = column_;
    tokens_.push_back(token);
    line_is_empty_ = false;
    advance(length);
  }

  // Whether the sign after the number's first `length` bytes belongs to its exponent: 1e-5f.
  bool exponent_ends(size_t number, size_t length) const {
    const char last = source_[number + length - 1];
    const bool hexadecimal = at(number) == '0' && (at(number + 1) | 0x20) == 'x';
    return !hexadecimal && (last == 'e' || last == 'E');
  }

  const std::string_view source_;
  size_t at_ = 0;
  unsigned line_ = 1, column_ = 1;
  bool line_is_empty_ = true;
  std::vector<Token> tokens_;
};

// Marks the bodies of functions. A head is what stands before a brace outside of any body.
void mark_bodies(std::vector<Token>& tokens) {
  size_t head = 0, functions = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text == ";" || tokens[i].text == "}") head = i + 1;
    if (tokens[i].text != "{") continue;
    bool device = false, parameters = false, initialiser = false;
    for (size_t k = head; k < i; ++k) {
      device |= tokens[k].text == "__global__" || tokens[k].text == "__device__";
      parameters |= tokens[k].text == "(";
      initialiser |= tokens[k].text == "=" && !parameters;
    }
    if (parameters && !initialiser) {
      ++functions;
      const size_t end = closing(tokens, i);
      for (size_t k = i; k < end; ++k)
        tokens[k].body = device ? Body::Device : Body::Host, tokens[k].function = functions;
      i = end;
    } else if (initialiser) {
      i = closing(tokens, i);
      continue;
    }
    head = i + 1;
  }
}

}  // namespace

std::vector<Token> tokens_of(std::string_view source) {
  std::vector<Token> tokens = Reader(source).read();
  mark_bodies(tokens);
  return tokens;
}

size_t closing(const std::vector<Token>& tokens, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == "]" || text == "}")
      if (--depth == 0) return i;
  }
  return tokens.size();
}

}  // namespace warpwise::mutants
