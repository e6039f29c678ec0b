#include "lab/sandbox/namespaces.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace warpwise::lab::sandbox {
namespace {

namespace fs = std::filesystem;

bool is_in(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// Bubblewrap's words that make `paths` readable: what exists, each file and folder once, and nothing that lies in
// another folder of the list. A link to a folder of the list (/lib, which is /usr/lib) becomes a link. Each mount makes
// bubblewrap read the table of all mounts, so that half as many take a quarter of the time; a first verdict needs a
// dozen sandboxes.
std::vector<std::string> words_to_read(const std::vector<std::string>& paths) {
  std::error_code error;
  std::set<fs::path> real;  // in an order in which a folder comes before what is in it
  for (const std::string& path : paths)
    if (const fs::path found = fs::canonical(path, error); !error) real.insert(found);
  std::vector<fs::path> mounted;
  auto is_there = [&](const fs::path& path) {
    return std::any_of(mounted.begin(), mounted.end(), [&](const fs::path& folder) { return is_in(path, folder); });
  };
  for (const fs::path& path : real)
    if (!is_there(path)) mounted.push_back(path);

  std::vector<std::string> words;
  for (const fs::path& path : mounted) words.insert(words.end(), {"--ro-bind-try", path, path});
  std::set<fs::path> named;
  for (const std::string& name : paths) {
    const fs::path path = name;
    const fs::path found = fs::canonical(path, error);
    if (error || is_there(path) || !named.insert(path).second) continue;
    const bool is_link = fs::is_symlink(fs::symlink_status(path, error));
    if (is_link)
      words.insert(words.end(), {"--symlink", found, path});
    else  // a folder above it is one
      words.insert(words.end(), {"--ro-bind-try", path, path});
  }
  return words;
}

}  // namespace

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
  std::vector<std::string> readable = job.readable;
  // Inside is this same program, which needs its libraries: the system's, or those of the tarball.
  const std::string bundled = fs::path(program).parent_path() / "bundle/lib";
  readable.insert(readable.end(), {"/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache", program, bundled});
  const std::vector<std::string> to_read = words_to_read(readable);
  words.insert(words.end(), to_read.begin(), to_read.end());
  add({"--proc", "/proc", "--dev", "/dev"});
  add({"--dir", "/sys/devices/system/cpu", "--ro-bind-try", "/sys/devices/system/cpu", "/sys/devices/system/cpu"});
  add({"--dir", job.folder});  // empty if the job names nothing in it
  for (const std::string& path : job.writable) add({"--bind-try", path, path});
  add({"--", program});
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace warpwise::lab::sandbox
