// One error per thread, returned once; the device's own errors are sticky until it is reset.
#include "cuda/runtime/error.h"

#include <thread>

#include "runtime_test.h"

namespace warpwise::cuda::testing {
namespace {

class ErrorTest : public RuntimeTest {};

TEST_F(ErrorTest, NamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST_F(ErrorTest, LastErrorIsReturnedOnce) {
  EXPECT_EQ(cudaMalloc(nullptr, 16), cudaErrorInvalidValue);
  void* p = nullptr;
  EXPECT_EQ(cudaMalloc(&p, 16), cudaSuccess);  // success does not clear it
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(ErrorTest, EachThreadHasItsOwn) {
  EXPECT_EQ(cudaMalloc(nullptr, 16), cudaErrorInvalidValue);
  std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(ErrorTest, DetailSaysWhich) {
  int x = 0;
  EXPECT_EQ(cudaFree(&x), cudaErrorInvalidValue);
  EXPECT_NE(thread_error().detail.find("not an address of device memory"), std::string::npos);
  cudaGetLastError();
  EXPECT_EQ(thread_error().detail, "");
}

constexpr const char* kPtx = ".version 8.0\n.target sm_90\n.visible .entry k()\n{ ret; }\n";
char k_stub;

TEST_F(ErrorTest, AFailedKernelsErrorIsSticky) {
  Program program(kPtx);
  program.kernel(&k_stub, "k");
  fake().kernels_fail_with = Failure::IllegalAddress;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(cudaLaunchKernel(&k_stub, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  void* p = nullptr;
  EXPECT_EQ(cudaMalloc(&p, 16), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);  // reported once; the next call that needs the device returns it again
  EXPECT_EQ(cudaFree(p), cudaErrorIllegalAddress);
  // One report for all of them.
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "warpwise: cudaDeviceSynchronize: cudaErrorIllegalAddress: the kernel failed\n");
  std::thread([] { EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess); }).join();
  // Queries of the device itself still work.
  int warp = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0), cudaSuccess);
  EXPECT_EQ(warp, 32);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&p, 16), cudaSuccess);
}

TEST_F(ErrorTest, EveryFailureOfADeviceHasItsCode) {
  EXPECT_EQ(code_of(Failure::OutOfMemory), cudaErrorMemoryAllocation);
  EXPECT_EQ(code_of(Failure::Assert), cudaErrorAssert);
  EXPECT_EQ(code_of(Failure::LaunchTimeout), cudaErrorLaunchTimeout);
  EXPECT_EQ(code_of(Failure::MisalignedAddress), cudaErrorMisalignedAddress);
  for (int f = 1; f <= static_cast<int>(Failure::LaunchTimeout); ++f)
    EXPECT_NE(code_of(static_cast<Failure>(f)), cudaErrorUnknown) << f;
}

TEST_F(ErrorTest, AMissingFunctionNamesItselfOnce) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(cudaDestroyExternalMemory(nullptr), cudaErrorNotSupported);
  EXPECT_EQ(cudaDestroyExternalMemory(nullptr), cudaErrorNotSupported);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warpwise: cudaDestroyExternalMemory is not supported yet\n");
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

}  // namespace
}  // namespace warpwise::cuda::testing
