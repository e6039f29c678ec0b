// Each of our CUDA headers stands alone: as the one include of a host source (.cpp), which has no device code, and, for
// those that C programs include, of a C source. (As the one include of a .cu they stand in tests/cuda and examples.)
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "temporary.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

const fs::path kHeaders = fs::path(WARPWISE_SOURCE_DIR) / "include/cuda";

void expect_compile(const std::vector<std::string>& headers, const char* language, const char* use = "") {
  auto clang = find_clang();
  if (!clang) GTEST_SKIP() << "clang++-19 is not installed";
  TemporaryFolder folder = test_folder();
  std::vector<Job> jobs;
  for (const std::string& header : headers) {
    const fs::path source = folder.path() / (std::to_string(jobs.size()) + ".source");
    put(source, "#include <" + header + ">\n" + use + "int main(void) { return 0; }\n");
    jobs.push_back({{clang->path, "-x", language, "-fsyntax-only", "-isystem", kHeaders, source}});
  }
  auto results = run_jobs(jobs);
  ASSERT_TRUE(results.ok()) << results.error().message;
  for (size_t i = 0; i < headers.size(); ++i)
    EXPECT_EQ((*results)[i].exit_code, 0) << headers[i] << "\n" << (*results)[i].output;
}

TEST(Headers, stand_alone_in_host_sources) {
  std::vector<std::string> headers;
  for (const char* folder : {".", "cooperative_groups", "nvtx3"})
    for (const auto& entry : fs::directory_iterator(kHeaders / folder))
      if (entry.path().extension() == ".h") headers.push_back(entry.path().lexically_relative(kHeaders));
  std::sort(headers.begin(), headers.end());
  ASSERT_GT(headers.size(), 40u);
  expect_compile(headers, "c++");
}

TEST(Headers, of_c_interfaces_are_c) {
  expect_compile(
      {"cuda.h", "cudaTypedefs.h", "cuda_runtime_api.h", "cuda_runtime.h", "cuComplex.h", "nvrtc.h", "nvJitLink.h",
       "driver_types.h", "vector_types.h", "library_types.h", "cuda_profiler_api.h", "cudaProfiler.h", "nvToolsExt.h"},
      "c");
}

TEST(Headers, bring_along_what_nvidias_do) {
  expect_compile({"cuda_runtime.h"}, "c++",
                 "cudaDataType type = CUDA_R_16BF;\nfloat4 four = make_float4(1, 2, 3, 4);\ncudaStream_t stream;\n");
}

}  // namespace
}  // namespace warpwise::toolchain
