#include "cli/support/nvcc_talk.h"

#include <fmt/format.h>

#include <cstdlib>

#include "toolchain/installation.h"

namespace warpwise::cli {

std::string nvcc_version() {
  // __CUDACC_VER_MAJOR__ and related macros in include/cuda/cuda_runtime.h.
  constexpr int kMajor = 12, kMinor = 3, kBuild = 0;
  return fmt::format(
      "nvcc: NVIDIA (R) Cuda compiler driver\n"
      "This is Warpwise {3}, which compiles CUDA for a virtual GPU; the line above is for build systems\n"
      "Cuda compilation tools, release {0}.{1}, V{0}.{1}.{2}\n",
      kMajor, kMinor, kBuild, WARPWISE_VERSION);
}

std::string nvcc_variables(unsigned architecture) {
  const toolchain::Installation here = toolchain::Installation::find();
  const char* path = std::getenv("PATH");
  const std::string top = here.libraries.string();
  return fmt::format(
      "#$ TOP={0}\n"
      "#$ NVVMIR_LIBRARY_DIR={0}/nvvm/libdevice\n"
      "#$ PATH={1}\n"
      "#$ INCLUDES=\"-I{2}\"\n"
      "#$ LIBRARIES=-L{3}\n"
      "#$ WARPWISE_DEFAULT=-arch compute_{4}\n",
      top, path ? path : "", here.headers.string(), here.link_libraries().string(), architecture);
}

}  // namespace warpwise::cli
