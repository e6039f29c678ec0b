#include "lab/problem/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/suggest.h"
#include "base/words.h"
#include "lab/problem/toml_table.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kDeepest = 8;

void collect(const fs::path& folder, const std::string& slug, unsigned depth, std::vector<std::string>& slugs) {
  std::error_code error;
  if (!slug.empty() && fs::exists(folder / "problem.toml", error)) {
    slugs.push_back(slug);
    return;
  }
  if (depth == kDeepest) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (name[0] == '.' || !entry.is_directory(error)) continue;
    collect(entry.path(), slug.empty() ? name : slug + "/" + name, depth + 1, slugs);
  }
}

std::string_view last_part(std::string_view slug) { return slug.substr(slug.rfind('/') + 1); }

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

// Of a file that was named for its problem, too: guards.cu, work/guards.cu.
std::string name_in(std::string_view word) {
  while (word.ends_with('/')) word.remove_suffix(1);
  return word.ends_with(".cu") ? fs::path(word).stem().string() : std::string(word);
}

// Whether a source has a function of this name, as far as its text shows.
bool defines(std::string_view source, std::string_view function) {
  for (Word word = next_word(source, 0); !word.text.empty(); word = next_word(source, word.end)) {
    const size_t next = skip_space(source, word.end);
    if (word.text == function && next < source.size() && source[next] == '(') return true;
  }
  return false;
}

}  // namespace

Result<Catalogue> Catalogue::open(const std::string& given) {
  Catalogue catalogue;
  const char* environment = std::getenv("WARPWISE_PROBLEMS");
  catalogue.root_ = !given.empty()                ? fs::path(given)
                    : environment && *environment ? fs::path(environment)
                                                  : toolchain::Installation::find().root / "share/warpwise/problems";
  std::error_code error;
  if (!fs::is_directory(catalogue.root_, error))
    return Error{"L0004", fmt::format("there are no problems in `{}`", catalogue.root_.string())};
  collect(catalogue.root_, "", 0, catalogue.slugs_);
  std::sort(catalogue.slugs_.begin(), catalogue.slugs_.end());
  TRY(catalogue.read_curriculum());
  return catalogue;
}

Result<void> Catalogue::read_curriculum() {
  const fs::path file = root_ / "curriculum.toml";
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  const std::string text = TRY(toolchain::read_file(file));
  TomlFile parsed = TRY(parse_toml(text, file, "L0001"));
  TomlTable top = parsed.top();
  for (TomlTable& t : top.tables("chapter")) {
    Chapter chapter{t.text("id"), t.text("title"), t.text("about"), t.maybe_text("reading").value_or("")};
    t.finish();
    chapters_.push_back(std::move(chapter));
  }
  top.finish();
  return parsed.result();
}

Result<Problem> Catalogue::load(const std::string& slug) const { return load_problem(root_ / slug, slug); }

std::vector<std::string> Catalogue::matches(std::string_view word) const {
  const std::string name = name_in(word);
  std::vector<std::string> found;
  auto look_for = [&](const std::string& wanted) {
    for (const std::string& slug : slugs_)
      if (slug == wanted) return void(found = {slug});
    for (const std::string& slug : slugs_)
      if (last_part(slug) == wanted) found.push_back(slug);
  };
  look_for(name);
  // Names of files often have underscores: vector_add.cu.
  std::string hyphened = name;
  std::replace(hyphened.begin(), hyphened.end(), '_', '-');
  if (found.empty()) look_for(hyphened);
  if (found.empty() && is_number(last_part(name)))
    for (const std::string& slug : slugs_)
      if (slug.starts_with(std::string_view(name).substr(0, name.rfind('/') + 1)))
        if (auto problem = load(slug); problem && std::to_string(problem->number) == last_part(name))
          found.push_back(slug);
  return found;
}

Result<Problem> Catalogue::find(std::string_view word, std::string_view source) const {
  const std::vector<std::string> found = matches(word);
  const std::string name = name_in(word);
  if (found.size() == 1) return load(found[0]);
  if (found.empty()) {
    std::vector<std::string_view> known;
    for (const std::string& slug : slugs_) known.push_back(name.find('/') == name.npos ? last_part(slug) : slug);
    return Error{"L0005", fmt::format("there is no problem `{}`{}", name, did_you_mean(name, known))};
  }
  const Error several{"L0005", fmt::format("`{}` is the {} of several problems: {}", name,
                                           is_number(last_part(name)) ? "number" : "name", fmt::join(found, ", "))};
  std::optional<Problem> fits;
  for (const std::string& slug : found) {
    Problem problem = TRY(load(slug));
    if (source.empty() || !defines(source, problem.entry)) continue;
    if (fits) return several;
    fits = std::move(problem);
  }
  if (!fits) return several;
  return std::move(*fits);
}

Result<Problem> Catalogue::find_by_file(const fs::path& file, std::string_view source) const {
  const std::string name = file.stem();
  if (is_number(name)) return Error{"L0005", fmt::format("there is no problem `{}`", name)};
  return find(name, source);
}

std::vector<Problem> Catalogue::all(std::vector<BrokenProblem>* broken) const {
  std::vector<Problem> problems;
  for (const std::string& slug : slugs_) {
    auto problem = load(slug);
    if (problem)
      problems.push_back(std::move(problem).value());
    else if (broken)
      broken->push_back({slug, std::move(problem).error()});
  }
  auto rank = [this](const Problem& p) {
    auto at = std::find_if(chapters_.begin(), chapters_.end(), [&](const Chapter& c) { return c.id == p.chapter; });
    return std::tuple(at - chapters_.begin(), p.place, p.number);
  };
  std::stable_sort(problems.begin(), problems.end(),
                   [&](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
  return problems;
}

}  // namespace warpwise::lab
