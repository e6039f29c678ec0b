// Registration, launches, kernels as objects, symbols.
#include <cstring>
#include <vector>

#include "cuda/runtime/error.h"
#include "runtime_test.h"

namespace warpwise::cuda::testing {
namespace {

constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.global .align 4 .b8 table[64];
.global .attribute(.managed) .align 4 .u32 counter;
.visible .entry add(.param .u64 a, .param .u32 n, .param .align 8 .b8 big[24])
{ ret; }
.visible .entry bounded()
.maxntid 128
{ ret; }
)";
char add_stub, bounded_stub, unknown_stub, not_in_ptx_stub, table_shadow;
void* counter_pointer;

class LaunchTest : public RuntimeTest {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    program.kernel(&add_stub, "add");
    program.kernel(&bounded_stub, "bounded");
    program.kernel(&not_in_ptx_stub, "not_in_ptx");
    program.variable(&table_shadow, "table", 64);
    program.managed(&counter_pointer, "counter", 4);
    loads_before = fake().modules_loaded;
  }
  cudaError_t launch(const void* stub, dim3 grid, dim3 block, size_t shared = 0) {
    ::testing::internal::CaptureStderr();
    cudaError_t error = cudaLaunchKernel(stub, grid, block, arguments, shared, nullptr);
    output = ::testing::internal::GetCapturedStderr();
    return error;
  }
  unsigned loads() const { return fake().modules_loaded - loads_before; }

  Program program{kPtx};
  unsigned loads_before = 0;
  uint64_t a = 0x1122334455667788;
  uint32_t n = 77;
  uint64_t big[3] = {1, 2, 3};
  void* arguments[3] = {&a, &n, &big};
  std::string output;
};

TEST_F(LaunchTest, ArgumentsAreLaidOutAsTheKernelReadsThem) {
  std::vector<std::byte> got;
  fake().on_launch = [&](const Launch& launch, const KernelInfo&) { got = launch.parameters; };
  EXPECT_EQ(launch(&add_stub, {2, 3, 1}, {32, 2, 1}, 100), cudaSuccess);
  EXPECT_EQ(logged("launch add grid=6 block=64 shared=100 stream=0"), 1u);
  EXPECT_TRUE(got.empty());  // not before the host waits
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  ASSERT_EQ(got.size(), 40u);
  EXPECT_EQ(std::memcmp(got.data(), &a, 8), 0);
  EXPECT_EQ(std::memcmp(got.data() + 8, &n, 4), 0);
  EXPECT_EQ(std::memcmp(got.data() + 16, big, 24), 0);
}

