#include "serve/image/piece_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "lab/progress/progress.h"
#include "serve/image/studio.h"
#include "serve/lab/lab_answers.h"
#include "toolchain/files.h"

namespace warpwise::serve {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string draft_name(std::string_view piece) { return fmt::format("images/{}", piece); }

// The first line of a piece says what it is: "// Mandelbrot: …".
std::string title_of(const std::string& text) {
  constexpr std::string_view kComment = "// ";
  const std::string line = text.substr(0, text.find('\n'));
  return line.starts_with(kComment) ? line.substr(kComment.size()) : "";
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; at != end && !error; at.increment(error))
    if (at->path().extension() == ".cu" && is_piece_name(at->path().stem().string()))
      names.push_back(at->path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Result<Json> list(const fs::path& folder) {
  const lab::Progress progress = TRY(lab::Progress::open());
  Json pieces = Json::array();
  for (const std::string& name : names_in(folder)) {
    const std::string text = TRY(toolchain::read_file(folder / (name + ".cu")));
    const auto draft = TRY(progress.draft(draft_name(name)));
    pieces.push_back({{"name", name},
                      {"title", title_of(text)},
                      {"text", text},
                      {"draft", draft ? Json{{"text", draft->text}, {"revision", draft->revision}} : Json()}});
  }
  return Json{{"format", 1}, {"pieces", std::move(pieces)}};
}

Result<Json> keep(const Request& request, const std::string& name) {
  const std::string text = TRY(text_in(request));
  const Json body = parse_json<Json>(request.body);
  const auto revision = body.find("revision");
  if (revision == body.end() || !revision->is_number_unsigned()) return Error{"W0005", "the draft has no revision"};
  lab::Progress progress = TRY(lab::Progress::open());
  return Json{{"revision", TRY(progress.keep_draft(draft_name(name), text, revision->get<int64_t>()))}};
}

}  // namespace

bool PieceList::is_empty() const { return names_in(folder_).empty(); }

bool PieceList::has(std::string_view name) const {
  const auto names = names_in(folder_);
  return std::find(names.begin(), names.end(), name) != names.end();
}

Response PieceList::answer(const Request& request) const {
  const auto answered = [](const Result<Json>& json) -> Response {
    if (json) return {.body = dump_json(*json) + "\n"};
    const std::string& code = json.error().code;
    return refuse(code == "W0005" ? 400 : code == "L0104" ? 409 : 422, json.error());
  };
  if (request.path == "/api/images" && request.method == "GET") return answered(list(folder_));
  const auto name = request.query.find("name");
  if (request.path != "/api/images/draft" || request.method != "POST" || name == request.query.end())
    return refuse(404, Error{"W0005", fmt::format("there is no `{}` to {}", request.path, request.method)});
  if (!has(name->second)) return refuse(404, Error{"W0005", fmt::format("there is no piece `{}`", name->second)});
  return answered(keep(request, name->second));
}

}  // namespace warpwise::serve
