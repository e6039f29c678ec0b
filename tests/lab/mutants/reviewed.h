// Mutants that the sweep refuses although they are as right as their originals, each with the reason (reviewed.toml). A
// person has read every one.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"

namespace warpwise::mutants {

class Reviewed {
 public:
  // L0001: not readable, or an entry without a reason.
  static Result<Reviewed> read(const std::filesystem::path& file);

  // `key`: "puzzles/dot/1-one.cu:7:12: bound-off-by-one: n -> n + 1". Null: it is not in the list.
  const std::string* reason(const std::string& key) const {
    auto found = reasons_.find(key);
    return found == reasons_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, std::string> reasons_;
};

}  // namespace warpwise::mutants
