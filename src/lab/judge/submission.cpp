#include "lab/judge/submission.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "lab/sandbox/file_scope.h"
#include "lab/sandbox/job.h"
#include "toolchain/includes.h"
#include "toolchain/installation.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeaderExtensions[] = {".h", ".hpp", ".hh", ".cuh", ".inc", ".inl"};

bool is_header(const fs::path& path) {
  return std::find(std::begin(kHeaderExtensions), std::end(kHeaderExtensions), path.extension().string()) !=
         std::end(kHeaderExtensions);
}

class HeaderSearch {
 public:
  HeaderSearch(const fs::path& source, bool own_headers)
      : folder_(real(fs::absolute(source).parent_path())),
        own_headers_(own_headers),
        system_({source}, readable_folders()) {}

  void visit(const fs::path& file, const std::string& text) {
    for (const std::string& name : toolchain::included_names(text)) {
      if (!found_.refused.empty()) return;
      take(file.parent_path() / name, name);
    }
  }
  SubmissionFiles take_result() { return std::move(found_); }

 private:
  static fs::path real(const fs::path& path) {
    std::error_code error;
    return fs::weakly_canonical(path, error);
  }
  static std::vector<std::string> readable_folders() {
    std::vector<std::string> folders = sandbox::system_folders();
    folders.push_back(toolchain::Installation::find().headers.string());
    return folders;
  }

  void take(const fs::path& path, const std::string& name) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (!fs::exists(status)) return;
    const fs::path found = real(path);
    const fs::path inside = found.lexically_relative(folder_);
    const bool beside = fs::is_regular_file(status) && !inside.empty() && *inside.begin() != ".." && is_header(found);
    if (!beside || !own_headers_) {
      if (!system_.holds(path)) found_.refused = "open " + name, found_.refused_neighbour = beside;
      return;
    }
    if (!seen_.insert(found.string()).second) return;
    auto text = read_submission(found);
    if (!text || text->size() > kMostSourceBytes || seen_.size() > kMostHeaders) {
      found_.refused = "open " + name;
      return;
    }
    found_.headers.push_back({path, std::move(text).value()});
    visit(path, std::string(found_.headers.back().text));
  }

  const fs::path folder_;
  const bool own_headers_;
  const sandbox::FileScope system_;
  std::set<std::string> seen_;
  SubmissionFiles found_;
};

}  // namespace

SubmissionFiles files_of(const fs::path& source, const std::string& text, bool own_headers) {
  HeaderSearch search(source, own_headers);
  search.visit(fs::absolute(source), text);
  return search.take_result();
}

Result<std::string> read_submission(const std::filesystem::path& file) {
  auto refuse = [&](const char* why) {
    return Error{"U0001", fmt::format("cannot read `{}`: {}", file.string(), why)};
  };
  // Opening a pipe must not wait for a writer.
  const int fd = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return refuse(std::strerror(errno));
  struct stat info{};
  const bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  std::string text;
  int reason = 0;
  char part[1 << 16];
  while (regular && text.size() <= kMostSourceBytes) {
    const ssize_t n = read(fd, part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) reason = errno;
    if (n <= 0) break;
    text.append(part, static_cast<size_t>(n));
  }
  close(fd);
  if (!regular) return refuse(S_ISDIR(info.st_mode) ? "it is a folder" : "it is not a regular file");
  if (reason) return refuse(std::strerror(reason));
  if (text.size() > kMostSourceBytes) text.resize(kMostSourceBytes + 1);
  return text;
}

}  // namespace warpwise::lab
