// warpwise image: the frames of a piece (image/piece.h) as a picture, and what the checkers find in them.
//
// The source is the user's own here, and runs with the user's rights as with `warpwise run`. With --answer, which the
// page uses, it is untrusted: compiled and run behind walls.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "api/code_on_disk.h"
#include "cli/command.h"
#include "cli/support/help_format.h"
#include "image/inspector.h"
#include "image/painter.h"
#include "image/png.h"
#include "serve/image/piece_answers.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

class Image : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise image [options] PIECE.cu");
    app.add_option("piece", piece_, "a source with the kernel `image`")->type_name("FILE")->required();
    app.add_option("-o,--output", output_, "write the frames to this file: a PNG, of several frames an animated one")
        ->type_name("FILE");
    app.add_option("--frames", frames_, "compute so many frames (1)")->check(CLI::Range(1u, 10'000u))->type_name("N");
    app.add_option("--from", first_, "frames before this one are computed and not shown (0)")
        ->check(CLI::Range(0u, 100'000u))
        ->type_name("N");
    app.add_option("--fps", rate_, "frames a second: how far `time` goes on from frame to frame (30)")
        ->check(CLI::Range(1u, 1000u))
        ->type_name("N");
    app.add_option("--size", size_, "the picture's size, instead of what the source says (512x512)")->type_name("WxH");
    app.add_option("--mouse", mouse_, "where the mouse is, in pixels (the middle)")->type_name("X,Y");
    app.add_flag("--check", check_, "look at the frames with all checkers, too");
    app.add_option("--answer", answer_, "")->check(CLI::IsMember({"paint", "inspect"}))->group("");  // for the page
    app.footer(
        "\nExamples:\n"
        "  warpwise image mandelbrot.cu -o mandelbrot.png\n"
        "  warpwise image --frames=60 life.cu -o life.png\n"
        "  warpwise image --check --size=64x64 blur.cu\n"
        "\nExit code: 0; 1 the checkers found something; 2 wrong option; 3 it does not compile, or a frame failed.");
  }

  Result<int> run() override {
    if (!answer_.empty()) {
      TRY(serve::answer_about_piece(STDIN_FILENO, piece_,
                                    answer_ == "paint" ? serve::PieceTask::Paint : serve::PieceTask::Inspect));
      return kSuccess;
    }
    std::error_code error;
    const fs::path file = fs::absolute(piece_, error).lexically_normal();
    const std::string source = TRY(toolchain::read_file(file));
    image::Shape shape = TRY(image::shape_in(source));
    TRY(take_size(shape));
    image::Moment moment = TRY(begin(shape));
    TRY(paint(file, source, shape, moment));
    return check_ ? check(file, source, shape, moment) : Result<int>(kSuccess);
  }
  int failure_code() const override { return kPieceFailed; }

 private:
  static constexpr int kFound = 1, kPieceFailed = 3;

  Result<void> take_size(image::Shape& shape) const {
    if (size_.empty()) return {};
    unsigned width = 0, height = 0;
    char rest = 0;
    if (std::sscanf(size_.c_str(), "%4ux%4u%c", &width, &height, &rest) != 2 || width == 0 || height == 0 ||
        width > image::kMostSide || height > image::kMostSide)
      return Error{"U0003", fmt::format("`{}` is no size: give WxH, at most {} each", size_, image::kMostSide)};
    shape.width = width, shape.height = height;
    return {};
  }
  Result<image::Moment> begin(const image::Shape& shape) const {
    image::Moment moment{.mouse_x = float(shape.width) / 2, .mouse_y = float(shape.height) / 2};
    char rest = 0;
    if (!mouse_.empty() && std::sscanf(mouse_.c_str(), "%f,%f%c", &moment.mouse_x, &moment.mouse_y, &rest) != 2)
      return Error{"U0003", fmt::format("`{}` is no place: give X,Y", mouse_)};
    return moment;
  }
  image::Moment at(image::Moment moment, unsigned frame) const {
    moment.frame = int(frame), moment.time = float(frame) / float(rate_);
    return moment;
  }

  Result<std::string> ptx_of(const fs::path& file, toolchain::BuildPurpose purpose) const {
    const image::CompiledPiece made = TRY(image::compile(file, {.purpose = purpose}));
    if (purpose == toolchain::BuildPurpose::Run || !made.compiled) fmt::print(stderr, "{}", made.messages);
    if (made.compiled) return made.ptx;
    return Error{"I0007", fmt::format("`{}` does not compile", piece_)};
  }

  Result<void> paint(const fs::path& file, const std::string& source, const image::Shape& shape,
                     const image::Moment& moment) {
    exec::DeviceSetup setup;
    setup.options.timeout_seconds = image::kLongestFrame;
    setup.cache = api::code_on_disk();
    const auto painter =
        TRY(image::Painter::open(TRY(ptx_of(file, toolchain::BuildPurpose::Run)), source, shape, std::move(setup)));
    std::vector<std::string> pictures;
    using Clock = std::chrono::steady_clock;
    Clock::duration took{}, quickest = Clock::duration::max();
    for (unsigned frame = 0; frame < first_ + frames_; ++frame) {
      const auto begin = Clock::now();
      TRY(painter->paint(at(moment, frame)));
      const auto one = Clock::now() - begin;
      took += one, quickest = std::min(quickest, one);
      if (!output_.empty() && frame >= first_) pictures.push_back(painter->pixels());
    }
    const auto milliseconds = [](auto time) { return std::chrono::duration<double, std::milli>(time).count(); };
    fmt::print("{} x {}, {} frame{}: {:.1f} ms each, the quickest {:.1f} ms\n", shape.width, shape.height,
               first_ + frames_, first_ + frames_ == 1 ? "" : "s", milliseconds(took) / (first_ + frames_),
               milliseconds(quickest));
    if (output_.empty()) return {};
    constexpr unsigned kSecond = 1000;
    return toolchain::write_file(output_,
                                 image::png_of(pictures, shape.width, shape.height, uint16_t(kSecond / rate_)));
  }

  Result<int> check(const fs::path& file, const std::string& source, const image::Shape& shape,
                    const image::Moment& moment) {
    const image::Inspector inspector({TRY(ptx_of(file, toolchain::BuildPurpose::Check)), source, file, shape});
    const image::Checked checked = TRY(inspector.check(moment, first_ + frames_, ""));
    for (const Finding& finding : checked.findings) {
      fmt::print("{}: {}\n", finding.code, finding.message);
      for (const Party& party : finding.parties) {
        const auto& frames = party.code.frames;
        fmt::print("  {} by {}{}\n", party.role, describe_thread(party),
                   frames.empty() ? "" : fmt::format(", line {}", frames[0].line));
      }
      if (!finding.help.empty()) fmt::print("  help: {}\n", finding.help);
    }
    for (const std::string& what : checked.not_checked) fmt::print("not checked: {}\n", what);
    if (!checked.failure.empty()) return Error{"I0004", checked.failure};
    uint64_t pixels = 0;
    for (const image::Run& run : checked.pixels) pixels += run.count;
    if (checked.findings.empty())
      fmt::print("the checkers find nothing\n");
    else
      fmt::print("{} finding{}, about {} pixels\n", checked.findings.size(), checked.findings.size() == 1 ? "" : "s",
                 pixels);
    return checked.findings.empty() ? kSuccess : kFound;
  }

  std::string piece_, output_, size_, mouse_, answer_;
  unsigned frames_ = 1, first_ = 0, rate_ = 30;
  bool check_ = false;
};

}  // namespace

std::unique_ptr<Command> make_image() { return std::make_unique<Image>(); }

}  // namespace warpwise::cli
