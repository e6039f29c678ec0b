// The driver API, as libcuda.so.1 exports it. Like the runtime's headers it has the interface of CUDA 12.3: a name
// refers to the same version of a function (cuMemAlloc is cuMemAlloc_v2) as in programs compiled against CUDA 12.3.
#pragma once

// Programs test this macro to find out whether the header was included (helper_cuda.h of the CUDA samples does).
#define __cuda_cuda_h__

#include "warpwise/driver_structs.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION 12030
#endif
#define CUDAAPI
#define CUDA_CB

#define CU_IPC_HANDLE_SIZE 64
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_COMPUTE_ACCELERATED_TARGET_BASE 0x10000
#define CU_COMPUTE_FAMILY_TARGET_BASE 0x20000
#define CU_GRAPH_COND_ASSIGN_DEFAULT 0x1
#define CU_GRAPH_KERNEL_NODE_PORT_DEFAULT 0
#define CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC 1
#define CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER 2
#define CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE CU_LAUNCH_ATTRIBUTE_COOPERATIVE
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
#define CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE
#define CU_KERNEL_NODE_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
#define CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
#define CU_KERNEL_NODE_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
#define CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION
#define CU_KERNEL_NODE_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE
#define CU_KERNEL_NODE_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
#define CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW
#define CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY
#define CU_STREAM_ATTRIBUTE_PRIORITY CU_LAUNCH_ATTRIBUTE_PRIORITY
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP
#define CU_STREAM_ATTRIBUTE_MEM_SYNC_DOMAIN CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEMHOSTREGISTER_PORTABLE 0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02
#define CU_MEMHOSTREGISTER_IOMEMORY 0x04
#define CU_MEMHOSTREGISTER_READ_ONLY 0x08
#define CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL 0x1
#define CU_TENSOR_MAP_NUM_QWORDS 16
#define CUDA_EXTERNAL_MEMORY_DEDICATED 0x1
#define CUDA_EXTERNAL_SEMAPHORE_SIGNAL_SKIP_NVSCIBUF_MEMSYNC 0x01
#define CUDA_EXTERNAL_SEMAPHORE_WAIT_SKIP_NVSCIBUF_MEMSYNC 0x02
#define CUDA_NVSCISYNC_ATTR_SIGNAL 0x1
#define CUDA_NVSCISYNC_ATTR_WAIT 0x2
#define CU_MEM_CREATE_USAGE_TILE_POOL 0x1
#define CU_MEM_CREATE_USAGE_HW_DECOMPRESS 0x2
#define CU_MEM_POOL_CREATE_USAGE_HW_DECOMPRESS 0x2
#define CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_PRE_LAUNCH_SYNC 0x01
#define CUDA_COOPERATIVE_LAUNCH_MULTI_DEVICE_NO_POST_LAUNCH_SYNC 0x02
#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_2DARRAY 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08
#define CUDA_ARRAY3D_DEPTH_TEXTURE 0x10
#define CUDA_ARRAY3D_COLOR_ATTACHMENT 0x20
#define CUDA_ARRAY3D_SPARSE 0x40
#define CUDA_ARRAY3D_DEFERRED_MAPPING 0x80
#define CUDA_ARRAY3D_VIDEO_ENCODE_DECODE 0x100
#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define CU_TRSF_SEAMLESS_CUBEMAP 0x40
#define CU_LAUNCH_KERNEL_REQUIRED_BLOCK_DIM 1
#define CU_LAUNCH_PARAM_END_AS_INT 0x00
#define CU_LAUNCH_PARAM_END ((void*)CU_LAUNCH_PARAM_END_AS_INT)
#define CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT 0x01
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void*)CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT)
#define CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT 0x02
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void*)CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT)
#define CU_PARAM_TR_DEFAULT -1
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)

#ifdef __cplusplus
extern "C" {
#endif
#define DRIVER(symbol, name, since, group, state, parameters) CUresult CUDAAPI symbol parameters;
#include "warpwise/driver_api.inc"
// The same for programs whose default stream is the thread's own.
#define DRIVER(...)
#define DRIVER_PTSZ(symbol, name, since, group, state, parameters, arguments) CUresult CUDAAPI symbol##_ptsz parameters;
#define DRIVER_PTDS(symbol, name, since, group, state, parameters, arguments) CUresult CUDAAPI symbol##_ptds parameters;
#include "warpwise/driver_api.inc"
#ifdef __cplusplus
}
#endif

