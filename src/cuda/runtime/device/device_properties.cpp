#include "cuda/runtime/device/device_properties.h"

#include <algorithm>
#include <cstring>

namespace warpwise::cuda {

bool device_attribute(const device::Properties& p, int ordinal, int attribute, int* value) {
  switch (attribute) {
#define ATTRIBUTE(name, number, answer) \
  case number:                          \
    *value = static_cast<int>(answer);  \
    return true;
#include "cuda/runtime/device/attributes.inc"
#undef ATTRIBUTE
    default:
      return false;
  }
}

namespace {

// The members that are not numbers. Programs distinguish devices by the UUID, so it depends on the device's name and
// number.
template <class Properties>
void fill_identity(Properties& out, const device::Properties& p, int ordinal) {
  size_t length = std::min(p.name.size(), sizeof out.name - 1);
  std::memcpy(out.name, p.name.data(), length);
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (char& byte : out.uuid.bytes) {
    for (char c : p.name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    byte = static_cast<char>(hash >> 56);
  }
  out.uuid.bytes[15] = static_cast<char>(out.uuid.bytes[15] + ordinal);
}

#define CUDA_FILL(type, name, array, ...) .name = __VA_ARGS__,
#define CUDA_SKIP(...)
#define ATTR(name) value(cudaDevAttr##name)
#define BOTH CUDA_FILL

cudaDeviceProp fill_cuda13(const device::Properties& p, auto value) {
#define CUDA12 CUDA_SKIP
#define CUDA13 CUDA_FILL
  return {
#include "cuda/runtime/device/device_properties.inc"
  };
#undef CUDA12
#undef CUDA13
}

cudaDeviceProp12 fill_cuda12(const device::Properties& p, auto value) {
#define CUDA12 CUDA_FILL
#define CUDA13 CUDA_SKIP
  return {
#include "cuda/runtime/device/device_properties.inc"
  };
#undef CUDA12
#undef CUDA13
}

// An attribute that converts to the integer type of the member.
struct Number {
  int number;
  template <class Integer>
  constexpr operator Integer() const {
    return static_cast<Integer>(number);
  }
};

auto attributes_of(const device::Properties& p, int ordinal) {
  return [&p, ordinal](cudaDeviceAttr attribute) {
    int number = 0;
    device_attribute(p, ordinal, attribute, &number);
    return Number{number};
  };
}

}  // namespace

cudaDeviceProp device_properties_cuda13(const device::Properties& p, int ordinal) {
  cudaDeviceProp out = fill_cuda13(p, attributes_of(p, ordinal));
  fill_identity(out, p, ordinal);
  return out;
}

cudaDeviceProp12 device_properties_cuda12(const device::Properties& p, int ordinal) {
  cudaDeviceProp12 out = fill_cuda12(p, attributes_of(p, ordinal));
  fill_identity(out, p, ordinal);
  return out;
}

}  // namespace warpwise::cuda
