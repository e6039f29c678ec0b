#include "cli/support/measuring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ranges>

#include "base/json.h"
#include "base/suggest.h"
#include "bench/history/history.h"
#include "bench/report/report.h"
#include "cli/exit_codes.h"
#include "cli/support/git_origin.h"
#include "device/gpu/gpu.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

Result<void> write(const std::string& file, const std::string& text) {
  if (file.empty()) return {};
  if (file != "-") return toolchain::write_file(file, text);
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) return Error{"U0002", "the report cannot be written to standard output"};
  return {};
}

// Several shapes stand in one option with commas between them, and a name may have commas of its own: what names a
// shape as it stands is that shape.
std::vector<std::string> names_of_shapes(const std::vector<std::string>& given, const bench::Ladder& ladder) {
  std::vector<std::string> names;
  for (const std::string& words : given) {
    const bool one = std::any_of(ladder.shapes.begin(), ladder.shapes.end(),
                                 [&](const bench::Shape& shape) { return shape.name == words; });
    if (one)
      names.push_back(words);
    else
      for (const auto part : std::views::split(words, ',')) names.emplace_back(part.begin(), part.end());
  }
  return names;
}

}  // namespace

void Measuring::declare(CLI::App& app) {
  app_ = &app;
  app.add_option("--shape", shapes_, "a shape of ladder.toml, or several; `small`, `large` or `all` of them")
      ->allow_extra_args(false)
      ->type_name("NAME");
  app.add_option("--json", json_, "write everything that was measured as JSON (-: to standard output)")
      ->type_name("FILE");
  app.add_option("--html", html_, "write the tables and plots over the shapes as one HTML file")->type_name("FILE");
  app.add_option("--csv", csv_, "write a table (-: to standard output)")->type_name("FILE");
  app.add_option(
         "--baseline", baseline_,
         "compare with the last measurement of a name, NAME@3, or a file of --json; exit with 122 if anything is "
         "slower")
      ->type_name("NAME|FILE");
  app.add_option("--save", save_, "add the measurement to the history of this name")->type_name("NAME");
  app.add_option("--rounds", rounds_, "the most rounds of each version and shape (30)")
      ->check(CLI::Range(6u, 1000u))
      ->type_name("N");
  app.add_option("--seconds", seconds_, "the most seconds of each version and shape (3)")
      ->check(CLI::PositiveNumber)
      ->type_name("S");
  app.add_option("--confidence", confidence_,
                 "stop when the 95 % interval of each median is within so many per cent of it (1)")
      ->check(CLI::PositiveNumber)
      ->type_name("PERCENT");
  app.add_option("--seed", seed_, "of the inputs; 0: another one each time")->type_name("N");
  auto* warm = app.add_flag("--warm", warm_, "each run finds in L2 what a run before has left there");
  app.add_flag("--flush", flush_, "each run finds L2 without its data (the default)")->excludes(warm);
  app.add_option("--compiler", compiler_, "auto (Clang, or nvcc where a header needs it), clang or nvcc")
      ->check(CLI::IsMember({"auto", "clang", "nvcc"}))
      ->type_name("NAME");
  app.add_flag("-q,--quiet", quiet_, "no text");
  engine_.declare(app);
}

Result<std::vector<const bench::Shape*>> Measuring::shapes(const bench::Ladder& ladder) const {
  const bool on_gpu = TRY(engine_.gpu()).has_value();
  std::vector<const bench::Shape*> chosen;
  std::vector<std::string> wanted = names_of_shapes(shapes_, ladder);
  if (wanted.empty()) wanted = {on_gpu ? "large" : "small"};
  for (const std::string& name : wanted) {
    bool known_name = false;
    for (const bench::Shape& shape : ladder.shapes) {
      if (name != shape.name && name != "all" && name != (shape.small ? "small" : "large")) continue;
      known_name = true;
      if (std::find(chosen.begin(), chosen.end(), &shape) == chosen.end()) chosen.push_back(&shape);
    }
    if (known_name) continue;
    std::vector<std::string_view> known;
    for (const bench::Shape& shape : ladder.shapes) known.push_back(shape.name);
    return Error{"U0005", fmt::format("`{}` has no shape `{}`{}", ladder.name, name, did_you_mean(name, known))};
  }
  return chosen;
}

