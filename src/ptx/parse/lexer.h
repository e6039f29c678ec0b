// Text to tokens. A token is a view into the source; nothing is copied and nothing is allocated.
//
// Comments and lines that begin with `#` (left by a preprocessor) are skipped. A word with dots is several tokens
// (`%tid` `.x`). The exception is an opcode, which the parser reads as a whole (opcode()): with `fma.rn.f32` as one key
// one look-up finds the row.
#pragma once

#include <string_view>

#include "base/source.h"

namespace warpwise::ptx {

struct Token {
  enum class Kind : uint8_t {
    End,
    Word,         // add, %r1, $L__BB0_1, _
    Dot,          // .global, .x, .L2::cache_hint: a dot and what belongs to it
    Number,       // 12, 0x1F, 0f3F800000, 1.5e3
    String,       // "with its quotes"
    Punctuation,  // one character, or << >> <= >= == != && ||
    Bad,          // a character that PTX does not use, an unterminated string or comment
  };
  Kind kind = Kind::End;
  std::string_view text;

  bool is(char c) const { return kind == Kind::Punctuation && text.size() == 1 && text[0] == c; }
  bool is(std::string_view word) const { return text == word && kind != Kind::String && kind != Kind::Bad; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();
  // After a Word: the dots that follow it without a gap, as one view that begins with the word.
  std::string_view opcode(std::string_view word);
  // The next character that is neither space nor comment, '\0' at the end; nothing is consumed.
  char peek();
  // The character after what peek() returned.
  char peek_second();
  // Skips to the end of the line: `@@DWARF` lines of old compilers.
  void skip_line();

  std::string_view rest() const { return text_.substr(at_); }
  size_t position() const { return at_; }
  void set_position(size_t at) { at_ = at; }

 private:
  bool skip_space();
  Token number();
  Token string();
  size_t dot_word_end(size_t from) const;

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace warpwise::ptx
