// Copies and fills: directions, bounds, shapes, and when a call returns.
#include <cstdint>
#include <numeric>
#include <vector>

#include "cuda/runtime/error.h"
#include "runtime_test.h"

namespace warpwise::cuda::testing {
namespace {

class CopyTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), 1024), cudaSuccess);
    std::iota(host.begin(), host.end(), 0);
    fake().log.clear();
  }
  int* device = nullptr;
  std::vector<int> host = std::vector<int>(256), back = std::vector<int>(256);
};

TEST_F(CopyTest, ThereAndBack) {
  EXPECT_EQ(cudaMemcpy(device, host.data(), 1024, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), device, 1024, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, host);
  EXPECT_EQ(logged("copy_to_device bytes=1024 stream=0"), 1u);
  EXPECT_EQ(logged("copy_from_device bytes=1024 stream=0"), 1u);
}

TEST_F(CopyTest, DefaultFindsTheDirection) {
  EXPECT_EQ(cudaMemcpy(device, host.data(), 64, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), device, 64, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device + 32, device, 64, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(back.data(), host.data(), 64, cudaMemcpyDefault), cudaSuccess);
  for (auto* command : {"copy_to_device", "copy_from_device", "copy_on_device", "copy_on_host"})
    EXPECT_EQ(logged(command), 1u) << command;
}