TEST_F(LaunchTest, WhatIsRefusedAtOnce) {
  EXPECT_EQ(launch(&add_stub, {1, 1, 1}, {2048, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&add_stub, {1, 1, 1}, {32, 32, 2}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&add_stub, {0, 1, 1}, {32, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(output,
            "warpwise: cudaLaunchKernel: cudaErrorInvalidConfiguration: a grid of (0, 1, 1): no dimension may be 0\n");
  EXPECT_EQ(launch(&add_stub, {1, 65536, 1}, {32, 1, 1}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&add_stub, {1, 1, 1}, {1, 1, 65}), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(&bounded_stub, {1, 1, 1}, {256, 1, 1}), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(launch(&unknown_stub, {1, 1, 1}, {1, 1, 1}), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch(nullptr, {1, 1, 1}, {1, 1, 1}), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(launch(&not_in_ptx_stub, {1, 1, 1}, {1, 1, 1}), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaLaunchKernel(&add_stub, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(logged("launch "), 0u);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // none of these is sticky
}

TEST_F(LaunchTest, DynamicSharedMemoryNeedsTheOptIn) {
  EXPECT_EQ(launch(&add_stub, {1, 1, 1}, {32, 1, 1}, 48 << 10), cudaSuccess);
  EXPECT_EQ(launch(&add_stub, {1, 1, 1}, {32, 1, 1}, 64 << 10), cudaErrorInvalidValue);
  EXPECT_NE(output.find("cudaFuncSetAttribute"), std::string::npos);
  EXPECT_EQ(cudaFuncSetAttribute(&add_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10), cudaSuccess);
  EXPECT_EQ(logged("allow_dynamic_shared 65536"), 1u);
  EXPECT_EQ(launch(&add_stub, {1, 1, 1}, {32, 1, 1}, 64 << 10), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(&add_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, (227 << 10) + 1),
            cudaErrorInvalidValue);
}

TEST_F(LaunchTest, ChevronsPushAndPop) {
  EXPECT_EQ(__cudaPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 7, per_thread_stream()), 0u);
  EXPECT_EQ(__cudaPushCallConfiguration({9, 1, 1}, {8, 1, 1}, 0, nullptr), 0u);
  dim3 grid, block;
  size_t shared = 1;
  cudaStream_t stream = nullptr;
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(grid.x, 9u);
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
  EXPECT_EQ(block.z, 6u);
  EXPECT_EQ(shared, 7u);
  EXPECT_EQ(stream, per_thread_stream());
  EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
}

TEST_F(LaunchTest, LaunchesByHandle) {
  cudaKernel_t kernel = nullptr;
  EXPECT_EQ(__cudaGetKernel(&kernel, &add_stub), cudaSuccess);
  EXPECT_EQ(loads(), 0u);  // a query does not load the module
  EXPECT_EQ(__cudaLaunchKernel(kernel, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(logged("launch add"), 1u);
  EXPECT_EQ(__cudaGetKernel(&kernel, &unknown_stub), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(kernel, nullptr);
}

TEST_F(LaunchTest, ModulesAreLoadedOnceAndAgainAfterAReset) {
  EXPECT_EQ(loads(), 0u);
  EXPECT_EQ(launch(&add_stub, {1, 1, 1}, {1, 1, 1}), cudaSuccess);
  EXPECT_EQ(launch(&bounded_stub, {1, 1, 1}, {1, 1, 1}), cudaSuccess);
  EXPECT_EQ(loads(), 1u);
  EXPECT_EQ(fake().last_module_text, kPtx);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(launch(&add_stub, {1, 1, 1}, {1, 1, 1}), cudaSuccess);
  EXPECT_EQ(loads(), 2u);
}

TEST_F(LaunchTest, BadPtxIsReportedEachTime) {
  Program bad(".version 8.0\n// bad ptx\n");
  char stub;
  bad.kernel(&stub, "k");
  EXPECT_EQ(launch(&stub, {1, 1, 1}, {1, 1, 1}), cudaErrorInvalidPtx);
  EXPECT_EQ(launch(&stub, {1, 1, 1}, {1, 1, 1}), cudaErrorInvalidPtx);
  EXPECT_NE(output.find("the PTX does not parse"), std::string::npos);
}

TEST_F(LaunchTest, UnregisteringRunsWhatIsPending) {
  int runs = 0;
  fake().on_launch = [&](const Launch&, const KernelInfo&) { ++runs; };
  char stub;
  {
    Program plugin(kPtx);
    plugin.kernel(&stub, "bounded");
    EXPECT_EQ(launch(&stub, {1, 1, 1}, {1, 1, 1}), cudaSuccess);
    EXPECT_EQ(runs, 0);
  }
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(logged("unload_module"), 1u);
  EXPECT_EQ(launch(&stub, {1, 1, 1}, {1, 1, 1}), cudaErrorInvalidDeviceFunction);
}

TEST_F(LaunchTest, Cooperative) {
  EXPECT_EQ(cudaLaunchCooperativeKernel(&bounded_stub, {132 * 16, 1, 1}, {128, 1, 1}, nullptr, 0, nullptr),
            cudaSuccess);
  EXPECT_EQ(logged("cooperative"), 1u);
  EXPECT_EQ(cudaLaunchCooperativeKernel(&bounded_stub, {132 * 16 + 1, 1, 1}, {128, 1, 1}, nullptr, 0, nullptr),
            cudaErrorCooperativeLaunchTooLarge);
}

TEST_F(LaunchTest, ExtendedLaunches) {
  Dim3 cluster;
  fake().on_launch = [&](const Launch& launch, const KernelInfo&) { cluster = launch.cluster; };
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, 2), cudaSuccess);
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = {2, 1, 1};
  attributes[1].id = cudaLaunchAttributeLaunchCompletionEvent;
  attributes[1].val.launchCompletionEvent.event = event;
  cudaLaunchConfig_t config{{4, 1, 1}, {32, 1, 1}, 0, nullptr, attributes, 2};
  EXPECT_EQ(cudaLaunchKernelExC(&config, &bounded_stub, nullptr), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaSuccess);
  EXPECT_EQ(cluster.x, 2u);
  attributes[0].val.clusterDim = {3, 1, 1};
  EXPECT_EQ(cudaLaunchKernelExC(&config, &bounded_stub, nullptr), cudaErrorInvalidClusterSize);
  config.gridDim = {16, 1, 1};
  attributes[0].val.clusterDim = {16, 1, 1};
  EXPECT_EQ(cudaLaunchKernelExC(&config, &bounded_stub, nullptr), cudaErrorInvalidClusterSize);
  EXPECT_EQ(cudaFuncSetAttribute(&bounded_stub, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernelExC(&config, &bounded_stub, nullptr), cudaSuccess);
  attributes[1].id = cudaLaunchAttributeDeviceUpdatableKernelNode;
  EXPECT_EQ(cudaLaunchKernelExC(&config, &bounded_stub, nullptr), cudaErrorNotSupported);
  EXPECT_EQ(cudaLaunchKernelExC(nullptr, &bounded_stub, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);  // while `cluster` lives
}

TEST_F(LaunchTest, AttributesNamesAndParameters) {
  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &bounded_stub), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 128);
  EXPECT_EQ(attributes.numRegs, 16);
  EXPECT_EQ(attributes.binaryVersion, 90);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 48 << 10);
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, &unknown_stub), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaFuncGetAttributes(nullptr, &bounded_stub), cudaErrorInvalidValue);
  const char* name = nullptr;
  EXPECT_EQ(cudaFuncGetName(&name, &add_stub), cudaSuccess);
  EXPECT_STREQ(name, "add");
  size_t offset = 0, size = 0;
  EXPECT_EQ(cudaFuncGetParamInfo(&add_stub, 2, &offset, &size), cudaSuccess);
  EXPECT_EQ(offset, 16u);
  EXPECT_EQ(size, 24u);
  EXPECT_EQ(cudaFuncGetParamInfo(&add_stub, 3, &offset, &size), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(&add_stub, static_cast<cudaFuncAttribute>(99), 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetCacheConfig(&add_stub, cudaFuncCachePreferL1), cudaSuccess);
}

TEST_F(LaunchTest, Occupancy) {
  int blocks = -1;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add_stub, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 8);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &bounded_stub, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 0);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &add_stub, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &unknown_stub, 32, 0),
            cudaErrorInvalidDeviceFunction);
}

TEST_F(LaunchTest, Symbols) {
  int values[16] = {5, 6, 7};
  EXPECT_EQ(cudaMemcpyToSymbol(&table_shadow, values, 12, 4, cudaMemcpyHostToDevice), cudaSuccess);
  int back[4] = {};
  EXPECT_EQ(cudaMemcpyFromSymbol(back, &table_shadow, 16, 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back[0], 0);
  EXPECT_EQ(back[3], 7);
  EXPECT_EQ(cudaMemcpyToSymbol(&table_shadow, values, 64, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(&table_shadow, values, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpyToSymbol(values, values, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
  void* address = nullptr;
  size_t size = 0;
  EXPECT_EQ(cudaGetSymbolAddress(&address, &table_shadow), cudaSuccess);
  EXPECT_EQ(fake().find_allocation(reinterpret_cast<Address>(address))->size, 64u);
  EXPECT_EQ(cudaGetSymbolSize(&size, &table_shadow), cudaSuccess);
  EXPECT_EQ(size, 64u);
  EXPECT_EQ(cudaGetSymbolAddress(&address, &unknown_stub), cudaErrorInvalidSymbol);
}

TEST_F(LaunchTest, ManagedVariablesGetTheirAddress) {
  counter_pointer = nullptr;
  EXPECT_EQ(__cudaInitModule(program.handle()), 1);
  ASSERT_NE(counter_pointer, nullptr);
  EXPECT_EQ(fake().find_allocation(reinterpret_cast<Address>(counter_pointer))->kind, MemoryKind::Managed);
}

}  // namespace
}  // namespace warpwise::cuda::testing
