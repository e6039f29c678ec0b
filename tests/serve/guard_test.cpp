// Each security rule of the page's server, as functions of a request.
#include "serve/guard.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace warpwise::serve {
namespace {

constexpr uint16_t kPort = 8642;

class Guard : public testing::Test {
 protected:
  Guard() : door_(Door::make(kPort).value()) {}
  // What the page's own script sends.
  Request data() const {
    return {.method = "GET",
            .path = "/api/files",
            .host = "127.0.0.1:8642",
            .fetch_site = "same-origin",
            .cookie = "theme=dark; warpwise-8642=" + door_.session};
  }
  Request change() const {
    Request request = data();
    request.method = "POST", request.path = "/api/record";
    request.origin = "http://127.0.0.1:8642", request.content_type = "application/json";
    return request;
  }
  unsigned status(const Request& request) const {
    const auto refused = refusal(request, door_);
    return refused ? refused->status : 200;
  }
  Door door_;
};

TEST_F(Guard, lets_the_page_itself_in) {
  EXPECT_EQ(status(data()), 200u);
  EXPECT_EQ(status(change()), 200u);
  Request request = change();
  request.host = "localhost:8642", request.origin = "http://localhost:8642";
  EXPECT_EQ(status(request), 200u);
  Request page{.method = "GET", .path = "/", .host = "127.0.0.1:8642", .fetch_site = "cross-site"};
  EXPECT_EQ(status(page), 200u) << "a link in a mail leads to the page, which has no data in it";
}

TEST_F(Guard, refuses_names_that_are_not_ours) {
  for (const char* host : {"evil.example", "evil.example:8642", "127.0.0.1", "127.0.0.1:80", "localhost:86420",
                           "127.0.0.1:8642.evil.example", "LOCALHOST:8642", "[::1]:8642", ""}) {
    Request request = data();
    request.host = std::string(host);
    EXPECT_EQ(status(request), 421u) << host;
    request.path = "/";
    EXPECT_EQ(status(request), 421u) << host << ": the page's files, too";
  }
  Request request = data();
  request.host.reset();
  EXPECT_EQ(status(request), 421u);
}

TEST_F(Guard, refuses_changes_from_elsewhere) {
  Request request = change();
  request.origin.reset();
  EXPECT_EQ(status(request), 403u) << "a missing Origin";
  for (const char* origin :
       {"http://evil.example", "null", "https://127.0.0.1:8642", "http://127.0.0.1:80", "http://localhost:8642", ""}) {
    request.origin = origin;
    EXPECT_EQ(status(request), 403u) << origin;
  }
  for (const char* site : {"cross-site", "same-site", ""}) {
    request = change();
    request.fetch_site = site;
    EXPECT_EQ(status(request), 403u) << site;
    request = data();
    request.fetch_site = site;
    EXPECT_EQ(status(request), 403u) << site;
  }
  request = data();
  request.origin = "http://evil.example";
  EXPECT_EQ(status(request), 403u) << "a GET with a foreign Origin";
}

TEST_F(Guard, takes_json_alone) {
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "application/json; charset=x"}) {
    Request request = change();
    request.content_type = type;
    EXPECT_EQ(status(request), 415u) << type;
  }
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", ""}) {
    Request request = change();
    request.method = method;
    EXPECT_EQ(status(request), 405u) << method;
  }
}

TEST_F(Guard, refuses_cookies_that_it_did_not_give) {
  Request request = data();
  request.cookie.reset();
  EXPECT_EQ(status(request), 401u);
  std::string almost = door_.session;
  almost.back() = almost.back() == '0' ? '1' : '0';
  for (const std::string& cookie :
       {"warpwise-8642=" + almost, "warpwise-8642=" + door_.session + "0", std::string("warpwise-8642="),
        "warpwise-8643=" + door_.session, "xwarpwise-8642=" + door_.session, "warpwise-8642=" + door_.token,
        door_.session, std::string(";;;=;"), std::string("warpwise-8642")}) {
    request.cookie = cookie;
    EXPECT_EQ(status(request), 401u) << cookie;
  }
  request.path = "/api/trace/step";
  EXPECT_EQ(status(request), 401u);
  request.path = "/api/session";
  EXPECT_EQ(status(request), 200u) << "that is where the cookie comes from";
}

