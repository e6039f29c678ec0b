// Coverage that people can read: the pages made of the tables are current, and what a program lacks is named without
// running it.
#include <gtest/gtest.h>

#include <cstdlib>

#include "toolchain/files.h"
#include "toolchain/process.h"

namespace warpwise::cli {
namespace {

struct Outcome {
  int code;
  std::string text;
  bool has(std::string_view part) const { return text.find(part) != text.npos; }
};

class Missing : public ::testing::Test {
 protected:
  Missing() : folder_(toolchain::TemporaryFolder::create(std::filesystem::temp_directory_path()).value()) {
    setenv("WARPWISE_CACHE_DIR", (folder_.path() / "cache").c_str(), 1);
  }
  static Outcome warpwise(std::vector<std::string> words) {
    words.insert(words.begin(), WARPWISE_PROGRAM);
    auto results = toolchain::run_jobs({{words}});
    if (!results) return {-1, results.error().message};
    return {(*results)[0].exit_code, (*results)[0].output};
  }
  std::string file(const std::string& name, std::string_view content) {
    auto written = toolchain::write_file(folder_.path() / name, content);
    if (!written) ADD_FAILURE() << written.error().message;
    return folder_.path() / name;
  }
  toolchain::TemporaryFolder folder_;
};

TEST_F(Missing, pages_made_of_tables_are_current) {
  for (auto [command, page] : {std::pair{"isa", "docs/isa.md"}, {"api", "docs/cuda_api.md"}}) {
    auto written = toolchain::read_file(std::string(WARPWISE_SOURCE_DIR "/") + page);
    ASSERT_TRUE(written.ok()) << page;
    EXPECT_TRUE(warpwise({command, "--markdown"}).text == *written) << page << " is not current: run `make docs`";
  }
}

TEST_F(Missing, a_program_that_lacks_nothing_is_told_so) {
  std::string source = file("all.cu",
                            "__global__ void k(int* p) { *p = 1; }\n"
                            "int main() { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); return 7; }\n");
  Outcome outcome = warpwise({"run", "--what-is-missing", source});
  EXPECT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_TRUE(outcome.has("nothing: Warpwise has everything")) << outcome.text;
}

TEST_F(Missing, instructions_and_functions_are_named) {
  // A debugger's business, for which there is no plan; and an OpenGL function that will stay missing.
  std::string source = file("lacking.cu",
                            "extern \"C\" int cudaGraphicsGLRegisterBuffer(void**, unsigned, unsigned);\n"
                            "extern \"C\" int cuGLInit();\n"
                            "int main() { return cudaGraphicsGLRegisterBuffer(0, 0, 0); }\n");
  Outcome outcome = warpwise({"run", "--what-is-missing", source});
  EXPECT_EQ(outcome.code, 1) << outcome.text;
  EXPECT_TRUE(outcome.has("functions of the runtime that Warpwise does not have yet:\n  cudaGraphicsGLRegisterBuffer"))
      << outcome.text;
}

// A program with a fat binary that neither imports nor defines the registration: NVIDIA's runtime is inside it,
// without names.
TEST_F(Missing, a_stripped_static_runtime_is_named_with_the_way_out) {
  std::string source = file("stripped.cpp",
                            "__attribute__((section(\".nvFatBinSegment\"), used)) int wrapper[6] = {1};\n"
                            "int main() { return 0; }\n");
  std::string program = folder_.path() / "stripped";
  Outcome built = warpwise({"nvcc", "-o", program, source});
  ASSERT_EQ(built.code, 0) << built.text;
  Outcome outcome = warpwise({"run", program});
  EXPECT_EQ(outcome.code, 126) << outcome.text;
  EXPECT_TRUE(outcome.has("R0206") && outcome.has("-cudart shared")) << outcome.text;
}

// NVIDIA's libraries have that runtime inside them, too, and cannot be linked anew. Here a library with the name of one
// asks for the driver's tables.
TEST_F(Missing, a_library_with_the_static_runtime_is_named) {
  std::string library = folder_.path() / "libcurand.so";
  std::string asking =
      file("library.cpp",
           "#include <dlfcn.h>\n"
           "extern \"C\" void ask() {\n"
           "  auto get = (int (*)(const void**, const void*))dlsym(dlopen(\"libcuda.so.1\", RTLD_NOW), "
           "\"cuGetExportTable\");\n"
           "  const void* table;\n"
           "  volatile int error = get(&table, nullptr);\n"
           "  error = get(&table, nullptr);\n"
           "}\n");
  Outcome built = warpwise({"nvcc", "-shared", "-Xcompiler", "-fPIC", "-o", library, asking});
  ASSERT_EQ(built.code, 0) << built.text;
  std::string source = file("asking.cpp", "extern \"C\" void ask();\nint main() { ask(); return 7; }\n");
  std::string program = folder_.path() / "asking";
  built = warpwise({"nvcc", "-o", program, source, library});
  ASSERT_EQ(built.code, 0) << built.text;
  Outcome outcome = warpwise({"run", program});
  EXPECT_EQ(outcome.code, 7) << outcome.text;
  const std::string said = "`libcurand.so` has NVIDIA's static runtime inside it";
  EXPECT_TRUE(outcome.has(said)) << outcome.text;
  EXPECT_EQ(outcome.text.find(said), outcome.text.rfind(said)) << "said once\n" << outcome.text;
  outcome = warpwise({"run", "--what-is-missing", program});
  EXPECT_EQ(outcome.code, 1) << outcome.text;
  EXPECT_TRUE(outcome.has("libraries that need NVIDIA's driver:\n  " + library + " (cuRAND)")) << outcome.text;
}

TEST_F(Missing, what_is_no_program_is_refused) {
  Outcome outcome = warpwise({"run", "--what-is-missing", file("text", "just text\n")});
  EXPECT_EQ(outcome.code, 125) << outcome.text;
  EXPECT_TRUE(outcome.has("U0009")) << outcome.text;
}

}  // namespace
}  // namespace warpwise::cli
