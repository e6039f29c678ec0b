#include "lab/sandbox/namespaces.h"

#include <unistd.h>

#include <filesystem>

namespace warpwise::lab::sandbox {

std::vector<std::string> in_namespaces(const Job& job, const std::string& program,
                                       const std::vector<std::string>& arguments) {
  std::string bubblewrap;
  for (const char* place : {"/usr/bin/bwrap", "/usr/local/bin/bwrap"})
    if (bubblewrap.empty() && access(place, X_OK) == 0) bubblewrap = place;
  if (bubblewrap.empty()) return {};
  std::vector<std::string> words{bubblewrap,      "--unshare-user", "--unshare-pid",        "--unshare-net",
                                 "--unshare-ipc", "--unshare-uts",  "--unshare-cgroup-try", "--die-with-parent",
                                 "--as-pid-1",    "--clearenv",     "--cap-drop",           "ALL"};
  auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  for (const std::string& path : job.readable) add({"--ro-bind-try", path, path});
  // Inside is this same program, which needs its libraries.
  for (const char* path : {"/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache"}) add({"--ro-bind-try", path, path});
  add({"--ro-bind", program, program});
  const std::string bundled = std::filesystem::path(program).parent_path() / "bundle/lib";  // of the tarball
  add({"--ro-bind-try", bundled, bundled});
  add({"--proc", "/proc", "--dev", "/dev"});
  add({"--dir", "/sys/devices/system/cpu", "--ro-bind-try", "/sys/devices/system/cpu", "/sys/devices/system/cpu"});
  add({"--dir", job.folder});  // empty if the job names nothing in it
  for (const std::string& path : job.writable) add({"--bind-try", path, path});
  add({"--", program});
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace warpwise::lab::sandbox
