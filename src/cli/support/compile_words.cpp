#include "cli/support/compile_words.h"

#include <filesystem>

#include "toolchain/flags.h"

namespace warpwise::cli {
namespace {

using toolchain::SourceKind;

// How many words one of our own options takes; 0 when it is none.
unsigned words_of_option(const CLI::App& app, const std::string& word) {
  std::string name = word.substr(0, word.find('='));
  const CLI::Option* option = app.get_option_no_throw(name);
  if (!option) return 0;
  return option->get_items_expected_max() > 0 && name == word ? 2 : 1;
}

}  // namespace

SortedWords sort_words(const CLI::App& app, const std::vector<std::string>& words, BehindSources behind) {
  const bool arguments_follow = behind != BehindSources::Anything;
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
    const bool late_option =
        behind == BehindSources::OptionsAndArguments && word.starts_with("--") && words_of_option(app, word) > 0;
    if (is_flag && arguments_follow && !sorted.sources.empty() && !late_option) break;
    if (!is_flag) {
      SourceKind kind = toolchain::kind_of_source(word);
      bool source = kind != SourceKind::Other || cuda_language;
      // After the first source a word is another source only if it is a file: `run k.cu out.o` names none.
      std::error_code error;
      if (source && arguments_follow && !sorted.sources.empty())
        source = kind != SourceKind::Other && std::filesystem::is_regular_file(word, error);
      if (!source && arguments_follow) break;
      sorted.sources.push_back(word);
      take(1, sorted.compiler);
    } else if (unsigned count = words_of_option(app, word)) {
      take(count, sorted.own);
    } else if (unsigned flag = toolchain::words_of_flag(word)) {
      cuda_language = cuda_language || word == "-xcu" || (word == "-x" && i + 1 < words.size() && words[i + 1] == "cu");
      take(flag, sorted.compiler);
    } else {
      take(1, sorted.own);  // CLI11 will say that it does not know it
    }
  }
  if (i < words.size() && words[i] == "--") ++i;
  sorted.program.assign(words.begin() + i, words.end());
  return sorted;
}

}  // namespace warpwise::cli
