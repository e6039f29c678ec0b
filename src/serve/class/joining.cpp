#include "serve/class/joining.h"

#include <algorithm>
#include <optional>

#include "base/json.h"

namespace warpwise::serve {

namespace {

constexpr size_t kMostTyped = 128;

// What is missing is "".
std::optional<std::string> typed(const nlohmann::json& body, const char* name) {
  const auto at = body.find(name);
  if (at == body.end()) return "";
  if (!at->is_string() || at->get_ref<const std::string&>().size() > kMostTyped) return std::nullopt;
  return at->get<std::string>();
}

bool is_ascii_letter_or_digit(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
// Letters of other scripts. Left out: punctuation and what is invisible or turns the direction of text (2000 to 206F),
// forms of other characters (FE00 and above, but for syllables), private use, and everything beyond the first plane but
// ideographs.
bool is_letter_of_another_script(char32_t c) {
  const bool latin_to_indic = c >= 0xC0 && c < 0x2000 && c != 0xD7 && c != 0xF7 && c != 0x34F && c != 0x61C &&
                              c != 0x115F && c != 0x1160 && c != 0x1680 && c != 0x17B4 && c != 0x17B5 && c != 0x180E;
  const bool east_asian = (c >= 0x3041 && c < 0xD7A4 && c != 0x3164) || (c >= 0xF900 && c < 0xFB00);
  return latin_to_indic || east_asian || (c >= 0x20000 && c < 0x32000);
}

// The next character of text in UTF-8; nothing where it is none, or is longer than it need be.
std::optional<char32_t> next_character(std::string_view& text) {
  const auto first = (unsigned char)text[0];
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  if (length == 0 || length > text.size()) return std::nullopt;
  char32_t character = length == 1 ? first : first & (0xFFu >> (length + 1));
  for (size_t n = 1; n < length; ++n) {
    const auto byte = (unsigned char)text[n];
    if ((byte & 0xC0) != 0x80) return std::nullopt;
    character = character << 6 | (byte & 0x3F);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (character < kLeast[length] || (character >= 0xD800 && character < 0xE000)) return std::nullopt;
  text.remove_prefix(length);
  return character;
}

}  // namespace

Result<JoinRequest> join_request_in(std::string_view text, std::string peer) {
  const auto body = parse_json<nlohmann::json>(text);
  if (!body.is_object()) return Error{"W0005", "the request has no code and no nickname"};
  const auto code = typed(body, "code"), nickname = typed(body, "nickname"), back = typed(body, "return_code");
  if (!code || !nickname || !back) return Error{"W0005", "code and nickname are short texts"};
  return JoinRequest{.code = *code, .nickname = *nickname, .return_code = *back, .peer = std::move(peer)};
}

bool is_class_name(std::string_view name) {
  return !name.empty() && name.size() <= 32 && std::all_of(name.begin(), name.end(), [](char c) {
    return is_ascii_letter_or_digit((unsigned char)c) || c == '-' || c == '_';
  });
}

bool is_nickname(std::string_view name) {
  size_t count = 0;
  char32_t last = 0;
  while (!name.empty()) {
    const auto c = next_character(name);
    if (!c) return false;
    const bool letter = is_ascii_letter_or_digit(*c) || is_letter_of_another_script(*c);
    const bool between = count > 0 && (*c == ' ' || *c == '-' || *c == '_' || *c == '.');
    if (!letter && !between) return false;
    if (*c == ' ' && last == ' ') return false;
    last = *c, ++count;
  }
  return count > 0 && count <= kMostLettersOfName && last != ' ' && last != '.';
}

std::string code_as_typed(std::string_view text) {
  std::string code;
  for (const char c : text)
    if (c != ' ' && c != '-') code += c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
  return code;
}

}  // namespace warpwise::serve
