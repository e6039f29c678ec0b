#include "base/host_place.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <string_view>

namespace warpwise {
namespace {

constexpr int kMostFrames = 24;  // of the program; deep recursion is cut
constexpr int kOwnFrames = 16;   // of our libraries, above them

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

// What the program calls itself may be anything; the system knows the file.
std::string path_of_program() {
  char buffer[4096];
  ssize_t length = readlink("/proc/self/exe", buffer, sizeof buffer);
  return std::string(buffer, length > 0 ? size_t(length) : 0);
}

const link_map* module_of(void* address) {
  Dl_info info{};
  void* map = nullptr;
  return dladdr1(address, &info, &map, RTLD_DL_LINKMAP) ? static_cast<const link_map*>(map) : nullptr;
}

}  // namespace

HostPlace host_place() {
  void* addresses[kMostFrames + kOwnFrames];
  int count = backtrace(addresses, kMostFrames + kOwnFrames);
  const link_map* self = module_of(reinterpret_cast<void*>(&host_place));
  std::string_view own_folder = self ? folder_of(self->l_name) : std::string_view();
  HostPlace place;
  for (int i = 0; i < count && place.size() < kMostFrames; ++i) {
    const link_map* module = module_of(addresses[i]);
    if (!module) continue;
    std::string_view file = module->l_name;  // "" is the program itself
    if (place.empty() && !file.empty() && folder_of(file) == own_folder) continue;
    place.push_back({file.empty() ? path_of_program() : std::string(file), reinterpret_cast<uint64_t>(addresses[i]) - module->l_addr});
  }
  return place;
}

}  // namespace warpwise
