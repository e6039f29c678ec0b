#include "cli/support/check_each.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "check/report/json.h"
#include "toolchain/files.h"
#include "toolchain/flags.h"
#include "toolchain/process.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostOutput = 64 << 10;  // of a program that failed: the end of its output

std::string own_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

fs::path report_file(const fs::path& folder, size_t index) { return folder / fmt::format("{}.json", index); }

toolchain::Job job_of(const EachRequest& request, const std::string& program, const fs::path& report) {
  toolchain::Job job;
  job.command = {own_program(), "check", "--quiet", "--annotations=never", "--json=" + report.string()};
  job.command.insert(job.command.end(), request.options.begin(), request.options.end());
  job.command.push_back(program);
  // The words after a finished program are its arguments, `--` included.
  if (toolchain::kind_of_source(program) != toolchain::SourceKind::Other) job.command.push_back("--");
  job.command.insert(job.command.end(), request.arguments.begin(), request.arguments.end());
  return job;
}

}  // namespace

Result<std::vector<std::string>> find_programs(const std::vector<std::string>& inputs) {
  std::vector<std::string> programs;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!fs::exists(input, error)) return Error{"U0001", fmt::format("there is no file or folder `{}`", input)};
    if (!fs::is_directory(input, error)) {
      programs.push_back(input);
      continue;
    }
    std::vector<std::string> found;
    for (auto at = fs::recursive_directory_iterator(input, error); !error && at != fs::end(at); at.increment(error))
      if (at->is_regular_file(error) && at->path().extension() == ".cu")
        found.push_back(at->path().lexically_normal().string());
    if (error) return Error{"U0001", fmt::format("cannot read the folder `{}`: {}", input, error.message())};
    if (found.empty()) return Error{"T0008", fmt::format("the folder `{}` has no .cu file", input)};
    std::sort(found.begin(), found.end());
    programs.insert(programs.end(), found.begin(), found.end());
  }
  return programs;
}

Result<std::vector<check::report::Report>> check_each(const EachRequest& request) {
  const std::vector<std::string> programs = TRY(find_programs(request.inputs));
  std::error_code error;
  const auto folder = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path(error)));
  std::vector<toolchain::Job> jobs;
  for (size_t i = 0; i < programs.size(); ++i)
    jobs.push_back(job_of(request, programs[i], report_file(folder.path(), i)));
  const auto results =
      TRY(toolchain::run_jobs(jobs, {.at_once = request.jobs, .on_slow = request.on_slow, .runner = {}}));

  std::vector<check::report::Report> reports;
  for (size_t i = 0; i < programs.size(); ++i) {
    check::report::Report report;
    auto text = toolchain::read_file(report_file(folder.path(), i));
    auto read = text ? check::report::report_from_json(*text) : Result<check::report::Report>(text.error());
    if (read)
      report = std::move(*read);
    else
      report.failure = fmt::format("its check ended with exit code {}", results[i].exit_code);
    report.program = programs[i];
    // The output of a program matters only if it failed. Compiler errors are in the report already.
    if (!read || (report.failure.empty() && !report.end.ok())) {
      const std::string& output = results[i].output;
      report.output = output.size() <= kMostOutput ? output : "…" + output.substr(output.size() - kMostOutput);
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace warpwise::cli
