// Streams: the runtime's, under the driver's names.
#include "cuda/driver/call.h"
#include "cuda/driver/contexts.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaLaunchAttributeValue));

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return forward("cuStreamCreate", [&] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  return forward("cuStreamCreateWithPriority", [&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  return forward("cuStreamDestroy", [&] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return forward("cuStreamGetPriority", [&] { return cudaStreamGetPriority(stream, priority); });
}
CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return forward("cuStreamGetFlags", [&] { return cudaStreamGetFlags(stream, flags); });
}
CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
  return forward("cuStreamGetId", [&] { return cudaStreamGetId(stream, id); });
}
CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return forward("cuStreamGetDevice", [&] { return cudaStreamGetDevice(stream, device); });
}

// Streams belong to devices here, so the context is the current one when it is of the stream's device.
CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return forward("cuStreamGetCtx", [&]() -> cudaError_t {
    CUDA_TRY(check_out(context));
    int device = 0;
    CUDA_TRY(cudaStreamGetDevice(stream, &device));
    *context = Contexts::instance().current();
    return cudaSuccess;
  });
}

CUresult cuStreamSynchronize(CUstream stream) {
  return forward("cuStreamSynchronize", [&] { return cudaStreamSynchronize(stream); });
}
CUresult cuStreamQuery(CUstream stream) {
  return forward("cuStreamQuery", [&] { return cudaStreamQuery(stream); });
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return forward("cuStreamWaitEvent", [&] { return cudaStreamWaitEvent(stream, event, flags); });
}

// The status that a callback gets is an int in both APIs; the one code it can be is the same.
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* user_data, unsigned flags) {
  return forward("cuStreamAddCallback", [&] {
    return cudaStreamAddCallback(stream, reinterpret_cast<cudaStreamCallback_t>(callback), user_data, flags);
  });
}

CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  return forward("cuStreamGetAttribute", [&] {
    return cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                  reinterpret_cast<cudaLaunchAttributeValue*>(value));
  });
}
CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
  return forward("cuStreamSetAttribute", [&] {
    return cudaStreamSetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                  reinterpret_cast<const cudaLaunchAttributeValue*>(value));
  });
}
CUresult cuStreamCopyAttributes(CUstream dst, CUstream src) {
  return forward("cuStreamCopyAttributes", [&] { return cudaStreamCopyAttributes(dst, src); });
}

// --- capture --------------------------------------------------------------------------------------
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return forward("cuStreamIsCapturing",
                 [&] { return cudaStreamIsCapturing(stream, reinterpret_cast<cudaStreamCaptureStatus*>(status)); });
}
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  return forward("cuThreadExchangeStreamCaptureMode",
                 [&] { return cudaThreadExchangeStreamCaptureMode(reinterpret_cast<cudaStreamCaptureMode*>(mode)); });
}
