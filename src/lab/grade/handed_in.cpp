#include "lab/grade/handed_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "lab/grade/zip_archive.h"
#include "lab/judge/submission.h"
#include "lab/sandbox/sandbox.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostArchiveBytes = 64 << 20;
constexpr const char* kArchive = "head.zip";

// .cu files and the headers that they may include; neither hidden files nor macOS's shadows of files.
bool is_source(std::string_view name) {
  for (const fs::path& part : fs::path(name))
    if (part.string().starts_with(".") || part == "__MACOSX") return false;
  const std::string extension = fs::path(name).extension();
  for (const char* known : {".cu", ".cuh", ".h", ".hpp", ".hh", ".inc", ".inl"})
    if (extension == known) return true;
  return false;
}

bool is_bare_repository(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "HEAD", error) && fs::is_directory(folder / "objects", error) &&
         fs::is_directory(folder / "refs", error);
}

class Finder {
 public:
  Finder(const fs::path& folder, bool sandbox) : folder_(normal(folder)), sandbox_(sandbox) {}

  Result<HandedInFiles> run() {
    std::error_code error;
    if (fs::exists(folder_, error) && !fs::is_directory(folder_, error))
      return Error{"U0001", fmt::format("`{}` is a file: name the folder that has a folder, or a file, of each person",
                                        folder_.string())};
    if (!fs::is_directory(folder_, error))
      return Error{"U0001", fmt::format("there is no folder `{}`", folder_.string())};
    if (is_bare_repository(folder_))
      add_repository(folder_);
    else
      walk();
    std::sort(found_.files.begin(), found_.files.end(),
              [](const HandedIn& a, const HandedIn& b) { return a.shown < b.shown; });
    return std::move(found_);
  }

 private:
  // Absolute, without a slash at its end: what the names of files below it begin with.
  static fs::path normal(const fs::path& folder) {
    std::error_code error;
    const fs::path path = fs::absolute(folder, error).lexically_normal();
    return path.has_filename() ? path : path.parent_path();
  }

