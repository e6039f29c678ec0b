// What someone who joins a class has typed, and what may be a name there. All of it comes from the network, before
// anyone is known: it is read here, and fuzzed (fuzz/class_join.cpp).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace warpwise::serve {

struct JoinRequest {
  std::string code, nickname;
  std::string return_code;  // of a student who has been here before; "": a new one
  std::string peer;         // the address that asks
};
// {"code": …, "nickname": …, "return_code": …}; what is missing is "". W0005 for what is no such object, and for long
// texts.
Result<JoinRequest> join_request_in(std::string_view body, std::string peer);

// A name of a class is part of paths: letters, digits, `-` and `_`, 32 at most.
bool is_class_name(std::string_view name);
// A nickname is a folder's name for `lab grade`, stands in tables and is read aloud: 1 to 24 letters, digits, spaces,
// `-`, `_` and `.`, beginning with a letter or digit. Letters of other scripts are letters; invisible characters and
// those that turn the direction of text are not.
constexpr size_t kMostLettersOfName = 24;
bool is_nickname(std::string_view name);
// A code as people type it: in any case, with spaces.
std::string code_as_typed(std::string_view text);

}  // namespace warpwise::serve
