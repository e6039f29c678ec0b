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
  // The slugs that a word of the user's means: a slug, its last part, or a number of `warpwise lab list` ("21",
  // "challenges/2"); with underscores in place of hyphens, and as the name of a file, too.
  std::vector<std::string> matches(std::string_view word) const;
  // The problem that matches; L0005 with suggestions. If several do (a puzzle and a challenge), it is the kind of
  // problem that `source` answers (the text of a submission; "" when there is none).
  Result<Problem> find(std::string_view word, std::string_view source = "") const;
  // The same for the name of a file, where a number says nothing.
  Result<Problem> find_by_file(const std::filesystem::path& file, std::string_view source) const;
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
