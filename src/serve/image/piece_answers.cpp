#include "serve/image/piece_answers.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

#include "base/json.h"
#include "check/records/finding_json.h"
#include "image/inspector.h"
#include "image/painter.h"
#include "lab/sandbox/confine_self.h"
#include "lab/sandbox/job.h"
#include "serve/asked_process.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"

namespace warpwise::serve {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr unsigned kMostFramesOfCheck = 4;

Error no_such_question(std::string what) { return {"W0005", std::move(what)}; }

template <class Number>
Result<Number> number(const Parameters& parameters, std::string_view name, Number otherwise = 0) {
  const auto at = parameters.find(name);
  if (at == parameters.end()) return otherwise;
  const std::string& text = at->second;
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool good = error == std::errc{} && end == text.data() + text.size();
  if constexpr (std::is_floating_point_v<Number>) good = good && std::isfinite(value);
  if (!good) return no_such_question(fmt::format("`{}` is no number for {}", text, name));
  return value;
}

Result<image::Moment> moment_in(const Parameters& parameters) {
  return image::Moment{.time = TRY(number<float>(parameters, "time")),
                       .mouse_x = TRY(number<float>(parameters, "x")),
                       .mouse_y = TRY(number<float>(parameters, "y")),
                       .frame = TRY(number<int>(parameters, "frame"))};
}

Response as_json(const Json& answer) { return {.body = dump_json(answer) + "\n"}; }

void put_number(std::string& out, uint32_t number) {
  for (unsigned byte = 0; byte < 4; ++byte) out += char(number >> (8 * byte));
}

// A piece that has been read and compiled.
struct Piece {
  fs::path file;
  std::string source;
  image::Shape shape;
  image::CompiledPiece compiled;
  std::optional<Error> error;  // why it cannot be painted, though it compiled
};

// --- the process that paints
class PaintAnswers {
 public:
  explicit PaintAnswers(Piece& piece) : piece_(piece) {
    if (!piece.compiled.compiled || piece.error) return;
    exec::DeviceSetup setup;
    setup.options.timeout_seconds = image::kLongestFrame;
    // A first frame in the interpreter could take longer than that.
    setup.options.tiers = exec::TierChoice::Compiled;
    setup.print = [](std::string_view) {};
    auto painter = image::Painter::open(piece.compiled.ptx, piece.source, piece.shape, std::move(setup));
    if (painter)
      painter_ = std::move(*painter);
    else
      piece.error = painter.error();
  }

  Result<Response> answer(const std::string& question, const Parameters& parameters) {
    if (question == "piece") return about();
    if (!painter_) return piece_.error ? *piece_.error : Error{"I0007", "the source does not compile"};
    if (question == "frame") return frame(TRY(moment_in(parameters)));
    if (question == "keep") {
      TRY(toolchain::write_file(piece_.file.parent_path() / kStateFile, painter_->state()));
      return as_json({{"frame", last_.frame}, {"time", last_.time}});
    }
    return no_such_question(fmt::format("a piece has no `{}`", question));
  }

 private:
  Response about() const {
    Json kernels = Json::array(), arrays = Json::array();
    if (painter_) {
      for (const image::Pass& pass : painter_->passes().list) kernels.push_back(pass.name);
      for (const image::Array& array : painter_->passes().arrays)
        arrays.push_back({{"name", array.name}, {"bytes", array.bytes}});
    }
    Json answer{{"compiled", painter_ != nullptr}, {"messages", piece_.compiled.messages},
                {"width", piece_.shape.width},     {"height", piece_.shape.height},
                {"kernels", std::move(kernels)},   {"arrays", std::move(arrays)}};
    if (piece_.error) answer["error"] = {{"code", piece_.error->code}, {"message", piece_.error->message}};
    return as_json(answer);
  }

  Result<Response> frame(const image::Moment& moment) {
    const auto begin = std::chrono::steady_clock::now();
    TRY(painter_->paint(moment));
    last_ = moment;
    const auto took = std::chrono::steady_clock::now() - begin;
    Response response{.type = "application/octet-stream", .body = "WWIM"};
    put_number(response.body, piece_.shape.width), put_number(response.body, piece_.shape.height);
    put_number(response.body, uint32_t(std::chrono::duration_cast<std::chrono::microseconds>(took).count()));
    response.body += painter_->pixels();
    return response;
  }

  Piece& piece_;
  std::unique_ptr<image::Painter> painter_;
  image::Moment last_{.frame = -1};  // that was painted
};

// --- the process that looks closer
class InspectAnswers {
 public:
  explicit InspectAnswers(const Piece& piece)
      : piece_(piece), inspector_({piece.compiled.ptx, piece.source, piece.file, piece.shape}) {}

