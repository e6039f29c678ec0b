#include "base/host_place.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace warpwise {
namespace {

constexpr int kMostFrames = 24;  // of the program; deep recursion is cut
constexpr int kOwnFrames = 16;   // of our libraries, above them

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

// The program's own name for itself may be anything; the system knows the file.
const std::string& path_of_program() {
  static const std::string path = [] {
    char buffer[4096];
    ssize_t length = readlink("/proc/self/exe", buffer, sizeof buffer);
    return std::string(buffer, length > 0 ? size_t(length) : 0);
  }();
  return path;
}

// Not dladdr(), which looks through all symbols of the module for the nearest one: a program with thousands of findings
// spends its time there.
const link_map* module_of(void* address) {
  dl_find_object found;
  return _dl_find_object(address, &found) == 0 ? found.dlfo_link_map : nullptr;
}

bool is_ours(const link_map& module) {
  const link_map* self = module_of(reinterpret_cast<void*>(&host_place));
  std::string_view file = module.l_name;  // "" is the program itself
  return self && !file.empty() && folder_of(file) == folder_of(self->l_name);
}

// Of return addresses, the innermost first.
HostPlace place_of(std::span<void* const> addresses) {
  HostPlace place;
  for (void* address : addresses) {
    const link_map* module = module_of(address);
    if (!module || place.size() == kMostFrames) continue;
    if (place.empty() && is_ours(*module)) continue;
    std::string_view file = module->l_name;
    place.push_back(
        {file.empty() ? path_of_program() : std::string(file), reinterpret_cast<uint64_t>(address) - module->l_addr});
  }
  return place;
}

}  // namespace

HostPlace host_place() {
  std::array<void*, kMostFrames + kOwnFrames> addresses;
  const auto frames = std::span(addresses).first(size_t(backtrace(addresses.data(), int(addresses.size()))));
  // If another library's backtrace() replaces the C library's, as AddressSanitizer's does, that function is the first
  // frame.
  const auto ours = std::find_if(frames.begin(), frames.end(), [](void* address) {
    const link_map* module = module_of(address);
    return module && is_ours(*module);
  });
  return place_of(ours == frames.end() ? frames : frames.subspan(size_t(ours - frames.begin())));
}

HostPlace host_place_of(uint64_t pc) {
  void* stopped = reinterpret_cast<void*>(pc);
  if (const link_map* module = module_of(stopped); !module || is_ours(*module)) return {};
  std::array<void*, kMostFrames + kOwnFrames> addresses;
  const size_t count = size_t(backtrace(addresses.data(), int(addresses.size())));
  size_t first = 0;
  while (first < count && addresses[first] != stopped) ++first;
  if (first == count) addresses[first = 0] = stopped;
  const auto frames = std::span(addresses).first(first == 0 ? 1 : count).subspan(first);
  frames[0] = reinterpret_cast<void*>(pc + 1);  // as a return address, which follows its instruction
  return place_of(frames);
}

}  // namespace warpwise
