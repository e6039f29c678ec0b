#include "suite.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <regex>

namespace warpwise::conformance {
namespace {

std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool is_regex(const std::string& text) {
  try {
    std::regex(text, std::regex::extended);
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

std::optional<double> number(const std::string& text) {
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end) return std::nullopt;
  return value;
}

void append(std::vector<std::string>& list, std::vector<std::string> more) {
  for (std::string& word : more) list.push_back(std::move(word));
}

// One `name = value`. What is wrong with it, or "". Lists grow; an empty value empties them, so that a
// program can drop what the defaults say.
std::string apply(Program& program, std::string_view name, const std::string& value,
                  const std::filesystem::path& root) {
  auto words_into = [&](std::vector<std::string>& list) {
    if (value.empty())
      list.clear();
    else
      append(list, split_words(value));
    return std::string();
  };
  auto pattern_into = [&](std::vector<std::string>& list) -> std::string {
    if (value.empty())
      list.clear();
    else if (!is_regex(value))
      return fmt::format("`{}` is no extended regular expression", value);
    else
      list.push_back(value);
    return {};
  };
  if (name == "folder") return program.folder = root / value, "";
  if (name == "sources") return words_into(program.sources);
  if (name == "flags") return words_into(program.flags);
  if (name == "args") return words_into(program.args);
  if (name == "says") return pattern_into(program.says);
  if (name == "never") return pattern_into(program.never);
  if (name == "varies") return pattern_into(program.varies);
  if (name == "program") return program.program = value, "";
  if (name == "like") return program.like = value.empty() ? std::filesystem::path() : root / value, "";
  if (name == "build") return program.build = value, "";
  if (name == "device") return program.device = value, "";
  if (name == "compiler") return program.compiler = value, "";
  if (name == "skip") return program.skip = value, "";
  if (name == "exit" || name == "time_limit" || name == "tolerance") {
    auto parsed = number(value);
    if (!parsed) return fmt::format("`{}` is no number", value);
    if (name == "exit")
      program.exit_code = static_cast<int>(*parsed);
    else if (name == "tolerance")
      program.tolerance = *parsed;
    else
      program.time_limit = *parsed;
    return {};
  }
  return fmt::format("there is no setting `{}`; docs/conformance.md lists them", name);
}

std::string with_suite(std::string value, const std::filesystem::path& root) {
  constexpr std::string_view kWord = "${suite}";
  for (size_t at; (at = value.find(kWord)) != value.npos;) value.replace(at, kWord.size(), root.string());
  return value;
}

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;  // a word has begun, though it may be empty: ""
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote)
        quote = 0;
      else if (c == '\\' && quote == '"' && i + 1 < text.size())
        word += text[++i];
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t') {
      if (open) words.push_back(std::move(word));
      word.clear();
      open = false;
    } else {
      if (c == '\\' && i + 1 < text.size()) c = text[++i];
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(std::move(word));
  return words;
}

Result<std::vector<Program>> read_suite(const std::filesystem::path& list, const std::filesystem::path& root) {
  std::ifstream file(list);
  if (!file) return Error{"U0001", fmt::format("cannot read the list `{}`", list.string())};
  std::vector<Program> programs;
  Program defaults;
  defaults.folder = root;
  Program* current = &defaults;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    auto wrong = [&](const std::string& what) {
      return Error{"U0005", fmt::format("{}:{}: {}", list.string(), number, what)};
    };
    std::string_view text = trimmed(line);
    if (text.empty() || text[0] == '#') continue;
    if (text[0] == '[') {
      if (text.back() != ']' || text.size() < 3) return wrong("a program is named as in `[name]`");
      std::string name(text.substr(1, text.size() - 2));
      if (name == "defaults") {
        current = &defaults;
      } else {
        programs.push_back(defaults);
        current = &programs.back();
        current->name = name;
      }
      continue;
    }
    size_t equals = text.find('=');
    if (equals == text.npos) return wrong("neither `[name]` nor `setting = value`");
    std::string value = with_suite(std::string(trimmed(text.substr(equals + 1))), root);
    std::string problem = apply(*current, trimmed(text.substr(0, equals)), value, root);
    if (!problem.empty()) return wrong(problem);
  }
  return programs;
}

}  // namespace warpwise::conformance
