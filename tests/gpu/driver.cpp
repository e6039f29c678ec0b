#include "driver.h"

#include <dlfcn.h>

namespace warpwise::gpu {

Result<Driver> Driver::open(const char* library) {
  void* handle = dlopen(library ? library : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return Error{"U0001", std::string("there is no driver of NVIDIA's here: ") + dlerror()};
  Driver driver;
#define FUNCTION(name, symbol, parameters)                                       \
  driver.name = reinterpret_cast<CUresult(*) parameters>(dlsym(handle, symbol)); \
  if (!driver.name) return Error{"U0001", "the driver lacks " + std::string(symbol)};
  WARPWISE_DRIVER_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return driver;
}

std::string Driver::name_of(CUresult error) const {
  const char* name = nullptr;
  error_name(error, &name);
  return name ? name : "error " + std::to_string(error);
}

}  // namespace warpwise::gpu
