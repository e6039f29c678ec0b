#include "serve/guard.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warpwise::serve {

namespace {

std::string cookie_name(const Door& door) { return fmt::format("warpwise-{}", door.port); }

bool has_cookie(const Request& request, const Door& door) {
  const auto cookie = cookie_of(request, cookie_name(door));
  return cookie && same_secret(*cookie, door.session);
}

bool is_ours(std::string_view host, const Door& door) {
  return std::any_of(door.names.begin(), door.names.end(),
                     [&](const std::string& name) { return host == fmt::format("{}:{}", name, door.port); });
}

Error from_elsewhere(const char* what) { return {"W0003", fmt::format("the request {}", what)}; }

constexpr std::string_view kOpenSession = "/api/session";

}  // namespace

Result<std::string> random_text(size_t bytes) {
  std::string raw(bytes, 0), text;
  if (getrandom(raw.data(), bytes, 0) != ssize_t(bytes)) return Error{"W0002", "the system has no random numbers"};
  for (const char byte : raw) text += fmt::format("{:02x}", (unsigned char)(byte));
  return text;
}

bool same_secret(std::string_view given, std::string_view secret) {
  if (given.size() != secret.size()) return false;
  unsigned char difference = 0;
  for (size_t n = 0; n < secret.size(); ++n) difference |= (unsigned char)(given[n]) ^ (unsigned char)(secret[n]);
  return difference == 0;
}

std::optional<std::string> cookie_of(const Request& request, std::string_view name) {
  std::optional<std::string> found;
  std::string_view rest = request.cookie ? std::string_view(*request.cookie) : std::string_view();
  while (!rest.empty()) {
    std::string_view pair = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    const size_t equals = pair.find('=');
    if (equals == pair.npos || pair.substr(0, equals) != name) continue;
    if (found) return std::nullopt;
    found = pair.substr(equals + 1);
  }
  return found;
}

Result<Door> Door::make(uint16_t port) {
  constexpr size_t kBytes = 24;  // 192 bits
  Door door;
  door.port = port;
  door.token = TRY(random_text(kBytes)), door.session = TRY(random_text(kBytes));
  return door;
}

std::string Door::link() const { return fmt::format("http://127.0.0.1:{}/#token={}", port, token); }

std::optional<Response> refusal_of_foreign(const Request& request, const Door& door) {
  if (!request.host || !is_ours(*request.host, door))
    return refuse(421, from_elsewhere("names another host than this server"));
  if (request.method != "GET" && request.method != "POST")
    return refuse(405, Error{"W0005", "there are GET and POST here"});
  const bool data = request.path.starts_with("/api/"), changes = request.method != "GET";
  if ((data || changes) && request.fetch_site && *request.fetch_site != "same-origin" && *request.fetch_site != "none")
    return refuse(403, from_elsewhere("comes from a page of another site"));
  if (changes && !request.origin) return refuse(403, from_elsewhere("does not say which page it comes from"));
  if (request.origin && *request.origin != "http://" + *request.host)
    return refuse(403, from_elsewhere("comes from a page of another site"));
  if (changes && request.content_type != "application/json")
    return refuse(415, Error{"W0005", "the body of a request is application/json"});
  return std::nullopt;
}

std::optional<Response> refusal(const Request& request, const Door& door) {
  if (auto refused = refusal_of_foreign(request, door)) return refused;
  if (request.path.starts_with("/api/") && request.path != kOpenSession && !has_cookie(request, door))
    return refuse(401, Error{"W0004", "this browser has not opened the link of this server"});
  return std::nullopt;
}

Response open_session(const Request& request, const Door& door) {
  const auto json = nlohmann::json::parse(request.body, nullptr, false);
  const auto token = json.is_object() ? json.find("token") : json.end();
  if (!json.is_object() || token == json.end() || !token->is_string() ||
      !same_secret(token->get<std::string>(), door.token))
    return refuse(401, Error{"W0004", "the token is not that of this server"});
  Response response{.status = 200, .body = "{}\n"};
  response.headers.emplace_back(
      "Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_name(door), door.session));
  return response;
}

std::span<const std::pair<std::string_view, std::string_view>> security_headers() {
  static constexpr std::pair<std::string_view, std::string_view> kHeaders[] = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
       "frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  return kHeaders;
}

}  // namespace warpwise::serve
