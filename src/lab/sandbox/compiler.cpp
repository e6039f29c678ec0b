#include "lab/sandbox/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "lab/sandbox/sandbox.h"
#include "toolchain/inputs.h"
#include "toolchain/messages.h"

namespace warpwise::lab::sandbox {

namespace fs = std::filesystem;

Limits compiler_limits() {
  Limits limits;
  limits.wall_seconds = 20;
  limits.processor_seconds = 8;
  limits.memory_bytes = uint64_t{1} << 30;
  limits.tasks = 32;
  limits.output_bytes = 16 << 20;  // of messages; few are kept
  limits.file_bytes = 64 << 20;
  limits.folder_bytes = 256 << 20;
  limits.files = 1000;
  return limits;
}

namespace {

constexpr size_t kMostDependencyBytes = 4 << 20;

// Of processor time, for all runs of a build. A source that needs more is compiled again, with the limits of each run,
// so that a template without end has its verdict not much later.
constexpr double kMostSecondsTogether = 5;

Job base_job(const fs::path& source, Isolation isolation, const std::vector<std::string>& also, const Limits& limits) {
  const toolchain::Installation here = toolchain::Installation::find();
  Job job;
  job.readable = system_folders();
  for (const fs::path& path : {source, here.libraries, here.headers, here.device_library.parent_path()})
    if (!path.empty()) job.readable.push_back(path.string());
  job.readable.insert(job.readable.end(), also.begin(), also.end());
  job.environment = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"};
  job.may_start_programs = true;
  job.limits = limits;
  job.isolation = isolation;
  return job;
}

}  // namespace

ConfinedCompiler::ConfinedCompiler(const fs::path& source, Isolation isolation, std::vector<std::string> also,
                                   Limits limits, bool loads_once, SharedCompiler::Place* place)
    : source_(fs::absolute(source)),
      base_(base_job(source_, isolation, also, limits)),
      scope_({source_}, base_.readable),
      loads_once_(loads_once),
      place_(place) {}

Result<toolchain::JobResult> ConfinedCompiler::run(const toolchain::Job& compiler, const fs::path& folder) {
  Job job = base_;
  job.command = compiler.command;
  // Names of sources are relative to the caller's folder, and messages repeat them as given.
  std::error_code error;
  job.folder = fs::current_path(error).string();
  job.writable = {folder.string()};
  LoadedCompiler* loaded = loaded_for(job, folder);
  // Temporary files, and the home folder for the driver.
  job.environment.push_back("TMPDIR=" + folder.string());
  job.environment.push_back("HOME=" + folder.string());
  {
    std::lock_guard lock(mutex_);
    ++running_;
  }
  std::optional<toolchain::JobResult> quick;
  if (loaded) quick = loaded->run(job.command, job.environment, folder);
  Result<toolchain::JobResult> result =
      quick ? Result<toolchain::JobResult>(std::move(*quick)) : run_alone(std::move(job));
  std::lock_guard lock(mutex_);
  --running_;
  if (result && result->exit_code == 0) check_dependencies(folder, compiler.command, *result);
  return result;
}

Result<toolchain::JobResult> ConfinedCompiler::run_alone(Job job) {
  Outcome outcome = TRY(sandbox::run(job));
  toolchain::JobResult result;
  result.exit_code = outcome.end == End::Exited ? outcome.code : outcome.end == End::Signalled ? 128 + outcome.code : 1;
  result.output = outcome.errors + outcome.output;
  std::lock_guard lock(mutex_);
  if (outcome.end != End::Exited && outcome.end != End::Signalled) {
    if (ended_.empty()) ended_ = outcome.sentence();
    result.output += fmt::format("warpwise: the compiler was ended: {}\n", outcome.sentence());
  }
  for (std::string& what : outcome.refused) note_refused(std::move(what));
  return result;
}

// The first run of a build says which compiler it is, and where it writes.
LoadedCompiler* ConfinedCompiler::loaded_for(const Job& job, const fs::path& folder) {
  if (place_ && folder.parent_path() == place_->folder()) return place_->loaded(job);
  if (!loads_once_) return nullptr;
  std::lock_guard lock(mutex_);
  if (loaded_folder_.empty()) {
    loaded_folder_ = folder;
    Job all = job;
    all.limits.processor_seconds = std::min(all.limits.processor_seconds, kMostSecondsTogether);
    if (auto started = LoadedCompiler::start(std::move(all), job.command[0])) loaded_.emplace(std::move(*started));
  }
  return loaded_ && folder == loaded_folder_ ? &*loaded_ : nullptr;
}

// The build reads and hashes what the dependency files name, outside of the sandbox. If it names a file that may not be
// opened, the compilation fails. Each run answers for its own file, and the last of those that run side by side for
// all: a file that another one is still writing may end within a name.
void ConfinedCompiler::check_dependencies(const fs::path& folder, const std::vector<std::string>& command,
                                          toolchain::JobResult& result) {
  const auto word = std::find(command.begin(), command.end(), "-MF");
  const fs::path own = word != command.end() && word + 1 != command.end() ? fs::path(word[1]) : fs::path();
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".d" || (running_ > 0 && name != own.filename())) continue;
    auto rule = read_product(folder.string(), name, kMostDependencyBytes);
    const std::vector<std::string> paths =
        rule ? toolchain::parse_dependencies(*rule) : std::vector<std::string>{entry.path().string()};
    for (const std::string& path : paths) {
      const bool made_here =
          fs::path(path).parent_path() == folder && fs::is_regular_file(fs::symlink_status(path, error));
      if (rule && (made_here || scope_.holds(path))) continue;
      note_refused("open " + path);
      result.exit_code = 1;
      result.output += fmt::format("warpwise: the source may not read {}\n", path);
      fs::remove(entry.path(), error);
      return;
    }
  }
}

void ConfinedCompiler::note_refused(std::string what) {
  if (std::find(refused_.begin(), refused_.end(), what) == refused_.end()) refused_.push_back(std::move(what));
}

void ConfinedCompiler::attach_to(toolchain::BuildRequest& request) {
  request.runner = [this](const toolchain::Job& job, const fs::path& folder) { return run(job, folder); };
  if (place_) request.works_below = place_->folder();
  request.on_made = [this] {
    if (place_) place_->leave();
    std::lock_guard lock(mutex_);
    if (loaded_) loaded_->end();
  };
}

// Compilers open some files by themselves, and folders by names that end with "..". A file that the source names is in
// their messages, too.
std::string ConfinedCompiler::wanted(std::string_view messages) {
  const std::vector<std::string> refused = this->refused();
  for (const std::string& what : refused) {
    const std::string name = fs::path(what).filename().string();
    if (!name.empty() && name != "." && name != ".." && messages.find(name) != messages.npos) return what;
  }
  // In namespaces other files are not there, so no attempt to open them is seen.
  for (const std::string& name : toolchain::missing_headers(messages)) {
    std::error_code error;
    const fs::path named = source_.parent_path() / name;
    if (fs::exists(named, error)) return "open " + named.lexically_normal().string();
  }
  return "";
}

std::vector<std::string> ConfinedCompiler::refused() {
  std::vector<std::string> elsewhere;
  if (place_) elsewhere = place_->refused();
  std::lock_guard lock(mutex_);
  for (std::string& what : elsewhere) note_refused(std::move(what));
  if (loaded_)
    if (auto outcome = loaded_->finish())
      for (std::string& what : outcome->refused) note_refused(std::move(what));
  loaded_.reset();
  return refused_;
}

std::string ConfinedCompiler::ended() const {
  std::lock_guard lock(mutex_);
  return ended_;
}

}  // namespace warpwise::lab::sandbox
