// The data types of the CUDA runtime's binary interface, as far as this library reads or writes them.
//
// Programs are compiled against other headers (NVIDIA's, or those in include/cuda). The layouts must agree;
// tests/cuda/abi_test.cpp compares them with NVIDIA's headers where those are installed. Types that only pass through
// unimplemented functions stay incomplete. Everything is in the global namespace, because the list of functions
// (api.inc) spells the types as CUDA does. (Sources: CUDA 13.0 driver_types.h, vector_types.h, library_types.h;
// cudaDeviceProp of CUDA 12 is in device_properties.h.)
#pragma once

#include <cstddef>

enum cudaError : int {
#define CUDA_ERROR(name, value, text) name = value,
#include "cuda/runtime/errors.inc"
#undef CUDA_ERROR
};
using cudaError_t = cudaError;

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
struct uint3 {
  unsigned x, y, z;
};

// --- handles -------------------------------------------------------------------------------------
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
using cudaKernel_t = struct CUkern_st*;
using cudaFunction_t = struct CUfunc_st*;
using cudaLibrary_t = struct CUlib_st*;
using cudaMemPool_t = struct CUmemPoolHandle_st*;
using cudaArray_t = struct cudaArray*;
using cudaArray_const_t = const struct cudaArray*;
using cudaMipmappedArray_t = struct cudaMipmappedArray*;
using cudaMipmappedArray_const_t = const struct cudaMipmappedArray*;
struct textureReference;
struct surfaceReference;
using cudaGraph_t = struct CUgraph_st*;
using cudaGraphNode_t = struct CUgraphNode_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;
using cudaGraphDeviceNode_t = struct CUgraphDeviceUpdatableNode_st*;
using cudaUserObject_t = struct CUuserObject_st*;
using cudaGraphConditionalHandle = unsigned long long;
using cudaGraphicsResource_t = struct cudaGraphicsResource*;
using cudaExternalMemory_t = struct CUexternalMemory_st*;
using cudaExternalSemaphore_t = struct CUexternalSemaphore_st*;
using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;
using cudaAsyncCallbackHandle_t = struct cudaAsyncCallbackEntry*;
using cudaLogsCallbackHandle = struct CUlogsCallbackEntry_st*;
using cudaLogIterator = unsigned;

// Two handles are numbers: the streams that every program has (cudaStreamLegacy, cudaStreamPerThread).
inline cudaStream_t legacy_stream() { return reinterpret_cast<cudaStream_t>(1); }
inline cudaStream_t per_thread_stream() { return reinterpret_cast<cudaStream_t>(2); }

// --- functions the program passes in -------------------------------------------------------------
using cudaHostFn_t = void (*)(void* user_data);
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* user_data);
using cudaAsyncCallback = void (*)(struct cudaAsyncNotificationInfo*, void*, cudaAsyncCallbackHandle_t);
enum cudaLogLevel : unsigned;
using cudaLogsCallback_t = void (*)(void* data, cudaLogLevel level, char* message, size_t length);