TEST_F(CopyTest, WrongDirections) {
  EXPECT_EQ(cudaMemcpy(device, host.data(), 16, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(back.data(), host.data(), 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(back.data(), host.data(), 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(back.data(), host.data(), 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(back.data(), device, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 16, cudaMemcpyHostToHost), cudaErrorInvalidValue);
  EXPECT_EQ(fake().log.size(), 0u);
}

TEST_F(CopyTest, Bounds) {
  EXPECT_EQ(cudaMemcpy(device, host.data(), 1025, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_NE(thread_error().detail.find("1025 bytes from the start of a 1024-byte allocation"), std::string::npos);
  EXPECT_EQ(cudaMemcpy(device + 255, host.data(), 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_NE(thread_error().detail.find("has 4 left"), std::string::npos);
  EXPECT_EQ(cudaMemcpy(device + 255, host.data(), 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host.data(), ~size_t{0}, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, host.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(CopyTest, PageableMemoryMayChangeAfterAnAsynchronousCopy) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(device, host.data(), 1024, cudaMemcpyHostToDevice, stream), cudaSuccess);
  std::fill(host.begin(), host.end(), -1);
  EXPECT_EQ(cudaMemcpyAsync(back.data(), device, 1024, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(back[200], 200);
}

TEST_F(CopyTest, PinnedMemoryIsCopiedLater) {
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), 1024), cudaSuccess);
  pinned[0] = 1;
  EXPECT_EQ(cudaMemcpyAsync(device, pinned, 4, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  pinned[0] = 2;  // a race on a real device; here the copy has certainly not run
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(device[0], 2);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess);
}

TEST_F(CopyTest, RegisteredMemoryCountsAsPinned) {
  ASSERT_EQ(cudaHostRegister(host.data(), 1024, 0), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(device, host.data(), 1024, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  EXPECT_EQ(cudaHostUnregister(host.data()), cudaSuccess);  // waits for it
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess);
}

TEST_F(CopyTest, DeviceToDeviceDoesNotWait) {
  EXPECT_EQ(cudaMemcpy(device + 16, device, 16, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
}

TEST_F(CopyTest, Rows) {
  ASSERT_EQ(cudaMemcpy(device, host.data(), 1024, cudaMemcpyHostToDevice), cudaSuccess);
  // The left half of 16 rows of 16 ints.
  EXPECT_EQ(cudaMemcpy2D(back.data(), 32, device, 64, 32, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back[7], 7);
  EXPECT_EQ(back[8], 16);
  EXPECT_EQ(back[127], 247);
  EXPECT_EQ(cudaMemcpy2D(back.data(), 16, device, 64, 32, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(back.data(), 32, device, 64, 32, 17, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(back.data(), 32, device, 64, 0, 16, cudaMemcpyDeviceToHost), cudaSuccess);
}

TEST_F(CopyTest, Boxes) {
  cudaPitchedPtr box;
  ASSERT_EQ(cudaMalloc3D(&box, {100, 3, 4}), cudaSuccess);
  EXPECT_EQ(cudaMemset3D(box, 7, {100, 3, 4}), cudaSuccess);
  std::vector<unsigned char> packed(1200);
  cudaMemcpy3DParms p = {};
  p.srcPtr = box;
  p.dstPtr = {packed.data(), 100, 100, 3};
  p.extent = {100, 3, 4};
  p.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3D(&p), cudaSuccess);
  EXPECT_TRUE(std::all_of(packed.begin(), packed.end(), [](unsigned char c) { return c == 7; }));

  // One byte at (x 5, y 1, z 2) and back.
  unsigned char one = 9;
  cudaMemcpy3DParms q = {};
  q.srcPtr = {&one, 1, 1, 1};
  q.dstPtr = box;
  q.dstPos = {5, 1, 2};
  q.extent = {1, 1, 1};
  q.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&q), cudaSuccess);
  EXPECT_EQ(cudaMemcpy3D(&p), cudaSuccess);
  EXPECT_EQ(packed[2 * 300 + 1 * 100 + 5], 9);
  EXPECT_EQ(std::count(packed.begin(), packed.end(), 7), 1199);

  p.extent.depth = 5;
  EXPECT_EQ(cudaMemcpy3D(&p), cudaErrorInvalidValue);
  p.extent = {101, 3, 4};
  EXPECT_EQ(cudaMemcpy3D(&p), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy3D(nullptr), cudaErrorInvalidValue);
}

TEST_F(CopyTest, Fills) {
  EXPECT_EQ(cudaMemset(device, 0x11, 1024), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);  // of device memory: later
  EXPECT_EQ(cudaMemset2D(device, 64, 2, 32, 16), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(device[0], 0x02020202);
  EXPECT_EQ(device[8], 0x11111111);
  EXPECT_EQ(cudaMemset2D(device, 16, 2, 32, 16), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(device, 0, 1025), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host.data(), 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(nullptr, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(nullptr, 0, 0), cudaSuccess);
}

TEST_F(CopyTest, ManagedMemoryIsFilledWhenMemsetReturns) {
  int* managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&managed), 64, 1), cudaSuccess);
  EXPECT_EQ(cudaMemset(managed, 1, 64), cudaSuccess);
  EXPECT_EQ(managed[15], 0x01010101);
}

// CUDA 12's parameters: the number of the failed copy is returned. (programs/toolkit/batches.cu tests CUDA 13's.)
TEST_F(CopyTest, BatchesReportTheFailedCopy) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  void *dsts[] = {device, device + 16}, *srcs[] = {host.data(), host.data() + 16};
  size_t sizes[] = {64, 64}, first[] = {0}, failed = 7;
  cudaMemcpyAttributes attributes{};
  EXPECT_EQ(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &attributes, first, 1, &failed, stream),
            cudaErrorInvalidValue);  // in no order
  EXPECT_EQ(failed, SIZE_MAX);
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderAny;
  EXPECT_EQ(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &attributes, first, 1, &failed, stream), cudaSuccess);
  EXPECT_EQ(failed, SIZE_MAX);
  EXPECT_EQ(logged("copy_to_device bytes=64 "), 2u);
  EXPECT_EQ(logged("copy_to_device bytes=64 stream=0"), 0u);  // not in the default stream
  sizes[1] = 1024;                                            // 64 bytes too many
  EXPECT_EQ(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &attributes, first, 1, &failed, stream), cudaErrorInvalidValue);
  EXPECT_EQ(failed, 1u);
  EXPECT_EQ(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, &attributes, first, 1, &failed, nullptr), cudaErrorInvalidValue);
}

TEST_F(CopyTest, Peers) {
  EXPECT_EQ(cudaMemcpyPeer(device, 0, device + 8, 0, 16), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeer(device, 3, device + 8, 0, 16), cudaErrorInvalidDevice);
}

}  // namespace
}  // namespace warpwise::cuda::testing
