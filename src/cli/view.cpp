// warpwise view: what a trace file says, as text or as JSON. Each of its options is one query (trace/queries.h).
#include <fmt/format.h>

#include <charconv>
#include <cstdio>

#include "cli/command.h"
#include "cli/support/help_format.h"
#include "trace/json.h"
#include "trace/queries.h"
#include "trace/text.h"

namespace warpwise::cli {
namespace {

class View : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app, "warpwise view [options] FILE.wwt");
    app.add_option("file", path_, "a file that `warpwise trace` has written")->required()->type_name("FILE");
    app.add_option("--warp", warp_, "the warp (0)")->type_name("W");
    app.add_option("--step", step_, "one step of the warp, lane by lane")->type_name("N");
    app.add_option("--steps", range_, "some steps of the warp: from A up to B")->type_name("A..B");
    std::string events;
    for (const std::string_view name : trace::event_names())
      events += fmt::format("{}{}", events.empty() ? "" : "|", name);
    app.add_option("--next", next_, "the next step where this happens, behind --step: " + events)->type_name("EVENT");
    app.add_flag("--back", back_, "with --next: the last one before --step");
    app.add_option("--overview", zoom_, "each warp in buckets of at least two to this power steps (0)")
        ->expected(0, 1)
        ->type_name("[=ZOOM]");
    app.add_flag("--lines", lines_, "sums of the recorded steps by source line");
    app.add_flag("--sources", sources_, "the source text in the file");
    app.add_option("--block", block_, "fail unless this is the recorded block")->type_name("X,Y,Z");
    app.add_flag("--json", json_, "JSON (docs/trace_format.md)");
    app.footer(
        "\nExamples:\n"
        "  warpwise view transpose.wwt\n"
        "  warpwise view transpose.wwt --warp=2 --step=412\n"
        "  warpwise view transpose.wwt --next=uncoalesced\n"
        "  warpwise view race.wwt --next=race\n"
        "  warpwise view transpose.wwt --warp=2 --steps=400..432 --json");
    app_ = &app;
  }

  Result<int> run() override {
    file_ = TRY(trace::TraceFile::open(path_));
    const trace::Recording& r = file_->recording();
    if (!block_.empty() && block_ != own_block() && block_ != own_block(3)) {
      return Error{"V0007", fmt::format("the file has block {}: record another one with `warpwise trace --block={}`",
                                        own_block(3), block_)};
    }
    if (warp_ >= r.warps.size()) return Error{"V0008", fmt::format("the block has warps 0 to {}", r.warps.size() - 1)};
    trace::Queries ask(*file_);
    const std::string text = TRY(answer(ask));
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      return Error{"U0002", "cannot write to standard output"};
    return kSuccess;
  }

 private:
  // "3,1,0", or without the zeros at its end.
  std::string own_block(unsigned parts = 0) const {
    const Index3& b = file_->recording().block;
    if (parts == 0) parts = b.z ? 3 : b.y ? 2 : 1;
    std::string text = fmt::format("{}", b.x);
    if (parts > 1) text += fmt::format(",{}", b.y);
    if (parts > 2) text += fmt::format(",{}", b.z);
    return text;
  }

  Result<std::string> answer(trace::Queries& ask) {
    if (!next_.empty()) return next(ask);
    if (app_->count("--step")) return step(ask, warp_, step_);
    if (!range_.empty()) return steps(ask);
    if (app_->count("--overview")) return overview(ask);
    if (lines_) return lines(ask);
    if (sources_) return sources();
    const trace::Summary summary = TRY(ask.summary());
    if (json_) return trace::to_json(summary, TRY(file_->profile()));
    return trace::to_text(summary, TRY(ask.overview(0)), TRY(ask.lines()), TRY(file_->sources()));
  }

  Result<std::string> step(trace::Queries& ask, uint32_t warp, uint64_t number) {
    const trace::Recording& r = file_->recording();
    const trace::StepDetail detail = TRY(ask.step(warp, number));
    if (json_) return trace::to_json(detail, warp, r);
    return trace::to_text(detail, warp, r, TRY(file_->findings()), TRY(file_->sources()));
  }

  Result<std::string> next(trace::Queries& ask) {
    const auto event = trace::event_named(next_);
    if (!event) {
      std::string names;
      for (const std::string_view name : trace::event_names())
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
      return Error{"U0005", fmt::format("there is no event `{}`: it is one of {}", next_, names)};
    }
    // Without --step, from the beginning, or backwards from the end.
    trace::Place from{warp_, step_};
    if (!app_->count("--step")) {
      if (back_)
        from = {uint32_t(file_->recording().warps.size() - 1), ~uint64_t{0}};
      else if (const auto first = TRY(at_begin(ask, *event)))
        return json_ ? trace::to_json(first, next_) : step(ask, first->warp, first->step);
    }
    const auto place = TRY(ask.next(*event, from, back_));
    if (json_) return trace::to_json(place, next_);
    if (!place)
      return fmt::format("no {} {} step {} of warp {} in what is recorded\n", next_, back_ ? "before" : "behind",
                         from.step, from.warp);
    return step(ask, place->warp, place->step);
  }

  // The first step of the warp may be the one.
  Result<std::optional<trace::Place>> at_begin(trace::Queries& ask, trace::Event event) {
    const uint64_t first = file_->recording().warps[warp_].first;
    const auto before = TRY(ask.next(event, {warp_, first + 1}, true));
    if (before && before->warp == warp_ && before->step == first) return before;
    return std::optional<trace::Place>();
  }

  Result<std::string> steps(trace::Queries& ask) {
    uint64_t first = 0, end = 0;
    const size_t dots = range_.find("..");
    const char *at = range_.data(), *last = at + range_.size();
    const bool good = dots != range_.npos && std::from_chars(at, at + dots, first).ptr == at + dots &&
                      std::from_chars(at + dots + 2, last, end).ptr == last && dots > 0 && dots + 2 < range_.size() &&
                      first < end;
    if (!good) return Error{"U0005", fmt::format("`{}` is no range of steps: give A..B, as in 400..432", range_)};
    const std::vector<trace::StepView> views = TRY(ask.steps(warp_, first, end - first));
    return json_ ? trace::to_json(views, warp_, file_->recording()) : trace::to_text(views, warp_, file_->recording());
  }

  Result<std::string> overview(trace::Queries& ask) {
    unsigned zoom = 0;
    const char *at = zoom_.data(), *end = at + zoom_.size();
    if (!zoom_.empty() && std::from_chars(at, end, zoom).ptr != end)
      return Error{"U0005", fmt::format("`{}` is no zoom: give the binary logarithm of a bucket's steps", zoom_)};
    const trace::Overview overview = TRY(ask.overview(zoom));
    return json_ ? trace::to_json(overview) : trace::to_text(overview, file_->recording());
  }

  Result<std::string> lines(trace::Queries& ask) {
    const std::vector<trace::LineSums> lines = TRY(ask.lines());
    if (json_) return trace::to_json(lines, file_->recording());
    return trace::to_text(TRY(ask.summary()), TRY(ask.overview(0)), lines, TRY(file_->sources()));
  }

  Result<std::string> sources() {
    const std::vector<trace::SourceFile> files = TRY(file_->sources());
    if (json_) return trace::sources_answer(files);
    std::string text;
    for (const trace::SourceFile& file : files) text += fmt::format("=== {}\n{}\n", file.name, file.text);
    return text;
  }

  CLI::App* app_ = nullptr;
  std::string path_, range_, next_, zoom_, block_;
  uint32_t warp_ = 0;
  uint64_t step_ = 0;
  bool back_ = false, lines_ = false, sources_ = false, json_ = false;
  std::unique_ptr<trace::TraceFile> file_;
};

}  // namespace

std::unique_ptr<Command> make_view() { return std::make_unique<View>(); }

}  // namespace warpwise::cli
