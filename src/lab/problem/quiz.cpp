#include "lab/problem/quiz.h"

#include "lab/problem/toml_table.h"
#include "toolchain/build.h"
#include "toolchain/files.h"
#include "toolchain/process.h"
#include "toolchain/program_environment.h"
#include "toolchain/route.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

Result<std::string> output_of(const fs::path& source) {
  toolchain::BuildRequest request;
  request.flags = TRY(toolchain::parse_flags({source.string()}));
  std::string messages;
  request.say = [&](std::string_view text) { messages += text; };
  auto built = toolchain::build_program(request, toolchain::Cache::from_environment());
  if (!built) return Error{built.error().code, built.error().message + "\n" + messages};
  toolchain::Job job{{"/usr/bin/env", fmt::format("{}={}", toolchain::kModulesVariable, built->modules.string())}};
  for (const auto& variable : toolchain::program_environment(toolchain::Installation::find()))
    job.command.push_back(variable.text());
  job.command.push_back(built->executable.string());
  auto results = TRY(toolchain::run_jobs({job}));
  if (results[0].exit_code != 0)
    return Error{"L0001", fmt::format("it ends with exit code {}: {}", results[0].exit_code, results[0].output)};
  return results[0].output;
}

}  // namespace

Result<std::vector<Question>> load_quiz(const fs::path& file) {
  const std::string text = TRY(toolchain::read_file(file));
  TomlFile parsed = TRY(parse_toml(text, file, "L0001"));
  TomlTable top = parsed.top();
  std::vector<Question> questions;
  for (TomlTable& t : top.tables("question")) {
    Question q;
    q.ask = t.text("ask");
    q.because = t.text("because");
    q.choices = t.texts("choices");
    q.answer = unsigned(t.number("answer"));
    if (auto program = t.maybe_text("program")) q.program = file.parent_path() / *program;
    t.finish();
    if (q.choices.size() < 2) t.mistake("a question has two choices or more");
    if (q.answer < 1 || q.answer > q.choices.size()) t.mistake("`answer` is the number of a choice, from 1");
    questions.push_back(std::move(q));
  }
  top.finish();
  if (questions.empty()) top.mistake("there is no [[question]]");
  TRY(parsed.result());
  return questions;
}

std::vector<std::string> check_quiz(const std::vector<Question>& questions) {
  std::vector<std::string> wrong;
  for (size_t i = 0; i < questions.size(); ++i) {
    const Question& q = questions[i];
    if (q.program.empty()) continue;
    auto output = output_of(q.program);
    if (output && output->ends_with('\n')) output->pop_back();
    if (!output)
      wrong.push_back(fmt::format("question {}: {}: {}", i + 1, q.program.string(), output.error().message));
    else if (*output != q.choices[q.answer - 1])
      wrong.push_back(fmt::format("question {}: {} prints `{}`, and the answer is `{}`", i + 1, q.program.string(),
                                  *output, q.choices[q.answer - 1]));
  }
  return wrong;
}

}  // namespace warpwise::lab
