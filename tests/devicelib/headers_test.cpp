// Programs that must compile, host half and device half, without any header of NVIDIA's. The PTX must be legal (ptxas,
// where it is installed) and contain or lack what the program's own comments say:
//     // has: text        the device half's PTX contains it
//     // lacks: text      … does not
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;

const std::string kSource = WARPWISE_SOURCE_DIR;
const std::string kFlags =
    " -x cuda -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-gpu-arch=sm_90a"
    " -Xclang -target-sdk-version=12.3 -O2 -Wall -Wno-unused -Wno-uninitialized -I" +
    kSource + "/include/cuda -include cuda_runtime.h ";

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}
// Runs a command. Returns its output if it failed or printed anything, else "".
std::string run(const std::string& command, const fs::path& log) {
  const int status = std::system((command + " >" + log.string() + " 2>&1").c_str());
  const std::string said = read(log);
  return status == 0 ? said : said + "\nfailed: " + command;
}
std::vector<std::string> comments(const std::string& source, const std::string& word) {
  std::vector<std::string> found;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("// " + word + ": ", 0) == 0) found.push_back(line.substr(word.size() + 5));
  return found;
}

std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kSource + "/tests/devicelib/headers"))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Programs : public testing::TestWithParam<std::string> {};

TEST_P(Programs, CompileToLegalPtx) {
  const fs::path source = kSource + "/tests/devicelib/headers/" + GetParam() + ".cu";
  const fs::path folder = fs::temp_directory_path() / ("warpwise_headers_" + GetParam());
  fs::create_directories(folder);
  const std::string ptx_file = (folder / "k.ptx").string(), text = read(source);
  ASSERT_FALSE(text.empty());

  EXPECT_EQ(
      run(WARPWISE_CLANG + kFlags +
              "--cuda-device-only --cuda-feature=+ptx85 -Xclang -mlink-builtin-bitcode -Xclang " WARPWISE_DEVICELIB
              " -S -o " +
              ptx_file + " " + source.string(),
          folder / "log"),
      "");
  EXPECT_EQ(run(WARPWISE_CLANG + kFlags + "--cuda-host-only -c -o " + (folder / "k.o").string() + " " + source.string(),
                folder / "log"),
            "");
  const std::string ptx = read(ptx_file);
  EXPECT_NE(ptx.find(".version"), std::string::npos);
  std::istringstream lines(ptx);
  for (std::string line, before; std::getline(lines, line); before = line)
    EXPECT_TRUE(before.rfind(".extern .func", 0) != 0 || line.rfind("__nv_", 0) != 0) << line << " was not linked";
  for (const std::string& what : comments(text, "has")) EXPECT_NE(ptx.find(what), std::string::npos) << what;
  for (const std::string& what : comments(text, "lacks")) EXPECT_EQ(ptx.find(what), std::string::npos) << what;
  if (std::string(WARPWISE_PTXAS) != "") {
    EXPECT_EQ(run(WARPWISE_PTXAS " -arch=sm_90a -o /dev/null " + ptx_file, folder / "log"), "");
  }
  fs::remove_all(folder);
}
// The API alone, for compilers without CUDA.
TEST(Headers, PlainCAndCpp) {
  const std::string folder = kSource + "/tests/devicelib/headers/",
                    include = " -I" + kSource + "/include/cuda -Wall -fsyntax-only ";
  const fs::path log = fs::temp_directory_path() / "warpwise_headers_plain";
  EXPECT_EQ(run("cc -std=c11" + include + folder + "plain_c.c", log), "");
  EXPECT_EQ(run("c++ -std=c++17" + include + folder + "plain_cpp.cpp", log), "");
}

// nvcc's errors for the built-in atomic functions are errors here, too, in a sentence that names the reason.
TEST(Headers, RefusedAtomics) {
  struct Refused {
    std::string statement, text;
  };
  const Refused calls[] = {
#define REFUSED(statement, text) {#statement, text},
#include "headers/refused_atomics.inc"
#undef REFUSED
  };
  const fs::path source = fs::temp_directory_path() / "warpwise_refused_atomics.cu",
                 log = fs::temp_directory_path() / "warpwise_refused_atomics";
  for (const Refused& call : calls) {
    std::ofstream(source) << "__global__ void k(int* i, long long* l, short* s, float* f, int order) {\n  "
                          << call.statement << ";\n}\n";
    const std::string said =
        run(WARPWISE_CLANG + kFlags + "--cuda-device-only --cuda-feature=+ptx85 -fsyntax-only " + source.string(), log);
    EXPECT_NE(said.find("error: "), std::string::npos) << call.statement;
    EXPECT_NE(said.find(call.text), std::string::npos) << call.statement << "\n" << said;
  }
  fs::remove(source);
}

INSTANTIATE_TEST_SUITE_P(Headers, Programs, testing::ValuesIn(programs()), [](const auto& info) { return info.param; });

}  // namespace