  Result<Response> answer(const std::string& question, const Parameters& parameters) {
    if (piece_.error) return *piece_.error;
    if (!piece_.compiled.compiled) return Error{"I0007", "the source does not compile"};
    if (question == "see" && parameters.contains("finding"))
      return see(checked_, {.finding = TRY(number<size_t>(parameters, "finding"))});
    if (question != "check" && question != "see") return no_such_question(fmt::format("a piece has no `{}`", question));
    Look look{.moment = TRY(moment_in(parameters))};
    if (TRY(number<int>(parameters, "state")) != 0)
      look.state = TRY(toolchain::read_file(piece_.file.parent_path() / kStateFile));
    if (question == "see")
      return see(look, {.x = TRY(number<uint32_t>(parameters, "px")), .y = TRY(number<uint32_t>(parameters, "py"))});
    checked_ = std::move(look);
    return check(std::min(TRY(number<unsigned>(parameters, "frames", 1)), kMostFramesOfCheck));
  }

 private:
  // A frame and the arrays before it.
  struct Look {
    image::Moment moment{};
    std::string state{};
  };

  Result<Response> check(unsigned frames) const {
    const image::Checked checked = TRY(inspector_.check(checked_.moment, frames, checked_.state));
    Json findings = Json::array(), pixels = Json::array();
    for (const Finding& finding : checked.findings)
      findings.push_back(parse_json<Json>(check::finding_to_json(finding)));
    for (const image::Run& run : checked.pixels) pixels.push_back({run.first, run.count});
    return as_json({{"frame", checked_.moment.frame},
                    {"findings", std::move(findings)},
                    {"pixels", std::move(pixels)},
                    {"failure", checked.failure},
                    {"not_checked", checked.not_checked}});
  }

  Result<Response> see(const Look& look, const image::Inspector::Wish& wish) const {
    const image::Recorded seen =
        TRY(inspector_.record(look.moment, look.state, wish, piece_.file.parent_path() / kSeenFile));
    const auto index = [](const Index3& at) { return Json{at.x, at.y, at.z}; };
    return as_json({{"warp", seen.warp},
                    {"step", seen.step},
                    {"block", index(seen.block)},
                    {"thread", index(seen.thread)},
                    {"kernel", seen.kernel}});
  }

  const Piece& piece_;
  const image::Inspector inspector_;
  Look checked_;  // what was checked last: its findings can be seen
};

// From here on the process can do only what running kernels needs.
Result<void> confine(const fs::path& folder) {
  std::vector<std::string> readable = lab::sandbox::system_folders();
  readable.push_back(toolchain::Installation::find().libraries);
  return lab::sandbox::confine_self(std::move(readable), {folder.string()});
}

}  // namespace

Result<void> answer_about_piece(int socket, const fs::path& source, PieceTask task) {
  std::error_code error;
  Piece piece{.file = fs::absolute(source, error).lexically_normal()};
  piece.source = TRY(toolchain::read_file(piece.file));
  if (auto shape = image::shape_in(piece.source))
    piece.shape = *shape;
  else
    piece.error = shape.error();
  const bool paints = task == PieceTask::Paint;
  auto compiled = image::compile(
      piece.file, {.purpose = paints ? toolchain::BuildPurpose::Run : toolchain::BuildPurpose::Check, .sandbox = true});
  if (compiled)
    piece.compiled = std::move(*compiled);
  else if (!piece.error)
    piece.error = compiled.error();
  // Without walls no kernel of it runs.
  if (auto confined = confine(piece.file.parent_path()); !confined) piece.error = confined.error();

  // Kernels that fail name their file, which lies in a folder that only the server knows.
  const std::string folder = piece.file.parent_path().string() + "/";
  const auto answered = [&folder](Result<Response> answer) {
    if (answer) return std::move(*answer);
    Error refusal = answer.error();
    for (size_t at = 0; (at = refusal.message.find(folder, at)) != std::string::npos;)
      refusal.message.erase(at, folder.size());
    return refuse(refusal.code == "W0005" ? 400 : 422, refusal);
  };
  if (paints) {
    PaintAnswers answers(piece);
    answer_questions(socket, [&](const auto& question, const auto& parameters) {
      return answered(answers.answer(question, parameters));
    });
  } else {
    InspectAnswers answers(piece);
    answer_questions(socket, [&](const auto& question, const auto& parameters) {
      return answered(answers.answer(question, parameters));
    });
  }
  return {};
}

}  // namespace warpwise::serve
