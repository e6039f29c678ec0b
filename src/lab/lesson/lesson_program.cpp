// From a kernel and its launch to a program, and from the programs to what is wrong with a lesson.
#include <fmt/format.h>

#include "lab/lesson/lesson.h"
#include "lab/lesson/look.h"
#include "toolchain/files.h"
#include "toolchain/process.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

// After a launch that a finding has ended there is nothing
// left to do, so errors are not looked at: the checkers have.
constexpr std::string_view kRestOfProgram = R"(
// What the lesson adds: arrays to work on, and the launch.
template <class T>
T* zeros(int n) {
  T* array;
  cudaMalloc(&array, n * sizeof(T));
  cudaMemset(array, 0, n * sizeof(T));
  return array;
}
template <class T>
T* counting(int n) {  // 0, 1, 2, …
  T *array, *values = new T[n];
  for (int i = 0; i < n; ++i) values[i] = T(i);
  cudaMalloc(&array, n * sizeof(T));
  cudaMemcpy(array, values, n * sizeof(T), cudaMemcpyHostToDevice);
  delete[] values;
  return array;
}
)";

}  // namespace

std::string program_of(const LessonRun& run) {
  return fmt::format("{}{}\nint main() {{\n  {};\n  cudaDeviceSynchronize();\n}}\n", run.kernel, kRestOfProgram,
                     run.launch);
}

Result<std::vector<std::string>> prepare_recording(const LessonRun& run, const fs::path& warpwise,
                                                   const fs::path& source, const fs::path& output) {
  TRY(toolchain::write_file(source, program_of(run)));
  std::vector<std::string> command{warpwise, "trace", "-q", "--compiler=clang", "-o", output};
  if (!run.block.empty()) command.push_back("--block=" + run.block);
  if (run.values != 0) command.push_back(fmt::format("--values={}", run.values));
  command.push_back(source);
  return command;
}

namespace {

void check_look(trace::TraceFile& file, const LessonLook& look, const LessonQuestion* question,
                const std::string& where, std::vector<std::string>& wrong) {
  const auto found = find_place(file, look, question ? question->figure : "");
  if (!found) return wrong.push_back(fmt::format("{}: {}", where, found.error().message));
  if (!question) return;
  size_t right = 0;
  for (const LessonChoice& choice : question->choices) right += choice.key == found->figure;
  if (right != 1)
    wrong.push_back(
        fmt::format("{}: {} is {}, and {} of the choices say so", where, question->figure, found->figure, right));
}

Result<std::unique_ptr<trace::TraceFile>> recorded(const toolchain::JobResult& result, const LessonRun& run,
                                                   const fs::path& output) {
  std::error_code missing;
  if (!fs::exists(output, missing)) return Error{"L0012", result.output};
  auto file = TRY(trace::TraceFile::open(output));
  const trace::Findings found = TRY(file->findings());
  std::string codes;
  for (const Finding& finding : found.findings)
    if (finding.code != run.finding) codes += (codes.empty() ? "" : ", ") + finding.code + " " + finding.message;
  if (!codes.empty()) return Error{"L0012", fmt::format("the checkers find {}", codes)};
  if (found.findings.empty() && !run.finding.empty())
    return Error{"L0012", fmt::format("the checkers find nothing, and the lesson says {}", run.finding)};
  return file;
}

}  // namespace

std::vector<std::string> check_lesson(const Lesson& lesson, const fs::path& warpwise) {
  std::error_code error;
  auto folder = toolchain::TemporaryFolder::create(fs::temp_directory_path(error));
  if (!folder) return {folder.error().message};
  std::vector<toolchain::Job> jobs;
  std::vector<fs::path> outputs;
  for (size_t n = 0; n < lesson.runs.size(); ++n) {
    outputs.push_back(folder->path() / fmt::format("{}-{}.wwt", lesson.name, n));
    auto command =
        prepare_recording(lesson.runs[n], warpwise, fs::path(outputs[n]).replace_extension(".cu"), outputs[n]);
    if (!command) return {command.error().message};
    jobs.push_back({std::move(*command)});
  }
  const auto results = toolchain::run_jobs(jobs);
  if (!results) return {results.error().message};
  std::vector<std::string> wrong;
  std::vector<std::unique_ptr<trace::TraceFile>> files;
  for (size_t n = 0; n < jobs.size(); ++n) {
    auto file = recorded((*results)[n], lesson.runs[n], outputs[n]);
    if (!file) wrong.push_back(fmt::format("`{}`: {}", lesson.runs[n].launch, file.error().message));
    files.push_back(file ? std::move(*file) : nullptr);
  }
  for (const LessonStep& step : lesson.steps) {
    if (step.picture && files[step.picture->run])
      check_look(*files[step.picture->run], *step.picture, nullptr, step.title + ", picture", wrong);
    if (step.question && files[step.question->look.run])
      check_look(*files[step.question->look.run], step.question->look, &*step.question, step.title + ", question",
                 wrong);
  }
  return wrong;
}

}  // namespace warpwise::lab
