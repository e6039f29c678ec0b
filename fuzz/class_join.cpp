// What someone who is not known yet sends to join a class. Whatever it is, a name that is let in can be a folder's name
// and stand in a table, and a code says nothing but letters.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "serve/class/joining.h"

using namespace warpwise::serve;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kMostTyped = 128, kMostBytesOfName = 24 * 4;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto asks = join_request_in(text, "192.168.1.7")) {
    for (const std::string* typed : {&asks->code, &asks->nickname, &asks->return_code})
      if (typed->size() > kMostTyped) std::abort();
    (void)is_nickname(asks->nickname);
  }
  if (is_nickname(text)) {
    if (text.empty() || text.size() > kMostBytesOfName || text[0] == '.' || text.back() == ' ') std::abort();
    for (const char c : text)
      if ((unsigned char)c < ' ' || c == '/' || c == 0x7F || c == '<' || c == '&' || c == '"') std::abort();
  }
  if (is_class_name(text) && (!is_nickname(text) && text[0] != '-' && text[0] != '_') && text.size() <= 24)
    std::abort();
  const std::string code = code_as_typed(text);
  if (code != code_as_typed(code) || code.find_first_of(" -abcdefghijklmnopqrstuvwxyz") != code.npos) std::abort();
  return 0;
}
