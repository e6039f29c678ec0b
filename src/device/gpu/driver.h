// NVIDIA's driver, opened at run time: libcuda.so.1, of which driver_api.inc lists the functions that we call. So
// nothing of NVIDIA's is needed to build or to start Warpwise, and a machine without a GPU gets a sentence instead of
// an error of the loader.
//
// Our own libcuda.so.1 has the same name and, for the programs that we start, comes first on LD_LIBRARY_PATH. Asking
// the loader for the name would therefore find ourselves. We look through the folders where drivers lie, open a file by
// its path, and pass over a library that stands on libwarpwise.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "device/gpu/driver_types.h"

namespace warpwise::device::gpu {

// The environment variable that names the driver's library, for a driver in an unusual place and for tests.
constexpr const char* kDriverVariable = "WARPWISE_GPU_DRIVER";

class Driver {
 public:
#define FUNCTION(name, symbol, since, need, parameters) CUresult(*name) parameters = nullptr;
#include "device/gpu/driver_api.inc"
#undef FUNCTION

  // The driver at `path`, or where `path` is empty the one that WARPWISE_GPU_DRIVER names, or the machine's.
  // R0601: there is none, or it finds no GPU. R0602: it is too old.
  static Result<std::shared_ptr<const Driver>> open(const std::filesystem::path& path = {});

  int version() const { return version_; }  // of CUDA, as the driver counts: 12040 is 12.4
  const std::filesystem::path& path() const { return path_; }

  // "CUDA_ERROR_INVALID_VALUE (invalid argument)"
  std::string text_of(CUresult result) const;
  // Success, or the failure that a result means; `what` was to be done.
  Status status_of(CUresult result, std::string_view what) const;

 private:
  Result<void> start();

  std::filesystem::path path_;
  int version_ = 0;
};

// The failure that a code of the driver means.
Failure failure_of(CUresult result);

// A function that this driver does not have.
Status lacks(std::string_view symbol);
#define WARPWISE_NEED(driver, name, symbol) \
  if (!(driver).name) return ::warpwise::device::gpu::lacks(symbol)

// The folders that may hold a driver, in the order in which they are searched.
std::vector<std::filesystem::path> folders_of_drivers();

}  // namespace warpwise::device::gpu
