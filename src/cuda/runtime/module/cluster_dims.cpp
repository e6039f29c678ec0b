#include "cuda/runtime/module/cluster_dims.h"

#include <algorithm>
#include <charconv>

#include "cuda/runtime/module/sections.h"

namespace warpwise::cuda {

namespace {

constexpr std::string_view kSection = "warpwise_cluster(";

void skip_spaces(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(' '), text.size())); }

// "2, 1, 1)" and "2)"
bool read_sizes(std::string_view text, dim3* out) {
  unsigned* const sizes[] = {&out->x, &out->y, &out->z};
  for (unsigned* size : sizes) {
    skip_spaces(text);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *size);
    if (error != std::errc() || *size == 0) return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    skip_spaces(text);
    if (text == ")") return true;
    if (!text.starts_with(',')) return false;
    text.remove_prefix(1);
  }
  return false;
}

}  // namespace

cudaError_t cluster_dims(Kernel& kernel, dim3* out) {
  *out = dim3{1, 1, 1};
  if (!kernel.host) return cudaSuccess;
  std::string section;
  kernel.module->update(kernel, [&](Kernel& k) {
    if (!k.host_section) k.host_section = section_name(k.host);
    section = *k.host_section;
  });
  if (!section.starts_with(kSection) || read_sizes(std::string_view(section).substr(kSection.size()), out))
    return cudaSuccess;
  return fail(
      cudaErrorInvalidClusterSize,
      "the kernel's __cluster_dims__{} is not a list of numbers: with Clang, name the sizes by macros, or launch "
      "with cudaLaunchKernelEx and "
      "cudaLaunchAttributeClusterDimension",
      section.substr(kSection.size() - 1));
}

}  // namespace warpwise::cuda
