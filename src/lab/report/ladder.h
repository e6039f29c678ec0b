// The problem's own solutions as a ladder: how long each would take in the timed case, by the model.
//
// A step's time is the same until its source, the problem or the model changes, so it is stored. The times of our own
// problems for the default device are in ladders.json beside them (`warpwise lab verify --ladders` writes it). All
// others are in the cache once they have been measured.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "lab/problem/problem.h"
#include "lab/report/performance.h"

namespace warpwise::lab {

class Ladder {
 public:
  // `root`: of the problems, where ladders.json may be.
  static Result<Ladder> open(const Problem& problem, const std::filesystem::path& root, const std::string& device);

  // The problem has a timed case, so it can have a ladder.
  bool any() const { return !steps_.empty(); }
  // Every step's time is known.
  bool known() const;
  // Judges the solutions that are not known, two or more at once.
  Result<void> measure(unsigned jobs);
  // From naive to best; steps that could not be timed are left out.
  std::vector<LadderStep> steps() const;

  // The steps as ladders.json holds them: file, key, seconds.
  std::string to_json() const;

 private:
  struct Step {
    std::filesystem::path source;
    std::string about, key;
    std::optional<double> seconds;
  };
  explicit Ladder(const Problem& problem) : problem_(&problem) {}
  std::string cache_key(const Step& step) const;

  const Problem* problem_;
  std::string device_;
  std::vector<Step> steps_;
};

}  // namespace warpwise::lab
