#include "toolchain/messages.h"

#include <algorithm>

namespace warpwise::toolchain {
namespace {

// Without colours: `\033[…m`.
std::string plain(std::string_view line) {
  std::string text;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\033' && i + 1 < line.size() && line[i + 1] == '[') {
      while (i < line.size() && line[i] != 'm') ++i;
      continue;
    }
    text += line[i];
  }
  return text;
}

bool begins_message(std::string_view line) {
  return line.find("error: ") != line.npos || line.find("warning: ") != line.npos ||
         line.starts_with("In file included from ");
}

// "3 errors generated when compiling for sm_90a."
bool is_summary(std::string_view line) {
  return line.find(" generated") != line.npos &&
         (line.find("error") != line.npos || line.find("warning") != line.npos) && line[0] >= '0' && line[0] <= '9';
}

}  // namespace

std::string MessageFilter::unseen(std::string_view output) {
  std::string kept, message;
  bool includes_only = false;  // `In file included from` opens a message that the error line continues
  auto finish = [&] {
    if (!message.empty() && seen_.insert(plain(message)).second) kept += message;
    message.clear();
  };
  while (!output.empty()) {
    size_t end = std::min(output.find('\n'), output.size() - 1);
    std::string_view line = output.substr(0, end + 1);
    output.remove_prefix(end + 1);
    std::string text = plain(line);
    bool include = text.starts_with("In file included from ") || text.starts_with("                 from ");
    if (is_summary(text)) {
      finish();
      continue;
    }
    if (begins_message(text) && !includes_only) finish();
    includes_only = include;
    message += line;
  }
  finish();
  if (!kept.empty() && kept.back() != '\n') kept += '\n';
  return kept;
}

std::vector<std::string> missing_headers(std::string_view messages) {
  std::vector<std::string> names;
  std::string text = plain(messages);
  constexpr std::string_view kClang = "' file not found", kGcc = ": No such file or directory";
  for (size_t at = 0; (at = text.find(kClang, at)) != text.npos; at += kClang.size())
    if (size_t open = text.rfind('\'', at - 1); open != text.npos)
      names.push_back(text.substr(open + 1, at - open - 1));
  for (size_t at = 0; (at = text.find(kGcc, at)) != text.npos; at += kGcc.size())
    if (size_t open = text.rfind(' ', at - 1); open != text.npos) names.push_back(text.substr(open + 1, at - open - 1));
  return names;
}

}  // namespace warpwise::toolchain
