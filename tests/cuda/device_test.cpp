// There is one device; one list of figures describes it in two layouts.
#include "runtime_test.h"

namespace warpwise::cuda::testing {
namespace {

class DeviceTest : public RuntimeTest {};

TEST_F(DeviceTest, ThereIsOne) {
  int n = -1;
  EXPECT_EQ(cudaGetDeviceCount(&n), cudaSuccess);
  EXPECT_EQ(n, 1);
  EXPECT_EQ(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDevice(&n), cudaSuccess);
  EXPECT_EQ(n, 0);
}

TEST_F(DeviceTest, PropertiesOfBothVersionsAgree) {
  cudaDeviceProp p13;
  cudaDeviceProp12 p12;
  ASSERT_EQ(cudaGetDeviceProperties(&p13, 0), cudaSuccess);
  ASSERT_EQ(cudaGetDeviceProperties_v2(&p12, 0), cudaSuccess);
  EXPECT_STREQ(p13.name, "Fake H100");
  EXPECT_STREQ(p12.name, "Fake H100");
  EXPECT_EQ(p13.totalGlobalMem, size_t{80} << 30);
  EXPECT_EQ(p12.totalGlobalMem, p13.totalGlobalMem);
  EXPECT_EQ(p12.clockRate, 1980000);
  EXPECT_EQ(p13.multiProcessorCount, 132);
  EXPECT_EQ(p12.sharedMemPerBlockOptin, 227u << 10);
  EXPECT_EQ(p13.sharedMemPerBlockOptin, 227u << 10);
  EXPECT_EQ(p13.maxThreadsDim[2], 64);
  EXPECT_EQ(p12.maxGridSize[0], 2147483647);
  EXPECT_EQ(p13.clusterLaunch, 1);
  EXPECT_EQ(std::string_view(p12.uuid.bytes, 16), std::string_view(p13.uuid.bytes, 16));
  EXPECT_EQ(cudaGetDeviceProperties(&p13, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
  // The sizes that programs built with either toolkit allocate.
  EXPECT_EQ(sizeof(cudaDeviceProp), 1008u);
  EXPECT_EQ(sizeof(cudaDeviceProp12), 1032u);
}

TEST_F(DeviceTest, Attributes) {
  int value = -1;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, 132);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0), cudaSuccess);
  EXPECT_EQ(value, 9);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3), cudaErrorInvalidDevice);
}

TEST_F(DeviceTest, LimitsReachTheDeviceAndEndWithAReset) {
  size_t value = 0;
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, 8u << 20);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20), cudaSuccess);
  EXPECT_EQ(fake().heap_bytes, 64u << 20);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, 64u << 20);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 5000), cudaSuccess);
  EXPECT_EQ(fake().stack_bytes, 5000u);
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(77)), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, 8u << 20);
}

TEST_F(DeviceTest, PciIdentifier) {
  char id[16] = "";
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, 4, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 0), cudaSuccess);
  int device = -1;
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, id), cudaSuccess);
  EXPECT_EQ(device, 0);
  for (const char* same : {"01:00", "0000:01:00", "0:1:0", "0:1:0.0", "1:0.0"})
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, same), cudaSuccess) << same;
  for (const char* none : {"", "1", "1:", "0:1:0:0", "0:1:0.0z", "x:1"})
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, none), cudaErrorInvalidValue) << none;
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "7f:00.0"), cudaErrorInvalidDevice);
}

TEST_F(DeviceTest, FlagsAndVersions) {
  EXPECT_EQ(cudaSetDeviceFlags(4), cudaSuccess);
  unsigned flags = 0;
  EXPECT_EQ(cudaGetDeviceFlags(&flags), cudaSuccess);
  EXPECT_EQ(flags, 12u);                                    // with cudaDeviceMapHost
  EXPECT_EQ(cudaSetDeviceFlags(3), cudaErrorInvalidValue);  // spin and yield
  EXPECT_EQ(cudaSetDeviceFlags(0x4000), cudaErrorInvalidValue);
  int version = 0;
  EXPECT_EQ(cudaRuntimeGetVersion_cuda13(&version), cudaSuccess);
  EXPECT_EQ(version, 13000);
  EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version / 1000, 12);
  EXPECT_EQ(cudaProfilerStart(), cudaSuccess);
}

TEST_F(DeviceTest, NoPeers) {
  int can = 7;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
}

}  // namespace
}  // namespace warpwise::cuda::testing
