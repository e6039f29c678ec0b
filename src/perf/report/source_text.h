// Lines of the sources of the program, read once.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::perf {

class SourceText {
 public:
  // Without the newline; "" where there is no such file or line.
  std::string_view line(const std::string& file, unsigned number);
  const std::vector<std::string>& lines_of(const std::string& file);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace warpwise::perf
