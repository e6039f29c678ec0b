#include "base/home.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace warpwise {

std::filesystem::path home_folder() {
  if (const char* home = std::getenv("HOME"); home && *home == '/') return home;
  std::string buffer(1 << 14, '\0');
  passwd entry{}, *found = nullptr;
  if (getpwuid_r(geteuid(), &entry, buffer.data(), buffer.size(), &found) != 0 || !found || !found->pw_dir) return {};
  return *found->pw_dir == '/' ? std::filesystem::path(found->pw_dir) : std::filesystem::path();
}

}  // namespace warpwise
