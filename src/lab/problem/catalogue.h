// The problems there are: folders with a problem.toml below a root, in any depth, and the chapters that lead through
// them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/problem/problem.h"

namespace warpwise::lab {

struct Chapter {
  std::string id, title, about, reading;
};

// A problem's folder that could not be read, with the reason. The other problems can be used all the same.
struct BrokenProblem {
  std::string slug;
  Error error;
};

class Catalogue {
 public:
  // `given`: --problems=; else WARPWISE_PROBLEMS, else the installation's own. L0004 when there is no such folder.
  static Result<Catalogue> open(const std::string& given);

  const std::filesystem::path& root() const { return root_; }
  // "puzzles/map": sorted by path. Reads no problem.toml.
  const std::vector<std::string>& slugs() const { return slugs_; }
  // By slug, or by its last part, where that is unique; L0005 with suggestions. A name that is a puzzle's and a
  // challenge's is the kind of problem that `source` answers (the text of a submission; "" when there is none).
  Result<Problem> find(std::string_view name, std::string_view source = "") const;
  Result<Problem> load(const std::string& slug) const;
  // All problems in the order of the curriculum, those of unknown chapters last.
  std::vector<Problem> all(std::vector<BrokenProblem>* broken = nullptr) const;

  const std::vector<Chapter>& chapters() const { return chapters_; }
  std::filesystem::path quiz_file(const std::string& chapter) const { return root_ / "quizzes" / (chapter + ".toml"); }

 private:
  Result<void> read_curriculum();

  std::filesystem::path root_;
  std::vector<std::string> slugs_;
  std::vector<Chapter> chapters_;
};

}  // namespace warpwise::lab
