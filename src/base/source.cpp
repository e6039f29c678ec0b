#include "base/source.h"

#include <algorithm>

namespace warpwise {

bool SourceText::contains(Span span) const {
  return span.data() >= text_.data() && span.data() + span.size() <= text_.data() + text_.size();
}

const std::vector<uint32_t>& SourceText::line_starts() const {
  if (line_starts_.empty()) {
    line_starts_.push_back(0);
    for (size_t i = 0; i < text_.size(); ++i)
      if (text_[i] == '\n') line_starts_.push_back(static_cast<uint32_t>(i + 1));
  }
  return line_starts_;
}

LineColumn SourceText::locate(Span span) const {
  if (span.data() == nullptr || !contains(span)) return {};
  auto offset = static_cast<uint32_t>(span.data() - text_.data());
  const auto& starts = line_starts();
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  auto line = static_cast<uint32_t>(after - starts.begin());
  return {line, offset - starts[line - 1] + 1};
}

std::string_view SourceText::line(uint32_t number) const {
  const auto& starts = line_starts();
  if (number == 0 || number > starts.size()) return {};
  std::string_view rest = std::string_view(text_).substr(starts[number - 1]);
  std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace warpwise
