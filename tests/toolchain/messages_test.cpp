#include "toolchain/messages.h"

#include <gtest/gtest.h>

#include "toolchain/nvidia_libraries.h"

namespace warpwise::toolchain {
namespace {

TEST(Messages, are_said_once) {
  std::string error = "k.cu:3:5: error: use of undeclared identifier 'x'\n    3 |     x = 1;\n      |     ^\n";
  std::string warning = "k.cu:9:1: warning: unused\nk.cu:8:1: note: declared here\n";
  MessageFilter filter;
  EXPECT_EQ(filter.unseen(error + warning + "1 warning and 1 error generated when compiling for sm_90a.\n"),
            error + warning);
  EXPECT_EQ(filter.unseen(error + "1 error generated when compiling for host.\n"), "");
  EXPECT_EQ(filter.unseen("k.cu:10:1: error: another\n"), "k.cu:10:1: error: another\n");
}

TEST(Messages, keep_their_include_stack) {
  std::string message = "In file included from k.cu:1:\nIn file included from a.h:2:\nb.h:3:1: error: no\n";
  MessageFilter filter;
  EXPECT_EQ(filter.unseen(message), message);
  EXPECT_EQ(filter.unseen(message), "");
}

TEST(Messages, that_are_no_diagnostics_pass) {
  MessageFilter filter;
  EXPECT_EQ(filter.unseen("ld.lld: cannot open x"), "ld.lld: cannot open x\n");
}

TEST(Messages, name_variables_without_a_value) {
  const auto found = uninitialised_variables(
      "In file included from k.cu:1:\n"
      "k.cu:7:5: warning: variable 'sum' is uninitialized when used here [-Wuninitialized]\n"
      "    7 |     sum += a[i];\n"
      "a:b.cu:9:1: warning: variable 'x' is used uninitialized whenever 'if' condition is false "
      "[-Wsometimes-uninitialized]\n"
      "k.cu:8:1: warning: unused variable 'y' [-Wunused-variable]\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].file, "k.cu");
  EXPECT_EQ(found[0].line, 7u);
  EXPECT_EQ(found[0].text, "variable 'sum' is uninitialized when used here");
  EXPECT_EQ(found[1].file, "a:b.cu");
  EXPECT_EQ(found[1].line, 9u);
}

TEST(Messages, name_the_places_of_errors) {
  const auto found = compiler_errors(
      "\033[1mk.cu:7:5: \033[0m\033[0;1;31merror: \033[0m\033[1muse of undeclared identifier 'x'\033[0m\n"
      "    7 |     x = 1;\n"
      "a:b.h:9: fatal error: no\n"
      "my k(2).cu(12): error: identifier \"x\" is undefined\n"
      "k.cu:8:1: warning: unused variable 'y' [-Wunused-variable]\n"
      "ld.lld: error: undefined symbol: f\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].file, "k.cu");
  EXPECT_EQ(found[0].line, 7u);
  EXPECT_EQ(found[0].column, 5u);
  EXPECT_EQ(found[0].text, "use of undeclared identifier 'x'");
  EXPECT_EQ(found[1].file, "a:b.h");
  EXPECT_EQ(found[1].line, 9u);
  EXPECT_EQ(found[1].column, 0u);
  EXPECT_EQ(found[2].file, "my k(2).cu");
  EXPECT_EQ(found[2].line, 12u);
  EXPECT_EQ(found[2].text, "identifier \"x\" is undefined");
}

TEST(Messages, name_missing_headers) {
  EXPECT_EQ(missing_headers("k.cu:1:10: fatal error: 'thrust/sort.h' file not found\n"),
            (std::vector<std::string>{"thrust/sort.h"}));
  EXPECT_EQ(missing_headers("k.cu:1:10: fatal error: cub/cub.cuh: No such file or directory\n"),
            (std::vector<std::string>{"cub/cub.cuh"}));
}

// `threadIdx` in a function without __global__: Clang speaks of what its header makes of it.
TEST(Messages, say_what_host_code_lacks) {
  const std::string said =
      "k.cu:2:32: error: reference to __device__ function '__fetch_builtin_x' in __host__ function\n"
      "    2 | void add(int* a) { a[threadIdx.x] = 1; }\n"
      "      |                                ^\n"
      "/usr/lib/clang/__clang_cuda_builtin_vars.h:53:3: note: '__fetch_builtin_x' declared here\n"
      "   53 |   __CUDA_DEVICE_BUILTIN(x,__nvvm_read_ptx_sreg_tid_x());\n"
      "<scratch space>:167:1: note: expanded from here\n"
      "k.cu:2:32: error: cannot find suitable getter for property 'x'\n"
      "    2 | void add(int* a) { a[threadIdx.x] = 1; }\n"
      "k.cu:3:1: error: another\n";
  EXPECT_EQ(MessageFilter().unseen(said),
            "k.cu:2:32: error: threadIdx, blockIdx, blockDim and gridDim are for device code: does the function lack "
            "__global__ or __device__?\n"
            "    2 | void add(int* a) { a[threadIdx.x] = 1; }\n"
            "      |                                ^\n"
            "k.cu:3:1: error: another\n");
}

TEST(Messages, leave_out_overloads_that_are_not_meant) {
  const std::string begin =
      "k.cu:3:22: error: no matching function for call to 'cudaMalloc'\n"
      "/p/include/warpwise/cuda/cuda_runtime_api.h:154:13: note: candidate function not viable: no known conversion "
      "from "
      "'int *' to 'void **' for 1st argument\n"
      "  154 | cudaError_t cudaMalloc(void** pointer, size_t size);\n";
  const std::string others =
      "/p/include/warpwise/cuda/warpwise/templates.h:6:32: note: candidate template ignored: could not match 'T *' "
      "against 'int'\n"
      "    6 | template <class T> cudaError_t cudaMalloc(T** p, size_t size)\n"
      "/p/include/warpwise/cuda/warpwise/device_runtime.h:38:37: note: candidate function not viable: call to "
      "__device__ "
      "function from __host__ function\n";
  const std::string own = "k.cu:1:1: note: candidate template ignored: of the program\n";
  EXPECT_EQ(MessageFilter().unseen(begin + others + own), begin + own);
}

TEST(Messages, give_one_reason_for_host_code_in_a_kernel) {
  const std::string
      vector = "k.cu:4:46: error: no matching constructor for initialization of 'std::vector<int>'\n",
      reason =
          "/usr/include/c++/12/bits/stl_vector.h:537:7: note: candidate constructor not viable: call to "
          "__host__ function from __global__ function\n  537 |       vector(int)\n",
      others =
          "/usr/include/c++/12/bits/stl_vector.h:551:7: note: candidate constructor not viable: call to "
          "__host__ function from __global__ function\n"
          "/usr/include/c++/12/bits/stl_vector.h:526:7: note: candidate constructor not viable: requires 0 "
          "arguments, but 1 was provided\n",
      stream =
          "k.cu:2:33: error: invalid operands to binary expression ('ostream' (aka "
          "'basic_ostream<char>') and 'const char[3]')\n",
      operators = "/usr/include/c++/12/ostream:517:5: note: candidate function template not viable\n";
  EXPECT_EQ(MessageFilter().unseen(vector + reason + others + stream + operators), vector + reason + stream);
}

TEST(Messages, do_not_count_types_of_numbers) {
  const std::string error =
      "k.cu:3:81: error: use of overloaded operator '*' is ambiguous (with operand types 'half' and 'int')\n"
      "/p/include/warpwise/cuda/warpwise/half.inc:190:11: note: candidate function\n";
  EXPECT_EQ(MessageFilter().unseen(error + "k.cu:3:81: note: built-in candidate operator*(float, int)\n"
                                           "k.cu:3:81: note: built-in candidate operator*(int, int)\n"),
            error);
}

TEST(Messages, name_functions_that_the_linker_misses) {
  EXPECT_EQ(undefined_functions("k.o: in function `main': undefined reference to `cublasCreate_v2'\n"
                                "ld.lld: error: undefined symbol: solve(float*, int)\n>>> referenced by k.cu\n"),
            (std::vector<std::string>{"cublasCreate_v2", "solve(float*, int)"}));
}

TEST(Messages, say_which_function_to_add) {
  EXPECT_EQ(
      function_to_add("ld.lld: error: undefined symbol: __device_stub__scale(float*, int)\n>>> referenced by k\n"),
      "none of the sources defines the kernel `scale(float*, int)`: name the file that does, too");
  EXPECT_EQ(function_to_add("k.o: in function `main': undefined reference to `checksum(int*)'\n"),
            "none of the sources defines `checksum(int*)`: name the file that does, too, or its library (-l)");
  EXPECT_FALSE(function_to_add("k.cu:3:1: error: another\n"));
}

TEST(Messages, tell_launches_in_kernels) {
  EXPECT_TRUE(
      refuses_launch_in_kernel("k.cu:4:3: error: reference to __global__ function 'part' in __global__ function\n    4 "
                               "|   part<<<1, 1>>>();\n"));
  EXPECT_TRUE(
      refuses_launch_in_kernel("k.cu(4): error: kernel launch from __device__ or __global__ functions requires "
                               "separate compilation mode\n"));
  EXPECT_FALSE(
      refuses_launch_in_kernel("k.cu:4:3: error: reference to __device__ function 'part' in __global__ function\n"));
}

TEST(Messages, name_libraries_that_need_nvidias_driver) {
  const std::string end = ", which needs NVIDIA's driver and does not run on the virtual GPU";
  EXPECT_EQ(missing_nvidia_library("k.cu:1:10: fatal error: 'cublas_v2.h' file not found\n"),
            "`cublas_v2.h` belongs to cuBLAS" + end);
  EXPECT_EQ(missing_nvidia_library("undefined reference to `nppiAdd_8u_C1R'\n"),
            "`nppiAdd_8u_C1R` is a function of NPP" + end);
  for (const char* other : {"k.cu:1:10: fatal error: 'thrust/sort.h' file not found\n",
                            "k.cu:1:10: fatal error: 'curand_kernel.h' file not found\n",
                            "undefined reference to `cublas_helper'\n", "undefined reference to `solve'\n"})
    EXPECT_FALSE(missing_nvidia_library(other)) << other;
  EXPECT_EQ(nvidia_library_of_file("/usr/local/cuda/lib64/libcufft.so.11"), "cuFFT");
}

TEST(Messages, name_libraries_to_link) {
  EXPECT_EQ(library_to_link("ld.lld: error: undefined symbol: cuInit\n>>> referenced by k.cu\n"),
            "`cuInit` is a function of CUDA's driver: add -lcuda");
  EXPECT_EQ(library_to_link("undefined reference to `nvrtcCreateProgram'\n"),
            "`nvrtcCreateProgram` is a function of NVRTC: add -lnvrtc");
  for (const char* other : {"undefined reference to `cube(float)'\n", "undefined reference to `cudaFoo'\n"})
    EXPECT_FALSE(library_to_link(other)) << other;
}

}  // namespace
}  // namespace warpwise::toolchain
