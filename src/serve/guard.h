// Who may ask. The server runs on the user's machine with the user's rights, and any page in the user's browser can
// send it requests, so that being on loopback proves nothing. These rules are asked before anything else looks at a
// request:
//
//     Host      one of our own names. A page of another site whose name resolves to 127.0.0.1 (DNS rebinding) sends its
//               own name.
//     Origin    on everything that changes something: exactly ours; a missing one is refused, because forms of old
//               browsers and programs leave it out.
//     Fetch     Sec-Fetch-Site, where a browser sends it: our data is for our own pages.
//     Cookie    for all data. It is had for the token in the link that `warpwise serve` printed, which stands in the
//               link's fragment: browsers send that nowhere.
//
// Cookies do not know ports: the name has the port in it, so that two servers do not take each other's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "serve/message.h"

namespace warpwise::serve {

struct Door {
  uint16_t port = 0;
  std::string token;                                         // in the link
  std::string session;                                       // in the cookie
  std::vector<std::string> names{"127.0.0.1", "localhost"};  // what this server is called

  // With a token and a session that were never used. W0002 when the system has no randomness.
  static Result<Door> make(uint16_t port);
  std::string link() const;  // "http://127.0.0.1:PORT/#token=…"
};

// The first three rules alone, which hold for the page of a class, too. `door`: its port and names.
std::optional<Response> refusal_of_foreign(const Request& request, const Door& door);
// The value of a cookie; nothing where there is none, or several.
std::optional<std::string> cookie_of(const Request& request, std::string_view name);
// Hexadecimal digits that cannot be guessed. W0002 when the system has no randomness.
Result<std::string> random_text(size_t bytes);
// Whether both are the same; how long that takes does not tell how much of it was.
bool same_secret(std::string_view given, std::string_view secret);

// Why the request is refused; nothing: it may be answered.
std::optional<Response> refusal(const Request& request, const Door& door);
// POST /api/session with the token: sets the cookie. The request has passed refusal().
Response open_session(const Request& request, const Door& door);

// What every answer carries.
std::span<const std::pair<std::string_view, std::string_view>> security_headers();

}  // namespace warpwise::serve
