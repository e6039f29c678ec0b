// A request and its answer, without a socket: what http.h reads and writes, and what everything else here is about.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace warpwise::serve {

using Parameters = std::map<std::string, std::string, std::less<>>;

struct Request {
  std::string method;  // "GET"
  std::string path;    // "/api/step", as it was sent: it names a route and never a file
  Parameters query;    // decoded
  // Headers; nothing where one is missing or there are several of it.
  std::optional<std::string> host, origin, fetch_site, cookie, content_type, encodings, known_tag;
  std::string body;
  std::string peer{};  // the address that it comes from
};

struct Response {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers{};
};

// The path and the parameters of a request's target. W0005 for what is no target of ours: too long, an escape that is
// none, a control character, one name twice.
struct Target {
  std::string path;
  Parameters query;
};
Result<Target> parse_target(std::string_view target);

// {"error": {"code": …, "message": …}}; the code also says what to do next, by `warpwise explain`.
Response refuse(unsigned status, const Error& error);

}  // namespace warpwise::serve
