#include "cli/lab/named_file.h"

#include <fmt/format.h>

#include "base/suggest.h"
#include "lab/judge/submission.h"
#include "toolchain/process.h"
#include "toolchain/source_check.h"

namespace warpwise::cli {

namespace fs = std::filesystem;

namespace {

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_directory(path, error);
}

std::string file_of(std::string_view slug) { return fmt::format("{}.cu", slug.substr(slug.rfind('/') + 1)); }

Error no_such_file(const fs::path& file, const lab::Catalogue& catalogue) {
  const std::vector<std::string> problems = catalogue.matches(file.string());
  if (!problems.empty()) {
    std::vector<std::string> starts;
    for (const std::string& slug : problems) starts.push_back(fmt::format("`warpwise lab start {}`", slug));
    return {"U0001",
            fmt::format("there is no file `{}` yet; {} writes it", file_of(problems[0]), fmt::join(starts, " or "))};
  }
  const std::string name = file.extension() == ".cu" ? file.stem().string() : file.filename().string();
  std::vector<std::string> near;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".cu")
      near.push_back(file.extension() == ".cu" ? entry.path().filename().string() : entry.path().stem().string());
  for (const std::string& slug : catalogue.slugs()) near.push_back(slug.substr(slug.rfind('/') + 1));
  const std::vector<std::string_view> known(near.begin(), near.end());
  return {"U0001", fmt::format("there is no file `{}`{}", file.string(),
                               did_you_mean(file.extension() == ".cu" ? file.filename().string() : name, known))};
}

// `zip1.cu zip`: "" unless the second word is the problem that the first, a file, solves.
std::string in_right_order(const std::vector<std::string>& words, const lab::Catalogue& catalogue,
                           std::string_view command) {
  if (words.size() != 2 || !is_file(words[0]) || is_file(words[1])) return "";
  if (!catalogue.matches(words[0]).empty() || catalogue.matches(words[1]).empty()) return "";
  return toolchain::shell_quoted({"warpwise", "lab", std::string(command), words[1], words[0]});
}

}  // namespace

fs::path submitted_file(const std::vector<std::string>& words, const lab::Catalogue& catalogue) {
  const std::string& word = words.back();
  if (is_file(word)) return word;
  if (is_file(word + ".cu")) return word + ".cu";
  if (const auto problems = catalogue.matches(word); !problems.empty() && is_file(file_of(problems[0])))
    return file_of(problems[0]);
  return word;
}

Result<NamedSubmission> named_submission(const std::vector<std::string>& words, const lab::Catalogue& catalogue,
                                         std::string_view command) {
  if (const std::string ordered = in_right_order(words, catalogue, command); !ordered.empty())
    return Error{"U0005", fmt::format("the problem comes first: {}", ordered)};
  const fs::path file = submitted_file(words, catalogue);
  std::error_code error;
  if (!fs::exists(file, error)) return no_such_file(file, catalogue);
  std::string source = TRY(lab::read_submission(file));
  TRY(toolchain::check_text(file.string(), source));
  const bool is_problem = words.size() == 2 || !catalogue.matches(words[0]).empty();
  auto problem = is_problem ? catalogue.find(words[0], source) : catalogue.find_by_file(file, source);
  if (!problem && problem.error().code == "L0005" && words.size() == 1)
    return Error{
        "L0005",
        fmt::format("{}; say which problem this file solves: {}", problem.error().message,
                    toolchain::shell_quoted({"warpwise", "lab", std::string(command), "PROBLEM", file.string()}))};
  return NamedSubmission{file, std::move(source), TRY(std::move(problem))};
}

}  // namespace warpwise::cli
