#include "cli/lab/named_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/suggest.h"
#include "lab/judge/submission.h"

namespace warpwise::cli {

namespace fs = std::filesystem;

fs::path file_named(const std::string& word) {
  std::error_code error;
  return !fs::exists(word, error) && fs::exists(word + ".cu", error) ? word + ".cu" : word;
}

Result<std::string> read_named_file(const fs::path& file, const lab::Catalogue& catalogue) {
  auto text = lab::read_submission(file);
  std::error_code error;
  if (text || fs::exists(file, error)) return text;
  const std::string name = file.extension() == ".cu" ? file.stem().string() : file.filename().string();
  if (auto problem = catalogue.find(name))
    return Error{"U0001", fmt::format("there is no file `{}` yet; `warpwise lab start {}` writes it", file.string(),
                                      problem->slug)};
  std::vector<std::string> near;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".cu")
      near.push_back(file.extension() == ".cu" ? entry.path().filename().string() : entry.path().stem().string());
  for (const std::string& slug : catalogue.slugs()) near.push_back(slug.substr(slug.rfind('/') + 1));
  const std::vector<std::string_view> known(near.begin(), near.end());
  return Error{"U0001", fmt::format("there is no file `{}`{}", file.string(),
                                    did_you_mean(file.extension() == ".cu" ? file.filename().string() : name, known))};
}

Result<lab::Problem> find_named_problem(const lab::Catalogue& catalogue, const std::string& word,
                                        std::string_view source) {
  auto problem = catalogue.find(word, source);
  const bool number = !word.empty() && word.find_first_not_of("0123456789") == word.npos;
  if (problem || !number) return problem;
  std::vector<std::string> slugs;
  for (const lab::Problem& p : catalogue.all())
    if (std::to_string(p.number) == word) slugs.push_back(fmt::format("`{}`", p.slug));
  if (slugs.empty()) return problem;
  return Error{"L0005", fmt::format("problems go by their names: number {} is {}", word, fmt::join(slugs, " or "))};
}

}  // namespace warpwise::cli