// --- memory --------------------------------------------------------------------------------------
enum cudaMemcpyKind : unsigned {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};
enum cudaMemoryType : unsigned {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3,
};
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};
struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  int dstDevice;
  cudaExtent extent;
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
  long reserved[8];  // since CUDA 13; CUDA 12's structure ends here
};
enum cudaMemoryAdvise : unsigned {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6,
};
enum cudaMemLocationType : unsigned {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2,
  cudaMemLocationTypeHostNuma = 3,
  cudaMemLocationTypeHostNumaCurrent = 4,
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
enum cudaMemRangeAttribute : unsigned {
  cudaMemRangeAttributeReadMostly = 1,
  cudaMemRangeAttributePreferredLocation = 2,
  cudaMemRangeAttributeAccessedBy = 3,
  cudaMemRangeAttributeLastPrefetchLocation = 4,
  cudaMemRangeAttributePreferredLocationType = 5,
  cudaMemRangeAttributePreferredLocationId = 6,
  cudaMemRangeAttributeLastPrefetchLocationType = 7,
  cudaMemRangeAttributeLastPrefetchLocationId = 8,
};

// --- memory pools --------------------------------------------------------------------------------
enum cudaMemAllocationType : unsigned {
  cudaMemAllocationTypeInvalid = 0,
  cudaMemAllocationTypePinned = 1,
  cudaMemAllocationTypeManaged = 2,
};
enum cudaMemAllocationHandleType : unsigned { cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1 };
enum cudaMemAccessFlags : unsigned {
  cudaMemAccessFlagsProtNone = 0,
  cudaMemAccessFlagsProtRead = 1,
  cudaMemAccessFlagsProtReadWrite = 3,
};
struct cudaMemAccessDesc {
  cudaMemLocation location;
  cudaMemAccessFlags flags;
};
struct cudaMemPoolProps {
  cudaMemAllocationType allocType;
  cudaMemAllocationHandleType handleTypes;
  cudaMemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
enum cudaMemPoolAttr : unsigned {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
  cudaMemPoolAttrReservedMemCurrent = 5,
  cudaMemPoolAttrReservedMemHigh = 6,
  cudaMemPoolAttrUsedMemCurrent = 7,
  cudaMemPoolAttrUsedMemHigh = 8,
};

// --- devices -------------------------------------------------------------------------------------
enum cudaLimit : unsigned {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6,
};
enum cudaFuncCache : unsigned {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3,
};
enum cudaSharedMemConfig : unsigned {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2,
};
enum cudaDeviceP2PAttr : unsigned {
  cudaDevP2PAttrPerformanceRank = 1,
  cudaDevP2PAttrAccessSupported = 2,
  cudaDevP2PAttrNativeAtomicSupported = 3,
  cudaDevP2PAttrCudaArrayAccessSupported = 4,
  cudaDevP2PAttrOnlyPartialNativeAtomicSupported = 5,
};
enum cudaFlushGPUDirectRDMAWritesTarget : unsigned;
enum cudaFlushGPUDirectRDMAWritesScope : unsigned;
enum cudaDeviceAttr : int {
#define ATTRIBUTE(name, number, value) name = number,
#include "cuda/runtime/device/attributes.inc"
#undef ATTRIBUTE
};
struct cudaUUID_t {
  char bytes[16];
};

// --- functions and launches ----------------------------------------------------------------------
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int cacheModeCA;
  int maxDynamicSharedSizeBytes;
  int preferredShmemCarveout;
  int clusterDimMustBeSet;
  int requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
  int clusterSchedulingPolicyPreference;
  int nonPortableClusterSizeAllowed;
  int reserved[16];
};
enum cudaFuncAttribute : unsigned {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14,
  cudaFuncAttributeClusterSchedulingPolicyPreference = 15,
};
enum cudaLaunchAttributeID : unsigned {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeClusterSchedulingPolicyPreference = 5,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributeProgrammaticEvent = 7,
  cudaLaunchAttributePriority = 8,
  cudaLaunchAttributeMemSyncDomainMap = 9,
  cudaLaunchAttributeMemSyncDomain = 10,
  cudaLaunchAttributePreferredClusterDimension = 11,
  cudaLaunchAttributeLaunchCompletionEvent = 12,
  cudaLaunchAttributeDeviceUpdatableKernelNode = 13,
  cudaLaunchAttributePreferredSharedMemoryCarveout = 14,
  cudaLaunchAttributeNvlinkUtilCentricScheduling = 16,
};
union cudaLaunchAttributeValue {
  char pad[64];
  int cooperative;
  struct {
    unsigned x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  struct {
    cudaEvent_t event;
    int flags;
    int triggerAtBlockStart;
  } programmaticEvent;
  int priority;
  struct {
    cudaEvent_t event;
    int flags;
  } launchCompletionEvent;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  char pad[8 - sizeof(cudaLaunchAttributeID)];
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

// --- arrays, graphs and the rest: only named -------------------------------------------------------
enum cudaChannelFormatKind : unsigned {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3,
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
enum cudaDriverEntryPointQueryResult : unsigned;
enum cudaJitOption : unsigned;
enum cudaLibraryOption : unsigned;
enum cudaAtomicOperation : unsigned;
struct cudaIpcEventHandle_t {
  char reserved[64];
};
struct cudaIpcMemHandle_t {
  char reserved[64];
};
struct cudaDeviceProp;
struct cudaArraySparseProperties;
struct cudaArrayMemoryRequirements;
struct cudaResourceDesc;
struct cudaResourceViewDesc;
struct cudaTextureDesc;
// For the copies of a batch. The location of memory without a fixed place is a hint.
enum cudaMemcpySrcAccessOrder : unsigned {
  cudaMemcpySrcAccessOrderInvalid = 0,
  cudaMemcpySrcAccessOrderStream = 1,
  cudaMemcpySrcAccessOrderDuringApiCall = 2,
  cudaMemcpySrcAccessOrderAny = 3,
};
struct cudaMemcpyAttributes {
  cudaMemcpySrcAccessOrder srcAccessOrder;
  cudaMemLocation srcLocHint, dstLocHint;
  unsigned flags;
};
enum cudaMemcpy3DOperandType : unsigned { cudaMemcpyOperandTypePointer = 1, cudaMemcpyOperandTypeArray = 2 };
struct cudaOffset3D {
  size_t x, y, z;
};
struct cudaMemcpy3DOperand {
  cudaMemcpy3DOperandType type;
  union {
    struct {
      void* ptr;
      size_t rowLength, layerHeight;  // in elements and rows; 0: the same as the extent of the copy
      cudaMemLocation locHint;
    } ptr;
    struct {
      cudaArray_t array;
      cudaOffset3D offset;
    } array;
  } op;
};
struct cudaMemcpy3DBatchOp {
  cudaMemcpy3DOperand src, dst;
  cudaExtent extent;
  cudaMemcpySrcAccessOrder srcAccessOrder;
  unsigned flags;
};
struct cudaMemPoolPtrExportData {
  unsigned char reserved[64];
};
struct cudaExternalMemoryHandleDesc;
struct cudaExternalMemoryBufferDesc;
struct cudaExternalMemoryMipmappedArrayDesc;
struct cudaExternalSemaphoreHandleDesc;
struct cudaExternalSemaphoreSignalParams;
struct cudaExternalSemaphoreWaitParams;
struct cudaExternalSemaphoreSignalNodeParams;
struct cudaExternalSemaphoreWaitNodeParams;

#include "cuda/runtime/graph/graph_types.h"