TEST_F(Guard, trades_the_token_for_a_strict_cookie) {
  EXPECT_EQ(door_.token.size(), 48u) << "192 bits";
  EXPECT_NE(door_.token, door_.session);
  EXPECT_NE(door_.token, Door::make(kPort).value().token);
  EXPECT_EQ(door_.link(), "http://127.0.0.1:8642/#token=" + door_.token) << "browsers send no fragment";
  Request request = change();
  request.path = "/api/session";
  request.body = "{\"token\": \"" + door_.token + "\"}";
  const Response response = open_session(request, door_);
  EXPECT_EQ(response.status, 200u);
  ASSERT_EQ(response.headers.size(), 1u);
  EXPECT_EQ(response.headers[0].first, "Set-Cookie");
  EXPECT_EQ(response.headers[0].second, "warpwise-8642=" + door_.session + "; Path=/; HttpOnly; SameSite=Strict");
  EXPECT_EQ(response.body.find(door_.session), std::string::npos) << "scripts do not see it";
  for (const std::string& body : {std::string(), std::string("{}"), std::string("[]"), std::string("{\"token\": 5}"),
                                  std::string("{\"token\": \"\"}"), "{\"token\": \"" + door_.session + "\"}",
                                  "\"" + door_.token + "\"", std::string(5000, '[')}) {
    request.body = body;
    const Response refused = open_session(request, door_);
    EXPECT_EQ(refused.status, 401u) << body;
    EXPECT_TRUE(refused.headers.empty());
    EXPECT_NE(refused.body.find("W0004"), std::string::npos);
  }
}

TEST_F(Guard, forbids_inline_code_and_frames) {
  const auto headers = security_headers();
  const auto value = [&](std::string_view name) {
    const auto at = std::find_if(headers.begin(), headers.end(), [&](const auto& h) { return h.first == name; });
    return at == headers.end() ? std::string() : std::string(at->second);
  };
  const std::string policy = value("Content-Security-Policy");
  EXPECT_EQ(policy.find("unsafe"), std::string::npos) << policy;
  for (const char* rule : {"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
                           "frame-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"})
    EXPECT_NE(policy.find(rule), std::string::npos) << rule;
  EXPECT_EQ(value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(value("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(value("Cross-Origin-Resource-Policy"), "same-origin");
  EXPECT_EQ(value("Access-Control-Allow-Origin"), "");
}

TEST(Target, is_decoded_once_and_bounded) {
  const Target target = parse_target("/api/trace/step?file=a%20b.wwt&warp=2&step=412&empty").value();
  EXPECT_EQ(target.path, "/api/trace/step");
  EXPECT_EQ(target.query, (Parameters{{"file", "a b.wwt"}, {"warp", "2"}, {"step", "412"}, {"empty", ""}}));
  EXPECT_EQ(parse_target("/?a=%2e%2e%2F%252e").value().query.at("a"), "../%2e");
  EXPECT_EQ(parse_target("/?a=%e2%82%AC").value().query.at("a"), "\xe2\x82\xac");
  for (const std::string& wrong :
       {std::string(), std::string("files"), std::string("http://x/"), std::string("/?a=%"), std::string("/?a=%2"),
        std::string("/?a=%zz"), std::string("/?a=%00"), std::string("/?a=1%0ab=2"), std::string("/?a=1&a=2"),
        "/" + std::string(3000, 'a')}) {
    const auto refused = parse_target(wrong);
    ASSERT_FALSE(refused.ok()) << wrong;
    EXPECT_EQ(refused.error().code, "W0005");
  }
}

}  // namespace
}  // namespace warpwise::serve
