#include "ptx/parse/lexer.h"

#include <array>

namespace warpwise::ptx {
namespace {

enum : uint8_t { kSpace = 1, kDigit = 2, kStart = 4, kWord = 8, kHex = 16 };

constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> c{};
  for (unsigned char s : {' ', '\t', '\n', '\r', '\f', '\v'}) c[s] = kSpace;
  for (int d = '0'; d <= '9'; ++d) c[d] = kDigit | kWord | kHex;
  for (int l = 'a'; l <= 'z'; ++l) c[l] = c[l - 32] = kStart | kWord;
  for (int l = 'a'; l <= 'f'; ++l) c[l] |= kHex, c[l - 32] |= kHex;
  c['_'] = c['$'] = kStart | kWord;
  c['%'] = kStart;
  return c;
}();

bool is(char c, uint8_t cls) { return kClasses[static_cast<unsigned char>(c)] & cls; }

}  // namespace

// False when a comment does not end.
bool Lexer::skip_space() {
  for (;;) {
    while (at_ < text_.size() && is(text_[at_], kSpace)) ++at_;
    if (at_ >= text_.size()) return true;
    if (text_[at_] == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      skip_line();
    } else if (text_[at_] == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
      size_t end = text_.find("*/", at_ + 2);
      if (end == text_.npos) return false;
      at_ = end + 2;
    } else if (text_[at_] == '#') {
      skip_line();
    } else {
      return true;
    }
  }
}

void Lexer::skip_line() {
  size_t end = text_.find('\n', at_);
  at_ = end == text_.npos ? text_.size() : end + 1;
}

char Lexer::peek() {
  skip_space();
  return at_ < text_.size() ? text_[at_] : '\0';
}

char Lexer::peek_second() { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

// `.word`, with `::word` any number of times.
size_t Lexer::dot_word_end(size_t from) const {
  size_t end = from + 1;
  for (;;) {
    while (end < text_.size() && is(text_[end], kWord)) ++end;
    if (end + 2 < text_.size() && text_[end] == ':' && text_[end + 1] == ':' && is(text_[end + 2], kWord)) {
      end += 2;
    } else {
      return end;
    }
  }
}

std::string_view Lexer::opcode(std::string_view word) {
  size_t begin = static_cast<size_t>(word.data() - text_.data());
  size_t end = begin + word.size();
  while (end + 1 < text_.size() && text_[end] == '.' && is(text_[end + 1], kWord)) end = dot_word_end(end);
  at_ = end;
  return text_.substr(begin, end - begin);
}

// 0x… 0b… 0f… 0d… and decimal, with or without fraction, exponent and the suffix U. Whether it is well
// formed is decided where its value is read (constants.h).
Token Lexer::number() {
  size_t begin = at_;
  bool prefixed = text_[at_] == '0' && at_ + 1 < text_.size() && is(text_[at_ + 1], kStart) && text_[at_ + 1] != 'e' &&
                  text_[at_ + 1] != 'E';
  for (++at_; at_ < text_.size(); ++at_) {
    char c = text_[at_];
    if (is(c, kWord)) continue;
    if (!prefixed && c == '.' && (at_ + 1 >= text_.size() || !is(text_[at_ + 1], kStart))) continue;
    if (!prefixed && (c == '+' || c == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E')) continue;
    break;
  }
  return {Token::Kind::Number, text_.substr(begin, at_ - begin)};
}

Token Lexer::string() {
  size_t begin = at_++;
  while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
    if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
    ++at_;
  }
  bool ended = at_ < text_.size() && text_[at_] == '"';
  if (ended) ++at_;
  return {ended ? Token::Kind::String : Token::Kind::Bad, text_.substr(begin, std::min(at_, text_.size()) - begin)};
}

Token Lexer::next() {
  if (!skip_space()) {
    Token bad{Token::Kind::Bad, text_.substr(at_, 2)};
    at_ = text_.size();
    return bad;
  }
  if (at_ >= text_.size()) return {Token::Kind::End, text_.substr(text_.size())};
  char c = text_[at_];
  size_t begin = at_;
  if (is(c, kStart)) {
    ++at_;
    while (at_ < text_.size() && is(text_[at_], kWord)) ++at_;
    return {Token::Kind::Word, text_.substr(begin, at_ - begin)};
  }
  if (is(c, kDigit)) return number();
  if (c == '"') return string();
  char second = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (c == '.' && is(second, kDigit) && !(at_ + 2 < text_.size() && is(text_[at_ + 2], kStart))) return number();
  if (c == '.' && is(second, kWord)) {
    at_ = dot_word_end(at_);
    return {Token::Kind::Dot, text_.substr(begin, at_ - begin)};
  }
  static constexpr std::string_view kDouble[] = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "@@"};
  for (std::string_view d : kDouble) {
    if (c != d[0] || second != d[1]) continue;
    at_ += 2;
    return {Token::Kind::Punctuation, text_.substr(begin, 2)};
  }
  ++at_;
  static constexpr std::string_view kSingle = "()[]{}<>,;:@!|&^~?=+-*/";
  auto kind = kSingle.find(c) != kSingle.npos ? Token::Kind::Punctuation : Token::Kind::Bad;
  return {kind, text_.substr(begin, 1)};
}

}  // namespace warpwise::ptx
