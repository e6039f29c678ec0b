#include "perf/report/source_text.h"

#include <fstream>

namespace warpwise::perf {

const std::vector<std::string>& SourceText::lines_of(const std::string& file) {
  auto [entry, fresh] = files_.try_emplace(file);
  if (fresh) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      entry->second.push_back(std::move(line));
    }
  }
  return entry->second;
}

std::string_view SourceText::line(const std::string& file, unsigned number) {
  const std::vector<std::string>& lines = lines_of(file);
  return number >= 1 && number <= lines.size() ? std::string_view(lines[number - 1]) : std::string_view();
}

}  // namespace warpwise::perf