// Code that needs the symbols themselves defines this, as with NVIDIA's header.
#ifndef __CUDA_API_VERSION_INTERNAL
#ifdef __cplusplus
// Functions to which CUDA 13 gave other parameters under the same name: programs written for either version compile.
static inline CUresult cuCtxCreate_v2(CUcontext* context, CUctxCreateParams* parameters, unsigned flags, CUdevice device) {
  return cuCtxCreate_v4(context, parameters, flags, device);
}
static inline CUresult cuMemAdvise(CUdeviceptr address, size_t bytes, CUmem_advise advice, CUmemLocation location) {
  return cuMemAdvise_v2(address, bytes, advice, location);
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
                                          CUstream stream) {
  return cuMemPrefetchAsync_v2(address, bytes, location, flags, stream);
}
#endif

#if defined(CUDA_API_PER_THREAD_DEFAULT_STREAM) || defined(__CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define WARPWISE_PTDS(symbol) symbol##_ptds
#define WARPWISE_PTSZ(symbol) symbol##_ptsz
#else
#define WARPWISE_PTDS(symbol) symbol
#define WARPWISE_PTSZ(symbol) symbol
#endif

#define cuDeviceGetUuid cuDeviceGetUuid_v2
#define cuDeviceTotalMem cuDeviceTotalMem_v2
#define cuDevicePrimaryCtxRelease cuDevicePrimaryCtxRelease_v2
#define cuDevicePrimaryCtxSetFlags cuDevicePrimaryCtxSetFlags_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2
#define cuCtxCreate cuCtxCreate_v2
#define cuCtxDestroy cuCtxDestroy_v2
#define cuCtxPushCurrent cuCtxPushCurrent_v2
#define cuCtxPopCurrent cuCtxPopCurrent_v2
#define cuModuleGetGlobal cuModuleGetGlobal_v2
#define cuLinkCreate cuLinkCreate_v2
#define cuLinkAddData cuLinkAddData_v2
#define cuLinkAddFile cuLinkAddFile_v2
#define cuMemGetInfo cuMemGetInfo_v2
#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemFree cuMemFree_v2
#define cuMemGetAddressRange cuMemGetAddressRange_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2
#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2
#define cuMemHostRegister cuMemHostRegister_v2
#define cuArrayCreate cuArrayCreate_v2
#define cuArrayGetDescriptor cuArrayGetDescriptor_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuArray3DGetDescriptor cuArray3DGetDescriptor_v2
#define cuStreamDestroy cuStreamDestroy_v2
#define cuEventDestroy cuEventDestroy_v2
#define cuGraphAddKernelNode cuGraphAddKernelNode_v2
#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags
#define cuGraphExecKernelNodeSetParams cuGraphExecKernelNodeSetParams_v2
#define cuGraphExecUpdate cuGraphExecUpdate_v2
#define cuTexRefSetAddress cuTexRefSetAddress_v2
#define cuTexRefSetAddress2D cuTexRefSetAddress2D_v3
#define cuTexRefGetAddress cuTexRefGetAddress_v2
#define cuGraphicsResourceGetMappedPointer cuGraphicsResourceGetMappedPointer_v2
#define cuGraphicsResourceSetMapFlags cuGraphicsResourceSetMapFlags_v2
#define cuMemcpy WARPWISE_PTDS(cuMemcpy)
#define cuMemcpyPeer WARPWISE_PTDS(cuMemcpyPeer)
#define cuMemcpyHtoD WARPWISE_PTDS(cuMemcpyHtoD_v2)
#define cuMemcpyDtoH WARPWISE_PTDS(cuMemcpyDtoH_v2)
#define cuMemcpyDtoD WARPWISE_PTDS(cuMemcpyDtoD_v2)
#define cuMemcpyDtoA WARPWISE_PTDS(cuMemcpyDtoA_v2)
#define cuMemcpyAtoD WARPWISE_PTDS(cuMemcpyAtoD_v2)
#define cuMemcpyHtoA WARPWISE_PTDS(cuMemcpyHtoA_v2)
#define cuMemcpyAtoH WARPWISE_PTDS(cuMemcpyAtoH_v2)
#define cuMemcpyAtoA WARPWISE_PTDS(cuMemcpyAtoA_v2)
#define cuMemcpy2D WARPWISE_PTDS(cuMemcpy2D_v2)
#define cuMemcpy2DUnaligned WARPWISE_PTDS(cuMemcpy2DUnaligned_v2)
#define cuMemcpy3D WARPWISE_PTDS(cuMemcpy3D_v2)
#define cuMemcpy3DPeer WARPWISE_PTDS(cuMemcpy3DPeer)
#define cuMemcpyAsync WARPWISE_PTSZ(cuMemcpyAsync)
#define cuMemcpyPeerAsync WARPWISE_PTSZ(cuMemcpyPeerAsync)
#define cuMemcpyHtoDAsync WARPWISE_PTSZ(cuMemcpyHtoDAsync_v2)
#define cuMemcpyDtoHAsync WARPWISE_PTSZ(cuMemcpyDtoHAsync_v2)
#define cuMemcpyDtoDAsync WARPWISE_PTSZ(cuMemcpyDtoDAsync_v2)
#define cuMemcpyHtoAAsync WARPWISE_PTSZ(cuMemcpyHtoAAsync_v2)
#define cuMemcpyAtoHAsync WARPWISE_PTSZ(cuMemcpyAtoHAsync_v2)
#define cuMemcpy2DAsync WARPWISE_PTSZ(cuMemcpy2DAsync_v2)
#define cuMemcpy3DAsync WARPWISE_PTSZ(cuMemcpy3DAsync_v2)
#define cuMemcpy3DPeerAsync WARPWISE_PTSZ(cuMemcpy3DPeerAsync)
#define cuMemcpyBatchAsync WARPWISE_PTSZ(cuMemcpyBatchAsync)
#define cuMemcpy3DBatchAsync WARPWISE_PTSZ(cuMemcpy3DBatchAsync)
#define cuMemsetD8 WARPWISE_PTDS(cuMemsetD8_v2)
#define cuMemsetD16 WARPWISE_PTDS(cuMemsetD16_v2)
#define cuMemsetD32 WARPWISE_PTDS(cuMemsetD32_v2)
#define cuMemsetD2D8 WARPWISE_PTDS(cuMemsetD2D8_v2)
#define cuMemsetD2D16 WARPWISE_PTDS(cuMemsetD2D16_v2)
#define cuMemsetD2D32 WARPWISE_PTDS(cuMemsetD2D32_v2)
#define cuMemsetD8Async WARPWISE_PTSZ(cuMemsetD8Async)
#define cuMemsetD16Async WARPWISE_PTSZ(cuMemsetD16Async)
#define cuMemsetD32Async WARPWISE_PTSZ(cuMemsetD32Async)
#define cuMemsetD2D8Async WARPWISE_PTSZ(cuMemsetD2D8Async)
#define cuMemsetD2D16Async WARPWISE_PTSZ(cuMemsetD2D16Async)
#define cuMemsetD2D32Async WARPWISE_PTSZ(cuMemsetD2D32Async)
#define cuMemBatchDecompressAsync WARPWISE_PTSZ(cuMemBatchDecompressAsync)
#define cuMemMapArrayAsync WARPWISE_PTSZ(cuMemMapArrayAsync)
#define cuMemFreeAsync WARPWISE_PTSZ(cuMemFreeAsync)
#define cuMemAllocAsync WARPWISE_PTSZ(cuMemAllocAsync)
#define cuMemAllocFromPoolAsync WARPWISE_PTSZ(cuMemAllocFromPoolAsync)
#define cuMemPrefetchAsync WARPWISE_PTSZ(cuMemPrefetchAsync)
#define cuMemPrefetchBatchAsync WARPWISE_PTSZ(cuMemPrefetchBatchAsync)
#define cuMemDiscardBatchAsync WARPWISE_PTSZ(cuMemDiscardBatchAsync)
#define cuMemDiscardAndPrefetchBatchAsync WARPWISE_PTSZ(cuMemDiscardAndPrefetchBatchAsync)
#define cuStreamGetPriority WARPWISE_PTSZ(cuStreamGetPriority)
#define cuStreamGetDevice WARPWISE_PTSZ(cuStreamGetDevice)
#define cuStreamGetFlags WARPWISE_PTSZ(cuStreamGetFlags)
#define cuStreamGetId WARPWISE_PTSZ(cuStreamGetId)
#define cuStreamGetCtx WARPWISE_PTSZ(cuStreamGetCtx)
#define cuStreamWaitEvent WARPWISE_PTSZ(cuStreamWaitEvent)
#define cuStreamAddCallback WARPWISE_PTSZ(cuStreamAddCallback)
#define cuStreamBeginCapture WARPWISE_PTSZ(cuStreamBeginCapture_v2)
#define cuStreamBeginCaptureToGraph WARPWISE_PTSZ(cuStreamBeginCaptureToGraph)
#define cuStreamEndCapture WARPWISE_PTSZ(cuStreamEndCapture)
#define cuStreamIsCapturing WARPWISE_PTSZ(cuStreamIsCapturing)
#define cuStreamGetCaptureInfo WARPWISE_PTSZ(cuStreamGetCaptureInfo_v2)
#define cuStreamUpdateCaptureDependencies WARPWISE_PTSZ(cuStreamUpdateCaptureDependencies)
#define cuStreamAttachMemAsync WARPWISE_PTSZ(cuStreamAttachMemAsync)
#define cuStreamQuery WARPWISE_PTSZ(cuStreamQuery)
#define cuStreamSynchronize WARPWISE_PTSZ(cuStreamSynchronize)
#define cuStreamCopyAttributes WARPWISE_PTSZ(cuStreamCopyAttributes)
#define cuStreamGetAttribute WARPWISE_PTSZ(cuStreamGetAttribute)
#define cuStreamSetAttribute WARPWISE_PTSZ(cuStreamSetAttribute)
#define cuEventRecord WARPWISE_PTSZ(cuEventRecord)
#define cuEventRecordWithFlags WARPWISE_PTSZ(cuEventRecordWithFlags)
#define cuSignalExternalSemaphoresAsync WARPWISE_PTSZ(cuSignalExternalSemaphoresAsync)
#define cuWaitExternalSemaphoresAsync WARPWISE_PTSZ(cuWaitExternalSemaphoresAsync)
#define cuStreamWaitValue32 WARPWISE_PTSZ(cuStreamWaitValue32_v2)
#define cuStreamWaitValue64 WARPWISE_PTSZ(cuStreamWaitValue64_v2)
#define cuStreamWriteValue32 WARPWISE_PTSZ(cuStreamWriteValue32_v2)
#define cuStreamWriteValue64 WARPWISE_PTSZ(cuStreamWriteValue64_v2)
#define cuStreamBatchMemOp WARPWISE_PTSZ(cuStreamBatchMemOp_v2)
#define cuLaunchKernel WARPWISE_PTSZ(cuLaunchKernel)
#define cuLaunchKernelEx WARPWISE_PTSZ(cuLaunchKernelEx)
#define cuLaunchCooperativeKernel WARPWISE_PTSZ(cuLaunchCooperativeKernel)
#define cuLaunchHostFunc WARPWISE_PTSZ(cuLaunchHostFunc)
#define cuGraphInstantiateWithParams WARPWISE_PTSZ(cuGraphInstantiateWithParams)
#define cuGraphUpload WARPWISE_PTSZ(cuGraphUpload)
#define cuGraphLaunch WARPWISE_PTSZ(cuGraphLaunch)
#define cuGraphicsMapResources WARPWISE_PTSZ(cuGraphicsMapResources)
#define cuGraphicsUnmapResources WARPWISE_PTSZ(cuGraphicsUnmapResources)
#define cuGetProcAddress WARPWISE_PTSZ(cuGetProcAddress_v2)
#endif
