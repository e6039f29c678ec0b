#include "cli/support/option_values.h"

#include <fmt/format.h>

#include <cctype>

namespace warpwise::cli {
namespace {

bool is_value(const std::string& word) {
  return word.size() < 2 || word[0] != '-' || std::isdigit(static_cast<unsigned char>(word[1])) || word[1] == '.';
}

}  // namespace

std::string option_without_value(const CLI::App& app, const Words& words) {
  const CLI::App* command = &app;
  for (size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
    const std::string& word = words[i];
    if (!word.starts_with("-")) {
      const auto inner = command->get_subcommands([&](const CLI::App* each) { return each->check_name(word); });
      if (!inner.empty()) command = inner[0];
      continue;
    }
    const CLI::Option* option = command->get_option_no_throw(word);
    if (!option) option = app.get_option_no_throw(word);
    if (!option || option->get_items_expected_min() == 0) continue;
    if (i + 1 < words.size() && is_value(words[i + 1])) {
      ++i;
      continue;
    }
    // "N:INT in [1 - 9]" is N.
    const std::string type = option->get_type_name(), value = type.substr(0, type.find(':'));
    return fmt::format("`{0}` needs a value: {0}{1}{2}", word, word.starts_with("--") ? "=" : " ", value);
  }
  return "";
}

}  // namespace warpwise::cli
