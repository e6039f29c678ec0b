// Wrong calls get codes that the manual lists for the function: what the programs api_behaviour, api_more and api_misuse print
// is held against the comments of the toolkit's own header, which are the manual's text.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace warpwise {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

using Codes = std::map<std::string, std::set<std::string>>;

std::set<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

// A comment "/** ... */" speaks of the functions up to the next one; its list of related ones (\sa) says nothing of codes.
Codes documented(const std::string& header) {
  Codes codes;
  for (size_t at = header.find("/**"); at != header.npos;) {
    const size_t close = header.find("*/", at), next = header.find("/**", at + 3);
    if (close == header.npos) break;
    const std::string comment = header.substr(at, close - at);
    const std::set<std::string> listed = matches(comment.substr(0, comment.find("\\sa")), "::(cudaError[A-Za-z]+)");
    for (const std::string& function : matches(header.substr(close, next == header.npos ? next : next - close), "CUDARTAPI\\s+([A-Za-z0-9_]+)\\s*\\("))
      codes[function].insert(listed.begin(), listed.end());
    at = next;
  }
  return codes;
}

TEST(DocumentedErrors, wrong_calls_get_codes_of_the_manual) {
  const std::string header = read_file("/usr/local/cuda/include/cuda_runtime_api.h");
  if (header.empty()) GTEST_SKIP() << "the toolkit's header is not installed";
  const Codes manual = documented(header);
  ASSERT_GT(manual.size(), 250u);
  Codes excused;
#define UNDOCUMENTED(function, code, reason) excused[#function].insert(#code);
#include "undocumented_codes.inc"
#undef UNDOCUMENTED
  std::set<std::string> functions;
  Codes used;
  const std::regex line("(cuda[A-Za-z0-9]+)\\(.*\\) -> (cuda[A-Za-z]+).*");
  for (const char* program : {"api_behaviour", "api_more", "api_misuse"}) {
    std::ifstream file(std::string(WARPWISE_SOURCE_DIR "/tests/cuda/programs/") + program + ".expected");
    std::smatch parts;
    for (std::string text; std::getline(file, text);) {
      if (!std::regex_match(text, parts, line) || parts[2] == "cudaSuccess") continue;
      const std::string function = parts[1], code = parts[2];
      // What these answer are other calls' codes; kernels are launched in many ways, of which the header describes one.
      if (function == "cudaGetLastError" || function == "cudaPeekAtLastError" || !manual.count(function) || manual.at(function).empty()) continue;
      functions.insert(function);
      if (manual.at(function).count(code)) continue;
      used[function].insert(code);
      EXPECT_TRUE(excused[function].count(code)) << program << ": " << text << "\n  the manual does not list it (undocumented_codes.inc takes reasons)";
    }
  }
  EXPECT_GE(functions.size(), 100u) << "functions whose mistakes are asked";
  for (const auto& [function, codes] : excused)
    for (const std::string& code : codes) EXPECT_TRUE(used[function].count(code)) << function << " " << code << " in undocumented_codes.inc: nothing answers so";
}

}  // namespace
}  // namespace warpwise
