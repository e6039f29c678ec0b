#include "exec/memory/mapped_segments.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace warpwise::exec {

std::vector<MappedSegment> mapped_segments(uint64_t first, uint64_t last) {
  std::vector<MappedSegment> segments;
  FILE* file = std::fopen("/proc/self/maps", "re");
  if (!file) return segments;
  char* line = nullptr;
  size_t room = 0;
  while (getline(&line, &room, file) > 0) {
    MappedSegment s;
    char permissions[5] = "";
    int name = 0;
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &s.first, &s.last, permissions, &name) < 3 ||
        s.last <= first || s.first >= last)
      continue;
    s.writable = permissions[0] == 'r' && permissions[1] == 'w';
    s.shared = permissions[3] == 's';
    s.name = line + name;
    if (s.name.ends_with('\n')) s.name.pop_back();
    s.first = std::max(s.first, first), s.last = std::min(s.last, last);
    segments.push_back(std::move(s));
  }
  std::free(line);
  std::fclose(file);
  return segments;
}

}  // namespace warpwise::exec