  void walk() {
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
      std::error_code gone;
      const bool folder = !at->is_symlink(gone) && at->is_directory(gone);
      if (at->path().filename().string().starts_with(".")) {
        if (folder) at.disable_recursion_pending();
      } else if (folder && is_bare_repository(at->path())) {
        at.disable_recursion_pending();
        add_repository(at->path());
      } else if (!at->is_symlink(gone) && at->is_regular_file(gone)) {
        if (at->path().extension() == ".cu") add_file(at->path());
        if (at->path().extension() == ".zip") add_archive(at->path());
      }
    }
  }

  std::string shown(const fs::path& path) const { return path.lexically_relative(folder_); }

  // The first folder below the graded one, or the name of the file that stands there alone.
  std::string person_of(const fs::path& path) const {
    const fs::path below = path.lexically_relative(folder_);
    return below.has_parent_path() ? below.begin()->string() : path.stem().string();
  }

  static int64_t changed_at(const fs::path& file) {
    const auto stamp = toolchain::stamp_of(file);
    return stamp ? stamp->modified_ns / 1'000'000'000 : 0;
  }

  void add_file(const fs::path& file) {
    HandedIn item{.path = file,
                  .shown = shown(file),
                  .person = person_of(file),
                  .alone = file.parent_path() == folder_,
                  .unreadable = {}};
    const auto committed = committed_at(file);
    item.at = committed ? *committed : changed_at(file);
    found_.files.push_back(std::move(item));
  }

  void add_unreadable(const fs::path& path, std::string reason) {
    found_.files.push_back(
        {.path = {}, .shown = shown(path), .person = person_of(path), .unreadable = std::move(reason)});
  }

  void add_archive(const fs::path& archive) {
    std::error_code error;
    if (fs::file_size(archive, error) > kMostArchiveBytes || error)
      return add_unreadable(archive, fmt::format("the archive is larger than {} MiB", kMostArchiveBytes >> 20));
    auto text = toolchain::read_file(archive);
    if (!text) return add_unreadable(archive, text.error().message);
    const int64_t at = changed_at(archive);
    unpack(archive, *text, [&](const std::string&) { return at; });
  }

  void add_repository(const fs::path& repository) {
    auto out = temporary();
    if (!out) return add_unreadable(repository, out.error().message);
    const auto git =
        run_git(repository, {"archive", "--format=zip", "-o", out->path() / kArchive, "HEAD"}, out->path());
    auto text = git ? sandbox::read_product(out->path(), kArchive, kMostArchiveBytes) : git;
    if (!text) return add_unreadable(repository, fmt::format("git: {}", text.error().message));
    unpack(repository, *text, [&](const std::string& name) { return commit_time(repository, name).value_or(0); });
  }

  template <class When>
  void unpack(const fs::path& from, std::string_view archive, When when) {
    auto files = read_zip(archive, {.most_bytes = kMostSourceBytes}, is_source);
    if (!files) return add_unreadable(from, files.error().message);
    auto folder = temporary();
    if (!folder) return add_unreadable(from, folder.error().message);
    for (const ZippedFile& file : *files) {
      const fs::path path = folder->path() / file.name;
      if (auto written = toolchain::write_file(path, file.text); !written)
        return add_unreadable(from, written.error().message);
      if (path.extension() != ".cu") continue;
      found_.files.push_back({.path = path,
                              .shown = shown(from / file.name),
                              .person = person_of(from),
                              .at = when(file.name),
                              .unreadable = {}});
    }
    found_.unpacked.push_back(std::move(*folder));
  }

  static Result<toolchain::TemporaryFolder> temporary() {
    std::error_code error;
    return toolchain::TemporaryFolder::create(fs::temp_directory_path(error));
  }

  // By the nearest clone around the file, up to the graded folder. Nothing if there is none, or git does not know it.
  std::optional<int64_t> committed_at(const fs::path& file) {
    std::error_code error;
    for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
      if (fs::is_directory(folder / ".git", error)) return commit_time(folder, file.lexically_relative(folder));
      if (folder == folder_) return std::nullopt;
    }
  }

  std::optional<int64_t> commit_time(const fs::path& repository, const std::string& file) {
    auto text = run_git(repository, {"log", "-1", "--format=%ct", "HEAD", "--", file}, {});
    int64_t seconds = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), seconds).ec != std::errc{})
      return std::nullopt;
    return seconds;
  }

  // What git prints. It reads the repository alone, starts nothing, and writes only to `writable`.
  Result<std::string> run_git(const fs::path& repository, std::vector<std::string> words, const fs::path& writable) {
    const auto program = toolchain::find_on_path("git");
    if (!program) return Error{"U0001", "git is not installed"};
    std::error_code error;
    const std::string root = fs::absolute(repository, error);
    sandbox::Job job;
    // The owner of a repository is often another user, the learning platform for example. The walls protect from what
    // git distrusts there.
    job.command = {program->string(), "-c", "safe.directory=*", "-c", "log.showSignature=false", "-C", root};
    job.command.insert(job.command.end(), words.begin(), words.end());
    job.environment = {"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
                       "GIT_OPTIONAL_LOCKS=0",  "GIT_NO_LAZY_FETCH=1",
                       "GIT_PAGER=cat",         "LC_ALL=C"};
    job.folder = root;
    job.readable = sandbox::system_folders();
    job.readable.push_back(root);
    if (!writable.empty()) job.writable = {writable};
    if (!sandbox_) job.isolation = sandbox::Isolation::None;
    const sandbox::Outcome outcome = TRY(sandbox::run(job));
    if (!outcome.ok())
      return Error{"U0001",
                   outcome.errors.empty() ? outcome.sentence() : outcome.errors.substr(0, outcome.errors.find('\n'))};
    return outcome.output;
  }

  const fs::path folder_;
  const bool sandbox_;
  HandedInFiles found_;
};

}  // namespace

Result<HandedInFiles> find_handed_in(const fs::path& folder, bool sandbox) { return Finder(folder, sandbox).run(); }

}  // namespace warpwise::lab
