// The whole toolchain, with the compilers of this machine.
#include "toolchain/build.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "temporary.h"
#include "toolchain/messages.h"
#include "toolchain/openmp.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

constexpr const char* kKernel = "#include \"scale.h\"\n__global__ void scale(float* x) { x[threadIdx.x] *= kScale; }\n";

class BuildPtx : public ::testing::Test {
 protected:
  BuildPtx() : cache_(folder_.path() / "cache") {
    put(folder_.path() / "k.cu", kKernel);
    put(folder_.path() / "scale.h", "constexpr float kScale = 3.0f;\n");
    request_.flags.inputs = {folder_.path() / "k.cu"};
    request_.compiler = CompilerChoice::Clang;
    request_.say = [this](std::string_view text) { said_ += text; };
    usleep(20'000);  // sources that are as young as the build itself are not trusted to be unchanged
  }
  std::string ptx() {
    auto made = build_ptx(request_, cache_);
    if (!made) return made.error().code;
    return made->size() == 1 ? (*made)[0].ptx : "";
  }
  TemporaryFolder folder_ = test_folder();
  Cache cache_;
  BuildRequest request_;
  std::string said_;
};

TEST_F(BuildPtx, sources_that_programs_share_are_compiled_once) {
  const std::string shared = folder_.path() / "shared.cu", header = folder_.path() / "scale.h";
  put(shared, std::string(kKernel) + "void run(float* x) { scale<<<1, 32>>>(x); }\n");
  for (const char* name : {"one", "two"})
    put(folder_.path() / (std::string(name) + ".cu"),
        std::string("void run(float* x);\nint main() { run(nullptr); } // ") + name + "\n");
  usleep(20'000);
  request_.flags.verbose = true;
  auto times_compiled = [&](const std::string& main, const std::string& source) {
    said_.clear();
    request_.flags.inputs = {folder_.path() / main, shared};
    const auto made = build_program(request_, cache_);
    EXPECT_TRUE(made.ok()) << said_;
    EXPECT_TRUE(made.ok() && fs::exists(made->executable)) << said_;
    size_t out = 0;
    for (size_t at = 0; (at = said_.find(" " + source + "\n", at)) != said_.npos; ++at) ++out;
    return out;
  };
  EXPECT_EQ(times_compiled("one.cu", shared), 2u) << "for the device and for the host: " << said_;
  EXPECT_EQ(times_compiled("two.cu", shared), 0u) << said_;
  EXPECT_EQ(times_compiled("two.cu", folder_.path() / "two.cu"), 0u) << "the program is there: " << said_;
  // Its PTX stands beside each program, and what is made of a header that has changed is made anew.
  put(header, "constexpr float kScale = 5.0f;\n");
  usleep(20'000);
  EXPECT_EQ(times_compiled("one.cu", shared), 2u) << said_;
  EXPECT_EQ(times_compiled("two.cu", shared), 0u) << said_;
  // A compiler's warning is said for each program.
  put(shared, std::string(kKernel) + "#warning \"look here\"\nvoid run(float* x) { scale<<<1, 32>>>(x); }\n");
  usleep(20'000);
  for (const char* main : {"one.cu", "two.cu"}) {
    times_compiled(main, shared);
    EXPECT_NE(said_.find("look here"), said_.npos) << said_;
  }
}

TEST_F(BuildPtx, sources_find_the_macros_of_nvcc) {
  put(folder_.path() / "k.cu",
      "#if !defined(__NVCC__) || !defined(__CUDACC__) || __CUDACC_VER_MAJOR__ < 12\n#error not nvcc\n#endif\n"
      "__global__ void scale(float* x) { *x = 1; }\n");
  EXPECT_NE(ptx().find("scale"), std::string::npos) << said_;
}

TEST_F(BuildPtx, comes_from_the_cache_until_something_changes) {
  request_.flags.verbose = true;
  std::string first = ptx();
  EXPECT_NE(first.find(".visible .entry _Z5scalePf"), std::string::npos) << first << said_;
  EXPECT_NE(first.find("0f40400000"), std::string::npos) << "3.0f";
  EXPECT_NE(first.find(".loc"), std::string::npos) << "source lines";
  EXPECT_NE(said_.find("--cuda-device-only"), std::string::npos);

  said_.clear();
  EXPECT_EQ(ptx(), first);
  EXPECT_EQ(said_, "") << "nothing was compiled";

  put(folder_.path() / "scale.h", "constexpr float kScale = 5.0f;\n");
  usleep(20'000);
  EXPECT_NE(ptx().find("0f40A00000"), std::string::npos) << "5.0f";

  said_.clear();
  put(folder_.path() / "scale.h", "constexpr float kScale = 3.0f;\n");
  EXPECT_EQ(ptx(), first) << "the earlier variant is still there";
  EXPECT_EQ(said_, "");

  request_.flags.clang.both = {"-DUNUSED"};
  ptx();
  EXPECT_NE(said_, "") << "other flags";
}

// precompiled.h: flags that no header was prepared for get the text, and the same PTX.
TEST_F(BuildPtx, a_header_compiled_ahead_changes_nothing) {
  request_.flags.verbose = true;
  std::string first = ptx();
  if (said_.find("-include-pch") == said_.npos) GTEST_SKIP() << "nothing was prepared in this build folder";
  said_.clear();
  request_.flags.clang.both = {"-DUNUSED"};
  EXPECT_EQ(ptx(), first);
  EXPECT_NE(said_.find("-include cuda_runtime.h"), std::string::npos) << said_;
}

TEST_F(BuildPtx, a_source_that_begins_with_halves_finds_them_compiled_ahead) {
  request_.flags.verbose = true;
  ptx();
  const auto header = [&] {
    const size_t at = said_.find("-include-pch ");
    return at == said_.npos ? "" : said_.substr(at, said_.find(".pch ", at) - at);
  };
  const std::string plain = header();
  if (plain.empty()) GTEST_SKIP() << "nothing was prepared in this build folder";
  const std::string kernel = "#include <cuda_fp16.h>\n__global__ void twice(half* x) { *x = __hadd(*x, *x); }\n";
  put(folder_.path() / "k.cu", kernel);
  said_.clear();
  const std::string first = ptx();
  EXPECT_NE(first.find("add.f16"), first.npos) << said_;
  EXPECT_NE(header(), plain);
  EXPECT_NE(header(), "") << said_;
  request_.flags.clang.both = {"-DUNUSED"};
  said_.clear();
  EXPECT_EQ(ptx(), first) << "from its text";
  EXPECT_EQ(header(), "") << said_;
  request_.flags.clang.both = {};
  // What stands above it may decide what it means.
  put(folder_.path() / "k.cu", "#define __CUDA_NO_HALF_OPERATORS__\n" + kernel);
  said_.clear();
  EXPECT_NE(ptx(), "T0003") << said_;
  EXPECT_EQ(header(), plain);
}

TEST_F(BuildPtx, a_header_compiled_ahead_serves_with_include_folders_that_do_not_shadow_it) {
  request_.flags.verbose = true;
  std::string first = ptx();
  if (said_.find("-include-pch") == said_.npos) GTEST_SKIP() << "nothing was prepared in this build folder";
  const fs::path folder = folder_.path() / "more";
  fs::create_directories(folder / "sys");
  put(folder / "helper.h", "\n");
  put(folder / "sys/helper.h", "\n");
  request_.flags.clang.both = {"-I" + folder.string()};
  said_.clear();
  EXPECT_EQ(ptx(), first);
  EXPECT_NE(said_.find("-include-pch"), std::string::npos) << said_;

  put(folder / "sys/types.h", "#include_next <sys/types.h>\n#define READ_FIRST\n");
  said_.clear();
  EXPECT_EQ(ptx(), first) << "the same program";
  put(folder_.path() / "k.cu", "#ifndef READ_FIRST\n#error <sys/types.h> is not the folder's\n#endif\n");
  said_.clear();
  ptx();
  EXPECT_NE(said_.find("-include cuda_runtime.h"), std::string::npos) << said_;
  EXPECT_EQ(said_.find("error:"), std::string::npos) << said_;
}

TEST_F(BuildPtx, launches_may_be_written_with_blanks) {
  put(folder_.path() / "k.cu",
      "__global__ void one(int* x) { *x = 1; }\nvoid start(int* x) {\n  one << <1, 32 >> > (x);\n  undeclared;\n}\n");
  EXPECT_EQ(ptx(), "T0003");
  EXPECT_NE(said_.find("k.cu:4:3: error: use of undeclared identifier"), std::string::npos)
      << "the file is called as it is: " << said_;
  EXPECT_EQ(said_.find("k.cu:3:"), std::string::npos) << said_;
}

// As nvcc's: what a caller does not look at may be missing.
TEST_F(BuildPtx, a_function_may_end_without_its_return) {
  for (BuildPurpose purpose : {BuildPurpose::Run, BuildPurpose::Check}) {
    put(folder_.path() / "k.cu", "__device__ int store(int* x) { *x = 1; }\n__global__ void k(int* x) { store(x); }\n");
    request_.purpose = purpose;
    const std::string made = ptx();
    EXPECT_NE(made.find("st."), std::string::npos) << made << said_;
    EXPECT_EQ(made.find("trap"), std::string::npos) << made;
  }
}

TEST_F(BuildPtx, a_program_without_its_ptx_is_not_kept) {
  put(folder_.path() / "k.cu", "__global__ void one(int* x) { *x = 1; }\nint main() { one<<<1, 1>>>(nullptr); }\n");
  usleep(20'000);
  BuildRequest forgetful = request_;
  forgetful.runner = [](const Job& job, const fs::path& folder) -> Result<JobResult> {
    auto results = run_jobs({job});
    if (!results) return results.error();
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".ptx") fs::remove(entry.path());
    return results->at(0);
  };
  (void)build_program(forgetful, cache_);
  auto program = build_program(request_, cache_);
  ASSERT_TRUE(program.ok()) << said_;
  EXPECT_FALSE(program->from_cache);
  bool ptx = false;
  for (const auto& entry : fs::directory_iterator(program->modules)) ptx = ptx || entry.path().extension() == ".ptx";
  EXPECT_TRUE(ptx);
}

// What is compiled for a terminal is found by those who write to a pipe, and what the compiler said is plain there.
TEST_F(BuildPtx, colours_make_no_difference_to_what_is_kept) {
  put(folder_.path() / "k.cu",
      "__global__ void one(int* x) { int y; *x = y; }\nint main() { one<<<1, 1>>>(nullptr); }\n");
  usleep(20'000);
  request_.warn_uninitialised = true;
  request_.color = true;
  ASSERT_TRUE(build_program(request_, cache_).ok()) << said_;
  EXPECT_NE(said_.find("\033["), std::string::npos) << said_;
  EXPECT_NE(said_.find("'y' is uninitialized"), std::string::npos) << said_;
  const std::string coloured = said_;
  said_.clear();
  request_.color = false;
  const auto program = build_program(request_, cache_);
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(program->from_cache);
  EXPECT_EQ(said_, without_colours(coloured));
}

TEST_F(BuildPtx, mistakes_are_told_once_with_a_header_compiled_ahead) {
  put(folder_.path() / "k.cu", "__global__ void broken(float* x) { *x = nothing; }\n");
  EXPECT_EQ(ptx(), "T0003");
  EXPECT_NE(said_.find("undeclared identifier 'nothing'"), std::string::npos) << said_;
}

TEST_F(BuildPtx, follows_the_device) {
  request_.device_architecture = 75;
  EXPECT_NE(ptx().find(".target sm_75"), std::string::npos);
}

TEST_F(BuildPtx, shows_what_the_compiler_says) {
  put(folder_.path() / "k.cu", "__global__ void k() { x = 1; }\n");
  EXPECT_EQ(ptx(), "T0003");
  EXPECT_NE(said_.find("k.cu:1:23: error: use of undeclared identifier 'x'"), std::string::npos) << said_;
}

TEST_F(BuildPtx, names_the_toolkit_when_its_headers_are_missing) {
  put(folder_.path() / "k.cu", "#include <thrust/device_vector.h>\n");
  EXPECT_EQ(ptx(), "T0007");
  const char* before = std::getenv("WARPWISE_NVCC");
  const std::string restored = before ? before : "";
  setenv("WARPWISE_NVCC", "/bin/true", 1);
  EXPECT_EQ(build_ptx(request_, cache_).error().message,
            "`thrust/device_vector.h` comes with NVIDIA's CUDA toolkit: --compiler=nvcc finds it");
  setenv("WARPWISE_NVCC", "/none/nvcc", 1);
  EXPECT_EQ(build_ptx(request_, cache_).error().message,
            "`thrust/device_vector.h` comes with NVIDIA's CUDA toolkit, and nvcc is not installed");
  before ? setenv("WARPWISE_NVCC", restored.c_str(), 1) : unsetenv("WARPWISE_NVCC");
}

TEST_F(BuildPtx, works_without_a_cache) {
  cache_ = Cache("/proc/nowhere");
  EXPECT_NE(ptx().find(".entry"), std::string::npos);
}

TEST_F(BuildPtx, refuses_what_is_no_source) {
  request_.flags.inputs = {"k.txt"};
  EXPECT_EQ(ptx(), "T0008");
  request_.flags.inputs = {"absent.cu"};
  EXPECT_EQ(ptx(), "U0001");
  request_.flags.inputs = {};
  EXPECT_EQ(ptx(), "T0008");
}

TEST_F(BuildPtx, lets_nvcc_have_the_last_word) {
  if (!find_nvcc() || !find_clang()) GTEST_SKIP() << "it takes both compilers";
  request_.compiler = CompilerChoice::Automatic;
  // nvcc takes a single % before a name in inline PTX.
  put(folder_.path() / "k.cu", "__global__ void k(unsigned* x) { asm(\"mov.u32 %0, %laneid;\" : \"=r\"(*x)); }\n");
  EXPECT_NE(ptx().find("%laneid"), std::string::npos);
  EXPECT_NE(said_.find("nvcc, because Clang refuses"), std::string::npos) << said_;
  said_.clear();
  put(folder_.path() / "k.cu", "__global__ void k() { mistake; }\n");
  EXPECT_EQ(ptx(), "T0003");
  EXPECT_EQ(said_.find("nvcc"), std::string::npos) << "a mistake of the program's is told in Clang's words: " << said_;
  EXPECT_NE(said_.find("mistake"), std::string::npos);
}

// A Clang that has nothing beside it but its name.
class ClangWithoutOpenMp : public BuildPtx {
 protected:
  void SetUp() override {
    BuildPtx::SetUp();
    if (!find_clang()) GTEST_SKIP() << "it takes Clang";
    const fs::path script = folder_.path() / "bin" / "clang++";
    fs::create_directory(script.parent_path());
    put(script, "#!/bin/sh\nexec '" + find_clang()->path.string() + "' \"$@\"\n");
    chmod(script.c_str(), 0755);
    if (has_openmp({script, ""})) GTEST_SKIP() << "the system has libomp";
    setenv("WARPWISE_CLANG", script.c_str(), 1);
    put(folder_.path() / "k.cu",
        "#include <omp.h>\n__global__ void k() {}\nint main() { return omp_get_max_threads(); }\n");
  }
  void TearDown() override {
    unsetenv("WARPWISE_CLANG");
    BuildPtx::TearDown();
  }
};

TEST_F(ClangWithoutOpenMp, has_one_thread) {
  request_.flags =
      parse_flags({"-Xcompiler", "-fopenmp", "-o", folder_.path() / "program", folder_.path() / "k.cu"}).value();
  const auto made = build_files(request_);
  ASSERT_TRUE(made.ok()) << made.error().message << said_;
  EXPECT_NE(said_.find("have one thread"), std::string::npos) << said_;
  EXPECT_EQ(std::system((folder_.path() / "program").c_str()), 1 << 8) << "its exit code: the most threads";
}

TEST_F(ClangWithoutOpenMp, leaves_it_to_nvcc) {
  if (!find_nvcc()) GTEST_SKIP() << "nvcc is not installed";
  request_.compiler = CompilerChoice::Automatic;
  EXPECT_NE(ptx().find(".entry _Z1kv"), std::string::npos) << said_;
  EXPECT_NE(said_.find("because of OpenMP"), std::string::npos) << said_;
}

TEST_F(BuildPtx, searches_copies_of_nvidias_headers_after_ours) {
  fs::create_directory(folder_.path() / "copy");
  put(folder_.path() / "copy" / "cuda_runtime.h", "#error NVIDIA's headers are not for Clang\n");
  put(folder_.path() / "copy" / "mine.h", "constexpr float kMine = 7.0f;\n");
  put(folder_.path() / "k.cu",
      "#include <cuda_runtime.h>\n#include <mine.h>\n__global__ void k(float* x) { *x = kMine; }\n");
  request_.flags.clang.both = {"-I" + (folder_.path() / "copy").string()};
  EXPECT_NE(ptx().find(".entry _Z1kPf"), std::string::npos) << said_;
}

TEST_F(BuildPtx, picks_nvcc_when_a_header_asks_for_it) {
  if (!find_nvcc()) GTEST_SKIP() << "nvcc is not installed";
  request_.compiler = CompilerChoice::Automatic;
  put(folder_.path() / "k.cu", "#include <cublasXt.h>\n__global__ void k() {}\n");
  if (toolkit_headers(*find_nvcc()).empty() || !fs::exists(toolkit_headers(*find_nvcc()) / "cublasXt.h"))
    GTEST_SKIP() << "the toolkit has no cublasXt.h";
  EXPECT_NE(ptx().find(".entry _Z1kv"), std::string::npos);
  EXPECT_NE(said_.find("compiling with nvcc, because of <cublasXt.h>"), std::string::npos) << said_;
}

}  // namespace
}  // namespace warpwise::toolchain
