// Sources that mean the compiler, not the GPU.
#include "lab/sandbox/compiler.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "toolchain/files.h"

namespace warpwise::lab::sandbox {
namespace {

namespace fs = std::filesystem;

struct Built {
  bool ok = false;
  std::string messages, ended;
  std::vector<std::string> refused;
};

struct Walls {
  Isolation isolation;
  bool loads_once;
};

class Compiler : public testing::TestWithParam<Walls> {
 protected:
  Compiler() : folder_(std::move(toolchain::TemporaryFolder::create(fs::temp_directory_path())).value()) {
    std::ofstream(secret()) << "0x5ec1e7\n";
  }
  std::string secret() const { return folder_.path() / "expected.txt"; }

  // Never from the cache: the source says when it was written.
  Built build(const std::string& text, bool program = false, Limits limits = compiler_limits()) {
    static int count = 0;
    fs::path source = folder_.path() / "submission.cu";
    std::ofstream(source) << text << "\n// " << count++ << " " << folder_.path() << "\n";
    ConfinedCompiler compiler(source, GetParam().isolation, {}, limits, GetParam().loads_once);
    toolchain::BuildRequest request;
    request.flags = std::move(toolchain::parse_flags({source.string()})).value();
    request.compiler = toolchain::CompilerChoice::Clang;
    Built built;
    request.say = [&](std::string_view said) { built.messages += said; };
    compiler.attach_to(request);
    auto cache = toolchain::Cache::from_environment();
    if (program)
      built.ok = toolchain::build_program(request, cache).ok();
    else
      built.ok = toolchain::build_ptx(request, cache).ok();
    built.refused = compiler.refused();
    built.ended = compiler.ended();
    return built;
  }
  void expect_kept_from(const Built& built, const std::string& file) {
    EXPECT_FALSE(built.ok);
    EXPECT_EQ(built.messages.find("0x5ec1e7"), std::string::npos) << built.messages;
    EXPECT_EQ(built.messages.find("root:"), std::string::npos) << built.messages;
    bool named = false;
    for (const std::string& what : built.refused) named |= what == "open " + file;
    EXPECT_TRUE(named) << file << " is not named; messages: " << built.messages;
  }

  toolchain::TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Walls, Compiler,
                         testing::Values(Walls{Isolation::Best, false}, Walls{Isolation::NoNamespaces, false},
                                         Walls{Isolation::Best, true}, Walls{Isolation::NoNamespaces, true}),
                         [](const auto& info) {
                           return std::string(info.param.isolation == Isolation::Best ? "Namespaces" : "NoNamespaces") +
                                  (info.param.loads_once ? "LoadedOnce" : "");
                         });

constexpr const char* kHonest = R"(
#include <cstdio>
#include <cuda_fp16.h>
#include <vector>
__global__ void k(float* a) { a[threadIdx.x] = sinf(a[threadIdx.x]); }
int main() { std::vector<float> v(3); k<<<1, 1>>>(v.data()); return 0; }
)";

TEST_P(Compiler, HonestSources) {
  for (bool program : {false, true}) {
    Built built = build(kHonest, program);
    EXPECT_TRUE(built.ok) << built.messages;
    EXPECT_EQ(built.messages, "");
    for (const std::string& what : built.refused) ADD_FAILURE() << what;
  }
  Built wrong = build("__global__ void k() { undeclared = 1; }");
  EXPECT_FALSE(wrong.ok);
  EXPECT_NE(wrong.messages.find("undeclared"), std::string::npos);
  EXPECT_TRUE(wrong.refused.empty());
}

TEST_P(Compiler, FilesOfOthers) {
  expect_kept_from(build("#include \"/etc/passwd\""), "/etc/passwd");
  expect_kept_from(build("#include \"" + secret() + "\""), secret());
  expect_kept_from(build("#include \"expected.txt\""), secret());
  expect_kept_from(build("static const char text[] = {\n#embed \"/etc/passwd\"\n};"), "/etc/passwd");
  expect_kept_from(build("asm(\".incbin \\\"/etc/passwd\\\"\"); int main() { return 0; }", /*program=*/true),
                   "/etc/passwd");
  expect_kept_from(build("asm(\".include \\\"" + secret() + "\\\"\"); int main() { return 0; }", /*program=*/true),
                   secret());
}

TEST_P(Compiler, Bombs) {
  Limits little = compiler_limits();
  little.memory_bytes = 400 << 20;
  little.processor_seconds = 1;
  Built endless = build(
      "constexpr unsigned long spin() { unsigned long x = 0; for (unsigned long i = 0; i < 1000000; ++i) x += i; "
      "return x; }\n"
      "template <unsigned long n> struct Work { static constexpr unsigned long value = spin() + Work<n - 1>::value; "
      "};\n"
      "template <> struct Work<0> { static constexpr unsigned long value = 0; };\n"
      "__global__ void k(unsigned long* a) { *a = Work<900>::value; }",
      false, little);
  EXPECT_FALSE(endless.ok);
  EXPECT_NE(endless.ended.find("processor time"), std::string::npos) << endless.ended;
  std::string twice = "#define A0 x x x x x x x x\n";
  for (int i = 1; i < 12; ++i) {
    const std::string m = fmt::format("A{} ", i - 1);
    twice += fmt::format("#define A{} ", i) + m + m + m + m + m + m + m + m + "\n";
  }
  Built macros = build(twice + "A11\n", false, little);
  EXPECT_FALSE(macros.ok);
  EXPECT_NE(macros.ended, "") << macros.messages;
}

// A run answers for the dependency file that it has written itself. Another one may be writing its own, and a name that
// is cut short can be that of a folder; the last to end answers for both.
TEST(DependencyFiles, that_another_run_is_writing) {
  const toolchain::TemporaryFolder folder =
      std::move(toolchain::TemporaryFolder::create(fs::temp_directory_path())).value();
  const fs::path source = folder.path() / "submission.cu";
  std::ofstream(source) << "\n";
  ConfinedCompiler compiler(source, Isolation::Best);
  auto run = [&](const std::string& script, const std::string& file) {
    const std::string path = folder.path() / file;
    auto done = compiler.run(toolchain::Job{{"/bin/sh", "-c", script, path, "-MF", path}}, folder.path());
    return done ? done->exit_code : -1;
  };
  std::thread slow([&] {
    EXPECT_EQ(run("printf 'k.o: /usr/lib' > $0; for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done; printf /os-release >> $0",
                  "host.d"),
              0);
  });
  for (int i = 0; i < 1000 && !fs::exists(folder.path() / "host.d"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(run("printf 'k.o: /usr/lib/os-release' > $0", "device.d"), 0);
  slow.join();
  for (const std::string& what : compiler.refused()) EXPECT_NE(what, "open /usr/lib");
  // A file that no run is writing, and one's own.
  EXPECT_EQ(run("printf 'k.o: /dev/zero' > ${0%/*}/host.d; printf 'k.o: /usr/lib/os-release' > $0", "device.d"), 1);
  EXPECT_EQ(run("printf 'k.o: /etc/passwd' > $0", "device.d"), 1);
}

}  // namespace
}  // namespace warpwise::lab::sandbox
