#include "serve/plan.h"

#include <fmt/format.h>

namespace warpwise::serve {

namespace {

constexpr std::string_view kTrace = "/api/trace/", kRecord = "/api/record";

Plan about_a_file(const Request& request, const Library& library) {
  const auto name = request.query.find("file");
  if (name == request.query.end()) return refuse(400, Error{"W0005", "the request names no file"});
  auto file = library.find(name->second);
  if (!file) return refuse(404, file.error());
  if (request.path.starts_with(kTrace)) return AskRecording{std::move(*file), request.path.substr(kTrace.size())};
  if (file->kind != FileKind::Source)
    return refuse(400, Error{"W0005", fmt::format("`{}` is no source: it is not recorded again", file->name)});
  if (request.method == "POST") return StartRecording{std::move(*file)};
  return ShowRecording{std::move(*file)};
}

}  // namespace

Plan plan_for(const Request& request, const Door& door, const Assets& assets, const Library& library) {
  if (auto refused = refusal(request, door)) return std::move(*refused);
  const bool post = request.method == "POST";
  if (request.path == "/api/session" && post) return open_session(request, door);
  if (request.path == "/api/files" && !post) return ListFiles{};
  if (request.path == kRecord || (request.path.starts_with(kTrace) && !post)) return about_a_file(request, library);
  if (request.path.starts_with("/api/") || post)
    return refuse(404, Error{"W0005", fmt::format("there is no `{}` to {}", request.path, request.method)});
  return assets.answer(request);
}

}  // namespace warpwise::serve
