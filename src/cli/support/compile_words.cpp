#include "cli/support/compile_words.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/suggest.h"
#include "toolchain/flags.h"

namespace warpwise::cli {
namespace {

using toolchain::SourceKind;

// How many words one of our own options takes; 0 when it is none of ours.
unsigned words_of_option(const CLI::App& app, const std::string& word) {
  std::string name = word.substr(0, word.find('='));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (!option) return 0;
  return option->get_items_expected_max() > 0 && name == word ? 2 : 1;
}

bool is_help(const std::string& word) { return word == "-h" || word == "--help"; }

// Compiler flags that may also follow the sources: users of nvcc write them there, and few programs have options of
// such names. A value that no compiler would take leaves the word to the program.
bool is_flag_behind_sources(const std::string& word) {
  const auto value = [&](std::string_view spelling) { return std::string_view(word).substr(spelling.size()); };
  const auto begins_name = [](std::string_view text) {
    return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_');
  };
  std::error_code error;
  if (word.starts_with("-l")) return begins_name(value("-l")) && word.find('=') == word.npos;
  if (word.starts_with("-I") || word.starts_with("-L")) return std::filesystem::is_directory(value("-I"), error);
  if (word.starts_with("-D")) return begins_name(value("-D"));
  if (word.starts_with("-O")) return word.size() == 3 && std::isdigit(static_cast<unsigned char>(word[2]));
  for (std::string_view spelling : {"-std", "--std", "-arch", "--gpu-architecture", "-gencode", "--generate-code",
                                    "-Xcompiler", "--compiler-options", "-Xlinker", "--linker-options",
                                    "-use_fast_math", "--use_fast_math", "-lineinfo", "--generate-line-info"})
    if (word == spelling || (word.starts_with(spelling) && word[spelling.size()] == '=')) return true;
  return false;
}

void say_what_is_mistaken(const SortedWords& sorted) {
  if (!sorted.mistaken.empty())
    fmt::print(stderr, "note: {} {} to the program, as an argument; options of Warpwise stand before its arguments\n",
               fmt::join(sorted.mistaken, " "), sorted.mistaken.size() == 1 ? "goes" : "go");
  for (const auto& [word, option] : sorted.misspelt)
    fmt::print(stderr, "note: `{}` goes to the program, as an argument; did you mean `{}`?\n", word, option);
}

// The long option of ours that a word misses by one letter: more may well be an option of the program. "": none.
std::string nearly_option(const CLI::App& app, const std::string& word) {
  std::vector<std::string> spellings;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) spellings.push_back("--" + name);
  const std::vector<std::string_view> known(spellings.begin(), spellings.end());
  return std::string(nearest_word(std::string_view(word).substr(0, word.find('=')), known, /*most=*/1));
}

}  // namespace

SortedWords sort_words(const CLI::App& app, const std::vector<std::string>& words, BehindSources behind) {
  const bool arguments_follow = behind == BehindSources::Arguments;
  SortedWords sorted;
  bool cuda_language = false;
  size_t i = 0;
  auto take = [&](unsigned count, std::vector<std::string>& to) {
    for (; count > 0 && i < words.size(); --count) to.push_back(words[i++]);
  };
  while (i < words.size()) {
    const std::string& word = words[i];
    if (word == "--") break;
    const bool is_flag = word.size() > 1 && word[0] == '-';
    const bool behind_sources = arguments_follow && !sorted.sources.empty();
    const unsigned own = words_of_option(app, word);
    if (is_flag && behind_sources && (own == 0 || is_help(word)) && !is_flag_behind_sources(word)) break;
    if (!is_flag) {
      SourceKind kind = toolchain::kind_of_source(word);
      bool source = kind != SourceKind::Other || cuda_language;
      // After the first source a word is another source only if it is a file: `run k.cu out.o` names none.
      std::error_code error;
      if (source && behind_sources) source = kind != SourceKind::Other && std::filesystem::is_regular_file(word, error);
      if (!source && arguments_follow) break;
      sorted.sources.push_back(word);
      take(1, sorted.compiler);
    } else if (own > 0) {
      take(own, sorted.own);
    } else if (unsigned flag = toolchain::words_of_flag(word)) {
      cuda_language = cuda_language || word == "-xcu" || (word == "-x" && i + 1 < words.size() && words[i + 1] == "cu");
      take(flag, sorted.compiler);
    } else {
      take(1, sorted.own);  // CLI11 will say that it does not know it
    }
  }
  bool deliberate = false;
  if (i < words.size() && words[i] == "--") ++i, deliberate = true;
  sorted.program.assign(words.begin() + i, words.end());
  for (const std::string& word : sorted.program) {
    if (word == "--") deliberate = true;
    if (deliberate || !word.starts_with("--") || is_help(word)) continue;
    if (words_of_option(app, word) > 0)
      sorted.mistaken.push_back(fmt::format("`{}`", word));
    else if (std::string option = nearly_option(app, word); !option.empty())
      sorted.misspelt.emplace_back(word, std::move(option));
  }
  say_what_is_mistaken(sorted);
  return sorted;
}

bool cli11_answers(const CLI::App& app, const SortedWords& words) {
  return std::any_of(words.own.begin(), words.own.end(), [&](const std::string& word) {
    return is_help(word) || (word[0] == '-' && !app.get_option_no_throw(word.substr(0, word.find('='))));
  });
}

Error nothing_to(std::string_view verb, std::string_view wanted, const SortedWords& words) {
  for (size_t i = 1; i < words.own.size(); ++i) {
    std::error_code error;
    const std::string &option = words.own[i - 1], &value = words.own[i];
    if (option.starts_with("-") && toolchain::kind_of_source(value) != SourceKind::Other &&
        std::filesystem::is_regular_file(value, error))
      return Error{"T0008", fmt::format("there is nothing to {}: `{}` took `{}` as its value; write {}=VALUE {}", verb,
                                        option, value, option, value)};
  }
  return Error{"T0008", fmt::format("there is nothing to {}: {}", verb, wanted)};
}

}  // namespace warpwise::cli
