// Streams, default streams of threads, events, host functions.
#include <thread>
#include <vector>

#include "runtime_test.h"

namespace warpwise::cuda::testing {
namespace {

class StreamTest : public RuntimeTest {};

TEST_F(StreamTest, CreateAndQuery) {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreate(nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 8), cudaErrorInvalidValue);
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, 1, -100), cudaSuccess);
  EXPECT_EQ(logged("create_stream blocking=false priority=-5"), 1u);
  int priority = 0;
  unsigned flags = 0;
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, -5);
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, 1u);
  EXPECT_EQ(cudaStreamGetFlags(nullptr, &flags), cudaSuccess);
  EXPECT_EQ(flags, 0u);
  unsigned long long legacy = 0, created = 0;
  EXPECT_EQ(cudaStreamGetId(legacy_stream(), &legacy), cudaSuccess);
  EXPECT_EQ(cudaStreamGetId(stream, &created), cudaSuccess);
  EXPECT_NE(legacy, created);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(StreamTest, AttributesAreReturnedAsSet) {
  cudaStream_t stream = nullptr, other = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  cudaLaunchAttributeValue value = {}, returned = {};
  value.priority = 3;  // whatever its type, the value is returned
  EXPECT_EQ(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &returned), cudaSuccess);
  EXPECT_EQ(returned.priority, 0);
  EXPECT_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &returned), cudaSuccess);
  EXPECT_EQ(returned.priority, 3);
  EXPECT_EQ(cudaStreamGetAttribute(other, cudaLaunchAttributeSynchronizationPolicy, &returned), cudaSuccess);
  EXPECT_EQ(returned.priority, 0);
  EXPECT_EQ(cudaStreamCopyAttributes(other, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamGetAttribute(other, cudaLaunchAttributeSynchronizationPolicy, &returned), cudaSuccess);
  EXPECT_EQ(returned.priority, 3);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST_F(StreamTest, InvalidHandles) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(nullptr, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, nullptr, 0), cudaErrorInvalidResourceHandle);
  // A reset invalidates handles.
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
}

TEST_F(StreamTest, DefaultStreamOfAThread) {
  void* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 64), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(p, 0, 64, nullptr), cudaSuccess);
  EXPECT_EQ(logged("fill 64x1 value=0 stream=0"), 1u);
  EXPECT_EQ(cudaMemsetAsync(p, 1, 64, per_thread_stream()), cudaSuccess);
  EXPECT_EQ(logged("create_stream blocking=true"), 1u);
  // The twins use the same stream; another thread has another one, which ends with the thread.
  EXPECT_EQ(cudaMemsetAsync_ptsz(p, 2, 64, nullptr), cudaSuccess);
  EXPECT_EQ(logged("create_stream"), 1u);
  EXPECT_EQ(logged("stream=0"), 1u);
  std::thread([&] { EXPECT_EQ(cudaMemset_ptds(p, 3, 64), cudaSuccess); }).join();
  EXPECT_EQ(logged("create_stream"), 2u);
  EXPECT_EQ(logged("destroy_stream"), 1u);
  // Stream 0 means the legacy stream again.
  EXPECT_EQ(cudaMemsetAsync(p, 4, 64, nullptr), cudaSuccess);
  EXPECT_EQ(logged("value=4 stream=0"), 1u);
}

TEST_F(StreamTest, Events) {
  cudaEvent_t event = nullptr, later = nullptr, untimed = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&event, 0x100), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventCreateWithFlags(&event, 4), cudaErrorInvalidValue);  // between processes, with time
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&later), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, 2), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);  // never recorded
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, later), cudaErrorInvalidResourceHandle);

  void* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 64), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(event, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemset(p, 0, 64), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(later, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(later), cudaErrorNotReady);
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, later), cudaErrorNotReady);
  EXPECT_EQ(cudaEventSynchronize(later), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(later), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, later), cudaSuccess);
  EXPECT_FLOAT_EQ(ms, 2.0f);  // the fake device takes a millisecond for anything
  EXPECT_EQ(cudaEventElapsedTime(&ms, later, event), cudaSuccess);
  EXPECT_FLOAT_EQ(ms, -2.0f);
  EXPECT_EQ(cudaEventRecord(untimed, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(nullptr, event, later), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, event, 9), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, event, 0), cudaSuccess);
}

TEST_F(StreamTest, HostFunctionsRunInOrderAndMayNotCallBack) {
  struct Seen {
    int order = 0;
    cudaError_t inside = cudaSuccess, status = cudaErrorUnknown;
  } seen;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(
                stream,
                [](void* data) {
                  auto* seen = static_cast<Seen*>(data);
                  seen->order = 1;
                  seen->inside = cudaDeviceSynchronize();
                },
                &seen),
            cudaSuccess);
  EXPECT_EQ(cudaStreamAddCallback(
                stream,
                [](cudaStream_t, cudaError_t status, void* data) {
                  auto* seen = static_cast<Seen*>(data);
                  seen->order = seen->order * 10 + 2;
                  seen->status = status;
                },
                &seen, 0),
            cudaSuccess);
  EXPECT_EQ(seen.order, 0);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(seen.order, 12);
  EXPECT_EQ(seen.inside, cudaErrorNotPermitted);
  EXPECT_EQ(seen.status, cudaSuccess);
  EXPECT_EQ(cudaLaunchHostFunc(stream, nullptr, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 5), cudaErrorInvalidValue);
}

TEST_F(StreamTest, NothingIsCaptured) {
  cudaStreamCaptureStatus status = static_cast<cudaStreamCaptureStatus>(9);
  EXPECT_EQ(cudaStreamIsCapturing(nullptr, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
}

TEST_F(StreamTest, ManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 200; ++i) {
        cudaStream_t stream = nullptr;
        cudaEvent_t event = nullptr;
        void* p = nullptr;
        EXPECT_EQ(cudaStreamCreate(&stream), cudaSuccess);
        EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
        EXPECT_EQ(cudaMallocAsync(&p, 256, stream), cudaSuccess);
        EXPECT_EQ(cudaEventRecord(event, stream), cudaSuccess);
        EXPECT_EQ(cudaFreeAsync(p, stream), cudaSuccess);
        EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
        EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
      }
    });
  for (auto& thread : threads) thread.join();
}

}  // namespace
}  // namespace warpwise::cuda::testing
