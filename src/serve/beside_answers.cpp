#include "serve/beside_answers.h"

#include <fmt/format.h>

#include <charconv>

#include "trace/json.h"
#include "trace/queries.h"

namespace warpwise::serve {

namespace {

Result<uint64_t> natural(const Parameters& parameters, std::string_view name) {
  const auto at = parameters.find(name);
  const std::string& text = at == parameters.end() ? std::string() : at->second;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    return Error{"W0005", fmt::format("`{}` is no number for {}", text, name)};
  return number;
}

}  // namespace

bool is_about_two(std::string_view question) { return question == "differences" || question == "partner"; }

Result<Response> BesideAnswers::partner(const Parameters& parameters) {
  const uint64_t warp = TRY(natural(parameters, "warp")), step = TRY(natural(parameters, "step"));
  const auto theirs = warp < trace::kMostWarps ? differences_->partner(uint32_t(warp), step) : std::nullopt;
  if (!theirs) return Response{.body = "null\n"};
  trace::Queries queries(other_);
  return Response{.body =
                      trace::to_json(TRY(queries.step(uint32_t(warp), *theirs)), uint32_t(warp), other_.recording())};
}

Response BesideAnswers::answer(std::string_view question, const Parameters& parameters) {
  if (!is_about_two(question)) return refuse(404, Error{"W0005", fmt::format("two recordings have no `{}`", question)});
  if (!differences_) {
    auto found = trace::Differences::between(one_, other_);
    if (!found) return refuse(422, found.error());
    differences_ = std::move(*found);
  }
  if (question == "differences") return {.body = trace::to_json(*differences_)};
  auto answer = partner(parameters);
  if (answer) return std::move(*answer);
  return refuse(answer.error().code == "W0005" ? 400 : 422, answer.error());
}

}  // namespace warpwise::serve
