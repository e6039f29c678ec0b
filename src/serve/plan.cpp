#include "serve/plan.h"

#include <fmt/format.h>

#include <charconv>

#include "serve/beside_answers.h"
#include "serve/lab/lab_answers.h"
#include "serve/lab/lessons.h"
#include "serve/occupancy_answer.h"

namespace warpwise::serve {

namespace {

constexpr std::string_view kTrace = "/api/trace/", kRecord = "/api/record", kProfile = "/api/profile",
                           kReport = "/api/report", kLab = "/api/lab", kRunOfLab = "lab:", kImage = "/api/image/",
                           kSeenInImage = "image:";

std::optional<uint64_t> number_in(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view parameter(const Request& request, std::string_view name) {
  const auto at = request.query.find(name);
  return at == request.query.end() ? std::string_view() : std::string_view(at->second);
}

// The file of this name, or what stands for one: a variation is of kind Source, as what it is made of.
Result<LibraryFile> named_file(std::string_view name, const Library& library, bool to_be_asked) {
  if (to_be_asked && (run_of_recording(name) || image_of_recording(name) || is_of_lesson(name)))
    return LibraryFile{.name = std::string(name)};
  const auto variation = variation_of(name);
  if (!variation) return library.find(name);
  LibraryFile file = TRY(library.find(variation->source));
  if (file.kind != FileKind::Source)
    return Error{"W0005", fmt::format("`{}` is no source: it is not recorded again", file.name)};
  file.name = name;
  return file;
}

Plan about_a_file(const Request& request, const Library& library) {
  const auto name = request.query.find("file");
  if (name == request.query.end()) return refuse(400, Error{"W0005", "the request names no file"});
  auto file = named_file(name->second, library, request.path.starts_with(kTrace));
  if (!file) return refuse(404, file.error());
  if (request.path.starts_with(kTrace)) {
    AskRecording ask{std::move(*file), request.path.substr(kTrace.size())};
    if (!is_about_two(ask.question)) return ask;
    auto beside = named_file(parameter(request, "vs"), library, /*to_be_asked=*/true);
    if (!beside) return refuse(404, beside.error());
    ask.beside = std::move(*beside);
    return ask;
  }
  if (file->kind != FileKind::Source)
    return refuse(400, Error{"W0005", fmt::format("`{}` is no source: it is not recorded again", file->name)});
  const Product product = request.path == kProfile ? Product::Profile : Product::Recording;
  const bool variation = is_variation(file->name);
  if (variation && (product == Product::Profile || request.path == kReport))
    return refuse(404, Error{"W0005", fmt::format("`{}` has no profile of its own", file->name)});
  if (request.path == kReport) return ShowReport{std::move(*file)};
  if (request.method != "POST") return ShowRecording{std::move(*file), product};
  if (!variation) return StartRecording{std::move(*file), product};
  auto same = same_block(request.query);
  if (!same) return refuse(400, same.error());
  return StartRecording{std::move(*file), product, std::move(*same)};
}

// A submission. The names of problems are the catalogue's: the server looks there.
Plan run_of(const Request& request) {
  constexpr size_t kMostOfName = 64, kMostOfCase = 1024;
  const auto kind = run_kind_named(parameter(request, "kind"));
  if (!kind) return refuse(400, Error{"W0005", "a run is `submit`, `test` or `trace`"});
  const std::string_view page = parameter(request, "page"), seed = parameter(request, "seed");
  if (page.empty() || page.size() > kMostOfName) return refuse(400, Error{"W0005", "the run names no page"});
  const std::string_view like = parameter(request, "like");
  if (like.size() > kMostOfCase) return refuse(400, Error{"W0005", "the case has too many words"});
  if (!seed.empty() && !number_in(seed)) return refuse(400, Error{"W0005", "the seed is no number"});
  auto text = text_in(request);
  if (!text) return refuse(400, text.error());
  return StartRun{{.page = std::string(page),
                   .problem = std::string(parameter(request, "name")),
                   .kind = *kind,
                   .text = std::move(*text),
                   .seed = std::string(seed),
                   .samples_only = parameter(request, "samples") == "1",
                   .like = std::string(like)}};
}

Plan diagnosis_of(const Request& request) {
  constexpr size_t kMostOfName = 64;
  const std::string_view page = parameter(request, "page");
  if (page.empty() || page.size() > kMostOfName) return refuse(400, Error{"W0005", "the request names no page"});
  auto text = text_in(request);
  if (!text) return refuse(400, text.error());
  return DiagnoseText{std::string(page), std::string(parameter(request, "name")), std::move(*text)};
}

Plan about_the_lab(const Request& request) {
  const bool post = request.method == "POST", run = request.path == "/api/lab/run",
             stop = request.path == "/api/lab/stop";
  if (run && post) return run_of(request);
  if (post && request.path == "/api/lab/diagnose") return diagnosis_of(request);
  if (!run && !(stop && post)) return AskLab{};
  const auto number = number_in(parameter(request, "run"));
  if (!number) return refuse(400, Error{"W0005", "the request names no run"});
  if (stop) return StopRun{*number};
  return FollowRun{*number, size_t(number_in(parameter(request, "from")).value_or(0))};
}

// What changes nothing is had by GET; what starts a process, by POST.
Plan about_an_image(const Request& request) {
  const std::string question = request.path.substr(kImage.size());
  const bool post = request.method == "POST";
  constexpr size_t kMostOfName = 64;
  if (question == "run" && post) {
    const std::string_view page = parameter(request, "page"), name = parameter(request, "name");
    if (page.empty() || page.size() > kMostOfName) return refuse(400, Error{"W0005", "the run names no page"});
    if (!is_piece_name(name)) return refuse(400, Error{"W0005", "the run names no piece"});
    auto text = text_in(request);
    if (!text) return refuse(400, text.error());
    return StartPiece{{.page = std::string(page), .name = std::string(name), .text = std::move(*text)}};
  }
  const auto number = number_in(parameter(request, "run"));
  if (!number) return refuse(400, Error{"W0005", "the request names no run"});
  const bool looks = question == "check" || question == "see";
  if (looks != post || (!looks && question != "piece" && question != "frame"))
    return refuse(404, Error{"W0005", fmt::format("there is no `{}` to {}", request.path, request.method)});
  return AskPiece{*number, question};
}

}  // namespace

std::optional<uint64_t> image_of_recording(std::string_view name) {
  if (!name.starts_with(kSeenInImage)) return std::nullopt;
  return number_in(name.substr(kSeenInImage.size()));
}

std::optional<uint64_t> run_of_recording(std::string_view name) {
  if (!name.starts_with(kRunOfLab)) return std::nullopt;
  return number_in(name.substr(kRunOfLab.size()));
}

Plan plan_for(const Request& request, const Door& door, const Assets& assets, const Library& library) {
  if (auto refused = refusal(request, door)) return std::move(*refused);
  if (request.path == "/api/session" && request.method == "POST") return open_session(request, door);
  return plan_of(request, assets, library);
}

Plan plan_of(const Request& request, const Assets& assets, const Library& library) {
  const bool post = request.method == "POST";
  if (request.path == "/api/class" && !post) return AskClass{};
  if (request.path == "/api/class/export" && post) return HandInClass{};
  if (request.path == "/api/occupancy" && !post) return answer_occupancy(request.query);
  if (request.path == "/api/files" && !post) return ListFiles{};
  if (request.path == kRecord || request.path == kProfile || (request.path == kReport && !post) ||
      (request.path.starts_with(kTrace) && !post))
    return about_a_file(request, library);
  if (request.path == kLab || request.path.starts_with("/api/lab/")) return about_the_lab(request);
  if (request.path.starts_with("/api/lesson")) return AskLessons{};
  if (request.path.starts_with("/api/images")) return AskPieces{};
  if (request.path.starts_with(kImage)) return about_an_image(request);
  if (request.path.starts_with("/api/") || post)
    return refuse(404, Error{"W0005", fmt::format("there is no `{}` to {}", request.path, request.method)});
  return assets.answer(request);
}

}  // namespace warpwise::serve
