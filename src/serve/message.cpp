#include "serve/message.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"

namespace warpwise::serve {

namespace {

constexpr size_t kMostTarget = 2048;

Error not_ours(const char* why) { return {"W0005", fmt::format("the address of the request is wrong: {}", why)}; }

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<std::string> decoded(std::string_view text) {
  std::string out;
  for (size_t n = 0; n < text.size(); ++n) {
    if (text[n] != '%') {
      out += text[n] == '+' ? ' ' : text[n];
      continue;
    }
    const bool whole = text.size() - n > 2;
    const int high = whole ? digit(text[n + 1]) : -1, low = whole ? digit(text[n + 2]) : -1;
    if (high < 0 || low < 0) return not_ours("an escape is cut short");
    if (high < 2) return not_ours("it has a control character");
    out += char(high * 16 + low);
    n += 2;
  }
  return out;
}

}  // namespace

Result<Target> parse_target(std::string_view target) {
  if (target.size() > kMostTarget) return not_ours("it is too long");
  if (!target.starts_with('/')) return not_ours("it has no path");
  Target out;
  const size_t mark = target.find('?');
  out.path = target.substr(0, mark);
  std::string_view rest = mark == target.npos ? std::string_view() : target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const size_t equals = pair.find('=');
    std::string name = TRY(decoded(pair.substr(0, equals)));
    std::string value = equals == pair.npos ? std::string() : TRY(decoded(pair.substr(equals + 1)));
    if (!out.query.emplace(std::move(name), std::move(value)).second) return not_ours("one name is in it twice");
  }
  return out;
}

Response refuse(unsigned status, const Error& error) {
  const DiagnosticInfo* known = find_diagnostic(error.code);
  const nlohmann::ordered_json json{{"error",
                                     {{"code", error.code},
                                      {"message", error.message},
                                      {"explanation", known ? std::string(known->story) : std::string()}}}};
  return {.status = status, .body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n"};
}

}  // namespace warpwise::serve
