// Wrong calls return codes that the manual lists for the function. The output of the programs with wrong calls is
// compared with the comments of the toolkit's own headers, which are the manual's text (CUDA Runtime API 13.0, chapter
// 6; CUDA Driver API 13.0, chapter 6). The codes of NVRTC and nvJitLink come from NVIDIA's libraries themselves
// (programs/compiler_misuse.cu).
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

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

struct Excuse {
  const char *function, *code;
};

// One API: where its manual is, how codes and declarations are written there, and which programs call it wrongly.
struct Api {
  const char *header, *code, *declaration;
  std::vector<const char*> programs;
  const char* line;  // "function(arguments) -> code"
  std::vector<Excuse> excuses;
  size_t functions_asked;  // at least
};

// A comment "/** ... */" describes the functions up to the next one; its list of related functions (\sa) is not
// searched for codes.
Codes documented(const Api& api, const std::string& header) {
  Codes codes;
  for (size_t at = header.find("/**"); at != header.npos;) {
    const size_t close = header.find("*/", at), next = header.find("/**", at + 3);
    if (close == header.npos) break;
    const std::string comment = header.substr(at, close - at);
    const std::set<std::string> listed = matches(comment.substr(0, comment.find("\\sa")), api.code);
    for (const std::string& function :
         matches(header.substr(close, next == header.npos ? next : next - close), api.declaration))
      codes[function].insert(listed.begin(), listed.end());
    at = next;
  }
  return codes;
}

void expect_documented(const Api& api) {
  const std::string header = read_file(api.header);
  if (header.empty()) GTEST_SKIP() << "the toolkit's header is not installed";
  const Codes manual = documented(api, header);
  ASSERT_GT(manual.size(), 250u);
  Codes excused;
  for (const Excuse& excuse : api.excuses) excused[excuse.function].insert(excuse.code);
  std::set<std::string> functions;
  Codes used;
  const std::regex line(api.line);
  for (const char* program : api.programs) {
    std::ifstream file(std::string(WARPWISE_SOURCE_DIR "/tests/cuda/programs/") + program + ".expected");
    std::smatch parts;
    for (std::string text; std::getline(file, text);) {
      if (!std::regex_match(text, parts, line)) continue;
      const std::string function = parts[1], code = parts[2];
      // The codes of these functions are those of other calls; kernels are launched in many ways, of which the header
      // describes one.
      if (function == "cudaGetLastError" || function == "cudaPeekAtLastError" || !manual.count(function) ||
          manual.at(function).empty())
        continue;
      functions.insert(function);
      if (manual.at(function).count(code)) continue;
      used[function].insert(code);
      EXPECT_TRUE(excused[function].count(code))
          << program << ": " << text << "\n  the manual does not list it (undocumented_codes.inc takes reasons)";
    }
  }
  EXPECT_GE(functions.size(), api.functions_asked) << "functions whose mistakes are asked";
  for (const auto& [function, codes] : excused)
    for (const std::string& code : codes)
      EXPECT_TRUE(used[function].count(code))
          << function << " " << code << " in undocumented_codes.inc: nothing answers so";
}

TEST(DocumentedErrors, of_the_runtime) {
  expect_documented({"/usr/local/cuda/include/cuda_runtime_api.h",
                     "::(cudaError[A-Za-z]+)",
                     "CUDARTAPI\\s+([A-Za-z0-9_]+)\\s*\\(",
                     {"api_behaviour", "api_more", "api_misuse"},
                     "(cuda[A-Za-z0-9]+)\\(.*\\) -> (cudaError[A-Za-z]+).*",
#define UNDOCUMENTED(function, code, reason) {#function, #code},
#define UNDOCUMENTED_OF_DRIVER(function, code, reason)
                     {
#include "undocumented_codes.inc"
                     },
#undef UNDOCUMENTED
#undef UNDOCUMENTED_OF_DRIVER
                     100});
}

TEST(DocumentedErrors, of_the_driver) {
  expect_documented(
      {"/usr/local/cuda/include/cuda.h",
       "::?(CUDA_ERROR_[A-Z_]+)",
       "CUDAAPI\\s+([A-Za-z0-9_]+)\\s*\\(",
       {"driver_behaviour", "driver_objects", "driver_misuse", "driver_graph_misuse", "driver_copy_misuse"},
       "(cu[A-Z][A-Za-z0-9]*)\\(.*\\) -> (CUDA_ERROR_[A-Z_]+).*",
#define UNDOCUMENTED(function, code, reason)
#define UNDOCUMENTED_OF_DRIVER(function, code, reason) {#function, #code},
       {
#include "undocumented_codes.inc"
       },
#undef UNDOCUMENTED
#undef UNDOCUMENTED_OF_DRIVER
       260});
}

}  // namespace
}  // namespace warpwise
