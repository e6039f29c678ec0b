// Lines of source files, for people.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/finding.h"

namespace warpwise::check::report {

class SourceFiles {
 public:
  // Without its end; "" when there is no such file or line.
  std::string_view line(const std::string& file, uint32_t number);
  // The line of a place, and a caret under its column, or a line under its text where the column is not known.
  //     12 |   y[i] = 0;           12 |   cudaMalloc(&a, 4);
  //        |   ^                      |   ~~~~~~~~~~~~~~~~~~
  std::string excerpt(const SourcePlace& place, bool color);

 private:
  std::map<std::string, std::unique_ptr<SourceText>> files_;  // null: cannot be read
};

// The path from the current folder where the file lies below it, else as it is.
std::string short_path(const std::string& file);

}  // namespace warpwise::check::report
