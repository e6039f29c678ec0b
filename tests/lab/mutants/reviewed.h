// What a person has decided about mutants that were accepted (reviewed.toml), each with the reason: those that are
// right although their sweep refuses them, and those that are wrong although it accepts them, because no shape that can
// be run shows it.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"

namespace warpwise::mutants {

class Reviewed {
 public:
  struct Entry {
    bool right = false;
    std::string reason;
  };

  // L0001: not readable, or an entry without a reason.
  static Result<Reviewed> read(const std::filesystem::path& file);

  // `key`: "puzzles/dot/1-one.cu:7:12: bound-off-by-one: n -> n + 1". Null: it is not in the list.
  const Entry* find(const std::string& key) const {
    auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace warpwise::mutants
