#include "lab/sandbox/job.h"

#include <fmt/format.h>
#include <string.h>

#include <filesystem>
#include <iterator>

#include "base/json.h"

namespace warpwise::lab::sandbox {
namespace {

constexpr std::string_view kEnds[] = {"exited",         "signalled",      "out-of-time",     "out-of-processor-time",
                                      "out-of-memory",  "too-many-tasks", "too-much-output", "too-much-on-disk",
                                      "forbidden-call", "cancelled",      "not-started",     "no-sandbox"};
static_assert(std::size(kEnds) == static_cast<size_t>(End::NoSandbox) + 1);

// Rises when the meaning of a job changes.
constexpr int kJobVersion = 3;

// What a program writes is not always UTF-8, and JSON is.
std::string dump(const nlohmann::json& json) { return dump_json(json); }

template <class T>
Result<T> parse(std::string_view text, const char* what) {
  try {
    return parse_json(text).get<T>();
  } catch (const nlohmann::json::exception& e) {
    return Error{"X0001", fmt::format("not {} of the sandbox: {}", what, e.what())};
  }
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Limits, wall_seconds, processor_seconds, memory_bytes, tasks, output_bytes,
                                   file_bytes, folder_bytes, files)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Job, command, environment, folder, readable, writable, may_start_programs,
                                   descriptors, series, limits, isolation, kept_output)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Outcome, end, code, what, refused, output, errors, wall_seconds, processor_seconds,
                                   peak_memory_bytes, namespaces, stands)

std::string_view name_of(End end) { return kEnds[static_cast<size_t>(end)]; }

std::string to_json(const Job& job) {
  nlohmann::json json = job;
  json["version"] = kJobVersion;
  if (!job.filter.empty()) json["filter"] = job.filter;
  return dump(json);
}
std::string to_json(const Outcome& outcome) { return dump(outcome); }
// A supervisor of another version would skip what it does not know: half of the work, or a wall.
Result<Job> job_from_json(std::string_view text) {
  auto json = parse_json(text);
  if (!json.is_object() || json.value("version", 0) != kJobVersion)
    return Error{"X0001", "not a job of this version of the sandbox: parts of two installations are mixed"};
  Job job = TRY(parse<Job>(text, "a job"));
  if (const auto filter = json.find("filter"); filter != json.end() && filter->is_string())
    job.filter = filter->get<std::string>();
  return job;
}

Result<Outcome> outcome_from_json(std::string_view json) {
  Outcome outcome = TRY(parse<Outcome>(json, "an outcome"));
  if (outcome.end > End::NoSandbox) return Error{"X0001", "not an outcome of the sandbox: an end without a name"};
  return outcome;
}

std::string Outcome::sentence() const {
  switch (end) {
    case End::Exited:
      return code == 0 ? "ended well" : fmt::format("exit code {}", code);
    case End::Signalled:
      return fmt::format("ended by signal {} ({})", code, strsignal(code));
    case End::OutOfTime:
      return fmt::format("out of time after {:.1f} s", wall_seconds);
    case End::OutOfProcessorTime:
      return fmt::format("out of processor time after {:.1f} s", processor_seconds);
    case End::OutOfMemory:
      return fmt::format("out of memory at {} MiB", peak_memory_bytes >> 20);
    case End::TooManyTasks:
      return "too many processes or threads";
    case End::TooMuchOutput:
      return "too much output";
    case End::TooMuchOnDisk:
      return "too much written to disk";
    case End::ForbiddenCall:
      return "forbidden: " + what;
    case End::Cancelled:
      return "cancelled";
    case End::NotStarted:
      return "not started: " + what;
    case End::NoSandbox:
      return "no sandbox on this machine: " + what;
  }
  return "";
}

std::vector<std::string> system_folders() {
  std::vector<std::string> folders{
      "/bin",           "/lib",     "/lib32", "/lib64", "/libx32", "/etc/ld.so.cache", "/etc/alternatives",
      "/etc/localtime", "/opt/cuda"};
  for (const char* root : {"/usr", "/usr/local"})
    for (const char* folder : {"bin", "lib", "lib32", "lib64", "libx32", "libexec", "include"})
      folders.push_back(std::string(root) + "/" + folder);
  // NVIDIA's toolkits, each with a folder of its own and a link to the one that is used.
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/local", error))
    if (entry.path().filename().string().starts_with("cuda")) folders.push_back(entry.path().string());
  return folders;
}

}  // namespace warpwise::lab::sandbox
