// Access between devices. There is one device, so every question has the same answer.
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

using namespace warpwise::cuda;

namespace {

cudaError_t check_devices(int device, int peer) {
  if (device == 0 && peer == 0) return cudaSuccess;
  return fail(cudaErrorInvalidDevice, "device {} does not exist; there is one, number 0", device ? device : peer);
}

}  // namespace

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call_without_device("cudaDeviceCanAccessPeer", [&]() -> cudaError_t {
    if (!can) return fail(cudaErrorInvalidValue, "the place for the answer is null");
    CUDA_TRY(check_devices(device, peer));
    *can = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
  return call_without_device("cudaDeviceEnablePeerAccess", [&]() -> cudaError_t {
    CUDA_TRY(check_devices(0, peer));
    return fail(cudaErrorPeerAccessUnsupported, "a device is not its own peer");
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call_without_device("cudaDeviceDisablePeerAccess", [&]() -> cudaError_t {
    CUDA_TRY(check_devices(0, peer));
    return fail(cudaErrorPeerAccessNotEnabled, "peer access was never enabled");
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int source, int destination) {
  return call_without_device("cudaDeviceGetP2PAttribute", [&]() -> cudaError_t {
    if (!value) return fail(cudaErrorInvalidValue, "the place for the answer is null");
    CUDA_TRY(check_devices(source, destination));
    return fail(cudaErrorInvalidDevice, "a device is not its own peer");
  });
}
