// Access between devices (devices.h): any two of them can have it.
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

using namespace warpwise::cuda;

namespace {

cudaError_t check_devices(int device, int peer) {
  CUDA_TRY(require_device(device));
  return require_device(peer);
}

}  // namespace

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call_without_device("cudaDeviceCanAccessPeer", [&]() -> cudaError_t {
    if (!can) return fail(cudaErrorInvalidValue, "the result pointer is null");
    CUDA_TRY(check_devices(device, peer));
    *can = device != peer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call_without_device("cudaDeviceEnablePeerAccess", [&]() -> cudaError_t {
    CUDA_TRY(require_device(peer));
    if (peer == Devices::current()) return fail(cudaErrorPeerAccessUnsupported, "a device is not its own peer");
    if (flags != 0) return fail(cudaErrorInvalidValue, "flags {:#x}: no flags are defined", flags);
    return Process::instance().devices.grant(Devices::current(), peer);
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call_without_device("cudaDeviceDisablePeerAccess", [&]() -> cudaError_t {
    CUDA_TRY(require_device(peer));
    return Process::instance().devices.withdraw(Devices::current(), peer);
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int source, int destination) {
  return call_without_device("cudaDeviceGetP2PAttribute", [&]() -> cudaError_t {
    if (!value) return fail(cudaErrorInvalidValue, "the result pointer is null");
    CUDA_TRY(check_devices(source, destination));
    if (source == destination) return fail(cudaErrorInvalidDevice, "a device is not its own peer");
    switch (attribute) {
      case cudaDevP2PAttrPerformanceRank:
        *value = 0;
        return cudaSuccess;  // the best there is
      case cudaDevP2PAttrAccessSupported:
      case cudaDevP2PAttrNativeAtomicSupported:
      case cudaDevP2PAttrCudaArrayAccessSupported:
        *value = 1;
        return cudaSuccess;
      case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
        *value = 0;
        return cudaSuccess;  // all of them are
    }
    return fail(cudaErrorInvalidValue, "there is no attribute {} of two devices", static_cast<int>(attribute));
  });
}
