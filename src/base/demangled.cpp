#include "base/demangled.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpwise {

std::string demangled(std::string_view name) {
  std::string mangled(name);
  if (!name.starts_with("_Z")) return mangled;
  int status = 0;
  std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                              std::free);
  return status == 0 ? text.get() : mangled;
}

}  // namespace warpwise
