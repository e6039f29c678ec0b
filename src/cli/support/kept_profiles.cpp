#include "cli/support/kept_profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/json.h"
#include "cli/support/git_origin.h"
#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"
#include "perf/counters/records.h"
#include "perf/history/history.h"
#include "perf/history/show.h"
#include "toolchain/files.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

bool is_a_file(const std::string& word) { return word.find_first_of("/.") != word.npos; }

Result<perf::RunName> run_called(const std::string& word) {
  if (auto run = perf::run_name_of(word)) return *run;
  return Error{"U0005",
               fmt::format("`{}` is not a name of a run: letters, digits, `-`, `_` and `+`, and perhaps @NUMBER; "
                           "with `/` or `.` it is a file",
                           word)};
}

Result<perf::Profile> comparable(perf::Profile profile, const std::string& word) {
  if (profile.version == perf::kRecordsVersion) return profile;
  return Error{
      "U0015",
      fmt::format("`{}` was saved by another version of Warpwise, which counted differently: save it again, --save={}",
                  word, word)};
}

}  // namespace

Result<perf::Profile> kept_profile(const std::string& word, const device::Properties& device) {
  if (is_a_file(word)) {
    perf::Profile profile = perf::read_records(TRY(toolchain::read_file(word)));
    if (profile.device.empty())
      return Error{"U0015", fmt::format("`{}` is not what `warpwise profile --save` keeps", word)};
    return comparable(std::move(profile), word);
  }
  const perf::RunName run = TRY(run_called(word));
  auto profile = TRY(perf::History::open()).profile(run, device);
  std::error_code error;
  if (!profile && profile.error().code == "U0014" && fs::is_regular_file(word, error))
    return Error{"U0014",
                 fmt::format("{}; the file here of that name is --baseline=./{}", profile.error().message, word)};
  return comparable(TRY(std::move(profile)), run.name);
}

Result<std::string> keep_profile(const std::string& word, const perf::Analysis& run, const std::string& source) {
  if (is_a_file(word)) {
    TRY(toolchain::write_file(word, perf::to_records(*run.profile)));
    return fmt::format("kept in {}", word);
  }
  const perf::RunName name = TRY(run_called(word));
  if (name.number) return Error{"U0005", fmt::format("a run gets its number when it is saved: --save={}", name.name)};
  // Nothing would be worse than a baseline from half a run.
  if (!run.profile->complete)
    return Error{"U0014", fmt::format("the program ended before its record was complete (a signal, _exit, or no use of "
                                      "the device), so its run is not kept as `{}`",
                                      word)};
  perf::History history = TRY(perf::History::open());
  return fmt::format("kept as {}@{} ({})", word, TRY(history.add(word, run, origin_of(source))),
                     perf::History::default_file().string());
}

Result<void> show_kept_profiles(const std::string& name, const std::string& kernel, const std::string& json) {
  const perf::History history = TRY(perf::History::open());
  const perf::HistoryText options{how_long_ago, kernel, use_color(stdout)};
  nlohmann::ordered_json out;
  std::string text;
  if (name.empty()) {
    const auto names = TRY(history.names());
    out = perf::to_json(names), text = perf::to_text(names, options);
  } else {
    const auto runs = TRY(history.runs(TRY(run_called(name)).name));
    if (runs.empty())
      return Error{"U0014", fmt::format("there is no run called `{}` in the history of profiles", name)};
    out = perf::to_json(name, runs, kernel), text = perf::to_text(name, runs, options);
  }
  if (json.empty())
    fmt::print("{}", text);
  else if (json == "-")
    fmt::print("{}\n", dump_json(out, 2));
  else
    TRY(toolchain::write_file(json, dump_json(out, 2) + "\n"));
  return {};
}

}  // namespace warpwise::cli
