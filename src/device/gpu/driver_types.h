// The types and numbers of NVIDIA's driver API as far as the device needs them. They are declared here, because nothing
// of NVIDIA's is needed to build this: the library is opened at run time (driver.h). Names, layouts and values: CUDA
// Driver API, reference manual, "Data types used by CUDA driver".
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpwise::device::gpu {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUlinkState = struct CUlinkState_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUarray = struct CUarray_st*;
using CUmipmappedArray = struct CUmipmappedArray_st*;
using CUmemHandle = unsigned long long;  // CUmemGenericAllocationHandle

enum : CUresult {
  kSuccess = 0,
  kInvalidValue = 1,
  kNotFound = 500,
  kNotReady = 600,
  kNotSupported = 801,
};

enum MemoryType : int { kHostMemory = 1, kDeviceMemory = 2, kArrayMemory = 3 };  // CUmemorytype

struct Memcpy2D {  // CUDA_MEMCPY2D
  struct Side {
    size_t x_bytes = 0, y = 0;
    int type = 0;
    const void* host = nullptr;
    CUdeviceptr device = 0;
    CUarray array = nullptr;
    size_t pitch = 0;
  } src, dst;
  size_t width_bytes = 0, height = 0;
};
static_assert(sizeof(Memcpy2D) == 128);

struct Memcpy3D {  // CUDA_MEMCPY3D
  struct Side {
    size_t x_bytes = 0, y = 0, z = 0, level = 0;
    int type = 0;
    const void* host = nullptr;
    CUdeviceptr device = 0;
    CUarray array = nullptr;
    void* reserved = nullptr;
    size_t pitch = 0, height = 0;
  } src, dst;
  size_t width_bytes = 0, height = 0, depth = 0;
};
static_assert(sizeof(Memcpy3D) == 200);

struct LaunchAttribute {  // CUlaunchAttribute
  enum Id : int { ClusterDimension = 4, Cooperative = 2 };
  int id = 0;
  int padding = 0;
  union {
    unsigned cluster[3];
    int cooperative;
    unsigned char bytes[64] = {};
  };
};
static_assert(sizeof(LaunchAttribute) == 72);

struct LaunchConfig {  // CUlaunchConfig
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z;
  unsigned dynamic_shared_bytes;
  CUstream stream;
  LaunchAttribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(LaunchConfig) == 56);

struct ArrayDescriptor {  // CUDA_ARRAY3D_DESCRIPTOR
  enum Flag : unsigned { Layered = 1, Surface = 2, Cubemap = 4, Gather = 8 };
  size_t width = 0, height = 0, depth = 0;
  int format = 0;
  unsigned channels = 0;
  unsigned flags = 0;
};
static_assert(sizeof(ArrayDescriptor) == 40);

struct ResourceDescriptor {  // CUDA_RESOURCE_DESC
  enum Type : int { Array = 0, MipmappedArray = 1, Linear = 2, Pitch2D = 3 };
  int type = Array;
  union {
    CUarray array;
    CUmipmappedArray mipmapped;
    struct {
      CUdeviceptr address;
      int format;
      unsigned channels;
      size_t bytes;
    } linear;
    struct {
      CUdeviceptr address;
      int format;
      unsigned channels;
      size_t width, height, pitch;
    } pitched;
    int reserved[32] = {};
  };
  unsigned flags = 0;
};
static_assert(sizeof(ResourceDescriptor) == 144);

struct SamplerDescriptor {  // CUDA_TEXTURE_DESC
  enum Flag : unsigned { ReadAsInteger = 1, NormalisedCoordinates = 2, Srgb = 0x10 };
  int address[3] = {};
  int filter = 0;
  unsigned flags = 0, max_anisotropy = 0;
  int mip_filter = 0;
  float level_bias = 0, min_level = 0, max_level = 0;
  float border[4] = {};
  int reserved[12] = {};
};
static_assert(sizeof(SamplerDescriptor) == 104);

struct MemoryLocation {  // CUmemLocation
  int type = 1;          // CU_MEM_LOCATION_TYPE_DEVICE
  int id = 0;
};
struct MemoryRequest {  // CUmemAllocationProp
  int type = 1;         // CU_MEM_ALLOCATION_TYPE_PINNED
  int handle_types = 0;
  MemoryLocation location;
  void* win32 = nullptr;
  unsigned char compression = 0, direct_access = 0;
  unsigned short usage = 0;
  unsigned char reserved[4] = {};
};
static_assert(sizeof(MemoryRequest) == 32);
struct MemoryAccess {  // CUmemAccessDesc
  MemoryLocation location;
  int flags = 0;  // CUmemAccess_flags: 0 none, 1 read, 3 both
};
static_assert(sizeof(MemoryAccess) == 12);

// Numbers that are passed to the driver, by the enumeration that they are of.
constexpr int kJitErrorLog = 5, kJitErrorLogBytes = 6;          // CUjit_option
constexpr int kJitInputPtx = 1;                                 // CUjitInputType
constexpr int kLimitStack = 0, kLimitHeap = 2;                  // CUlimit
constexpr unsigned kStreamNonBlocking = 1;                      // CUstream_flags
constexpr unsigned kAttachGlobal = 1;                           // CUmemAttach_flags
constexpr unsigned kHostPortable = 1, kHostMapped = 2;          // CU_MEMHOSTALLOC_…
constexpr int kMaxDynamicShared = 8, kNonPortableCluster = 14;  // CUfunction_attribute
constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76, kConcurrentManaged = 89, kPciBus = 33, kPciDevice = 34,
              kPciDomain = 50;                                                    // CUdevice_attribute
constexpr int kPointerIsManaged = 8;                                              // CUpointer_attribute
constexpr unsigned kWaitAtLeast = 0, kWaitEqual = 1, kWaitAnd = 2, kWaitNor = 3;  // CUstreamWaitValue_flags

}  // namespace warpwise::device::gpu
