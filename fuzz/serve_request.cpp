// What browsers, and others, send to the page's server: an address with parameters, headers, a body. Whatever it is,
// there is an answer, and no data without the cookie.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "serve/guard.h"

using namespace warpwise;
using namespace warpwise::serve;

namespace {

// The text up to the next line end.
std::string_view line_of(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : rest.size());
  return line;
}
std::optional<std::string> header_of(std::string_view& rest) {
  const std::string_view line = line_of(rest);
  return line.empty() ? std::nullopt : std::optional(std::string(line));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Door kDoor{.port = 80, .token = "the token", .session = "the session"};
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto target = parse_target(line_of(rest));
  if (!target) return 0;
  Request request;
  request.path = target->path, request.query = target->query;
  request.method = line_of(rest);
  for (auto* header : {&request.host, &request.origin, &request.fetch_site, &request.cookie, &request.content_type})
    *header = header_of(rest);
  request.body = rest;
  const bool may = !refusal(request, kDoor);
  const bool known = request.cookie && request.cookie->find("warpwise-80=the session") != std::string::npos;
  if (may && request.path.starts_with("/api/") && request.path != "/api/session" && !known) std::abort();
  if (may && request.method != "GET" && !request.origin) std::abort();
  (void)open_session(request, kDoor);
  return 0;
}
