// The times of the runs of a program: `warpwise profile --save=NAME` adds a run to a database (database/database.h),
// --baseline=NAME compares a new run with the last one of that name, --history draws them.
//
//     main   @1  3 days ago   1a2b3c4d    h100   1.23 ms
//            @2  2 days ago   5e6f7a8b    h100   1.10 ms   -11 %
//            @3  just now     5e6f7a8b+   a100   2.01 ms            another device: another series of runs
//
// Two things are kept of a run: its records, from which a baseline is modelled again, so that it survives a change of
// the model; and the times as they were reported, which a history shows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"
#include "perf/report/analysis.h"

namespace warpwise::perf {

// Where the source of a run stood in its version control.
struct Origin {
  std::string commit;    // "" outside of a checkout
  bool changed = false;  // the checkout had uncommitted changes
};

struct KeptKernel {
  std::string kernel, grid, block;
  uint64_t launches = 0;
  double seconds = 0;
  std::string limiter;
  std::string metrics;  // JSON
};

struct KeptRun {
  int64_t number = 0;
  std::string at;
  Origin origin;
  std::string program, device;
  double seconds = 0;
  std::vector<KeptKernel> kernels;  // most time first
};

struct KeptName {
  std::string name, device;  // a name has an entry for each device
  int64_t runs = 0;
  std::string last_at;
  double first_seconds = 0, last_seconds = 0;
};

// A run of the history as the command line names it: `main` is the last one, `main@3` the third.
struct RunName {
  std::string name;
  std::optional<int64_t> number;
};
// Nothing: the text is none. Names are letters, digits, `-`, `_` and `+`.
std::optional<RunName> run_name_of(std::string_view text);

class History {
 public:
  // The user's own. U0013 when it cannot be opened, and when the database says no.
  static Result<History> open();
  static Result<History> open(const std::filesystem::path& file);
  static std::filesystem::path default_file();

  // The answer is the run's number.
  Result<int64_t> add(std::string_view name, const Analysis& run, const Origin& origin);
  // What was counted in the last run of this name on this device, or in one by its number. U0014 when there is none.
  Result<Profile> profile(const RunName& run, const device::Properties& device) const;
  // Oldest first. None when nothing has this name.
  Result<std::vector<KeptRun>> runs(std::string_view name) const;
  // By the time of their last run, the latest first.
  Result<std::vector<KeptName>> names() const;

 private:
  explicit History(database::Database database) : database_(std::move(database)) {}

  database::Database database_;
};

}  // namespace warpwise::perf