Result<bench::MeasureOptions> Measuring::options() {
  bench::MeasureOptions options;
  options.gpu = TRY(engine_.gpu());
  if (options.gpu) options.pci = TRY(device::gpu::find(*options.gpu))->pci;
  options.engine = dump_json(TRY(engine_.json()));
  options.compiler = compiler_ == "clang"  ? toolchain::CompilerChoice::Clang
                     : compiler_ == "nvcc" ? toolchain::CompilerChoice::Nvcc
                                           : toolchain::CompilerChoice::Automatic;
  options.most_rounds = rounds_;
  options.seconds = seconds_;
  options.wanted_spread = confidence_ / 100;
  options.warm = warm_;
  options.seed = seed_;
  options.progress = [this](const std::string& what) { progress_.show(what); };
  return options;
}

Result<void> Measuring::write_reports(const bench::Measurement& m, const std::string& command) const {
  const perf::Provenance provenance{WARPWISE_VERSION, perf::date_now(), command};
  if (!json_.empty()) TRY(write(json_, dump_json(bench::to_json(m, provenance), 2) + "\n"));
  if (!csv_.empty()) TRY(write(csv_, bench::to_csv(m)));
  if (!html_.empty()) TRY(write(html_, bench::to_html(m, provenance)));
  return {};
}

Result<int> Measuring::against_baseline(const bench::Measurement& m, const std::string& baseline) const {
  const std::vector<bench::Change> changes = TRY(bench::compare_with(m, baseline));
  if (!quiet_) fmt::print(stderr, "{}", bench::to_text(changes, use_color(stderr)));
  const bool worse = std::any_of(changes.begin(), changes.end(),
                                 [](const bench::Change& c) { return c.difference == bench::Difference::Slower; });
  return int{worse ? kGotWorse : kSuccess};
}

Result<void> Measuring::keep(const bench::Measurement& m, const std::string& command) const {
  const auto name = perf::run_name_of(save_);
  if (!name || name->number)
    return Error{"U0005", fmt::format("--save takes a name of letters, digits, `-`, `_` and `+`, not `{}`", save_)};
  const std::string report = dump_json(bench::to_json(m, {WARPWISE_VERSION, perf::date_now(), command}));
  bench::History history = TRY(bench::History::open());
  const std::string file = m.versions.empty() ? "" : m.versions.front().file.string();
  const int64_t number = TRY(history.add(save_, m, report, origin_of(file)));
  if (!quiet_) fmt::print(stderr, "kept as {}@{} ({})\n", save_, number, bench::History::default_file().string());
  return {};
}

Result<bool> Measuring::answers_are_right(const bench::Ladder& ladder, const std::vector<bench::Version>& versions) {
  TRY(engine_.need_virtual("warpwise ladder --check", "the driver does not say which thread did what"));
  bench::MeasureOptions options = TRY(this->options());
  options.timed = false;
  auto measured = bench::measure(ladder, versions, TRY(shapes(ladder)), *TRY(engine_.device()), options);
  progress_.clear();
  const bench::Measurement m = TRY(std::move(measured));
  for (const bench::ShapeResult& s : m.shapes)
    for (size_t i = 0; i < s.cells.size(); ++i)
      if (s.cells[i].verdict != bench::Verdict::Right)
        fmt::print("{}/{}, {}: {}: {}\n", ladder.name, m.versions[i].name, s.shape->name, name_of(s.cells[i].verdict),
                   s.cells[i].why);
  return m.all_right();
}

Result<int> Measuring::run(const bench::Ladder& ladder, const std::vector<bench::Version>& versions,
                           const std::string& command) {
  const device::Properties& device = *TRY(engine_.device());
  const std::vector<const bench::Shape*> chosen = TRY(shapes(ladder));
  // Read before anything is measured, which may take long.
  std::string baseline;
  const bool is_file = baseline_.find_first_of("/.") != baseline_.npos;
  if (is_file) baseline = TRY(toolchain::read_file(baseline_));
  auto measured = bench::measure(ladder, versions, chosen, device, TRY(options()));
  progress_.clear();
  const bench::Measurement m = TRY(std::move(measured));
  if (!quiet_) fmt::print(stderr, "{}", bench::to_text(m, use_color(stderr)));
  TRY(write_reports(m, command));
  if (!m.refusal.empty()) return Error{m.refusal_code, m.refusal};
  if (!m.all_right()) return int{kFailed};
  if (!baseline_.empty() && !is_file) {
    const auto which = perf::run_name_of(baseline_);
    if (!which) return Error{"U0005", fmt::format("`{}` is neither a name of a measurement nor a file", baseline_)};
    baseline = TRY(TRY(bench::History::open()).report(*which, m));
  }
  if (!save_.empty()) TRY(keep(m, command));
  return baseline_.empty() ? int{kSuccess} : TRY(against_baseline(m, baseline));
}

}  // namespace warpwise::cli
