#include "cli/support/usage_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/suggest.h"
#include "cli/support/terminal.h"

namespace warpwise::cli {
namespace {

struct Usage {
  std::string message, help;
};

bool is(const CLI::ParseError& error, CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); }

// The command whose words were wrong: a command of `lab`, or the command itself.
const CLI::App& innermost(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed[0]);
}

// "lab show".
std::string full_name(std::string_view command, const CLI::App& app) {
  const CLI::App& inner = innermost(app);
  return &inner == &app ? std::string(command) : fmt::format("{} {}", command, inner.get_name());
}

// "N:INT in [1 - 9]" is N.
std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

// The first example of a command's help, without its explanation: "warpwise lab show map".
std::string first_example(const CLI::App& app) {
  const std::string help = app.get_footer();
  const size_t at = help.find("\n  warpwise ");
  if (at == help.npos) return "";
  const std::string line = help.substr(at + 3, help.find('\n', at + 1) - at - 3);
  return line.substr(0, line.find("   "));
}

// "`warpwise lab show` needs PROBLEM", with an example as the next step.
std::optional<Usage> missing_word(const std::string& name, const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    const std::string value = value_name(*option), example = first_example(command);
    return Usage{fmt::format("`warpwise {}` needs {}", name,
                             option->get_positional() ? value : fmt::format("--{}={}", option->get_lnames()[0], value)),
                 example.empty() ? fmt::format("`warpwise {} --help` explains it", name)
                                 : fmt::format("for example: {}", example)};
  }
  return std::nullopt;
}

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> spellings;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& spelling : option->get_lnames()) spellings.push_back("--" + spelling);
  return spellings;
}

// `outer` has options, too, which stand before the name of `command`.
std::optional<Usage> unknown_option(const std::string& name, const CLI::App& command, const CLI::App& outer,
                                    const Words& words) {
  const std::vector<std::string> spellings = options_of(command), before = options_of(outer);
  const std::vector<std::string_view> known(spellings.begin(), spellings.end());
  auto has = [](const std::vector<std::string>& options, const std::string& option) {
    return std::find(options.begin(), options.end(), option) != options.end();
  };
  for (const std::string& word : words) {
    const std::string option = word.substr(0, word.find('='));
    if (!word.starts_with("-") || has(spellings, option) || has(before, option)) continue;
    return Usage{fmt::format("`{}` has no option `{}`{}", name, option, did_you_mean(option, known)), ""};
  }
  return std::nullopt;
}

std::optional<Usage> words_too_many(const std::string& name, const CLI::App& command, const Words& rest) {
  if (rest.empty()) return std::nullopt;
  const std::string extra = fmt::format("{}", fmt::join(rest, " "));
  std::vector<std::string> taken;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) taken.push_back(value_name(*option));
  const std::string example = first_example(command);
  return Usage{taken.empty() ? fmt::format("`{}` takes no words: `{}`", name, extra)
                             : fmt::format("`{}` takes {}, and `{}` is {} more", name, fmt::join(taken, " "), extra,
                                           rest.size() == 1 ? "one word" : fmt::format("{} words", rest.size())),
               example.empty() ? "" : fmt::format("for example: {}", example)};
}

// CLI11 says "--level: esy not in {puzzle,easy}" and "--block: Value x not in range 1 to 1024"; of an argument the name
// that we gave it.
std::optional<Usage> wrong_value(const CLI::App& command, std::string_view said) {
  constexpr std::string_view kAnd = ": ", kChoices = " not in {", kRange = " not in range ", kValue = "Value ";
  const size_t name_end = said.find(kAnd);
  if (name_end == said.npos || name_end == 0) return std::nullopt;
  const std::string name(said.substr(0, name_end));
  const CLI::Option* option = command.get_option_no_throw(name);
  if (!option) return std::nullopt;
  const std::string taker = option->get_positional() ? value_name(*option) : name;
  std::string_view rest = said.substr(name_end + kAnd.size());
  const auto no_value = [&](std::string_view value) {
    return fmt::format("`{}` is no {}{}", value, option->get_positional() ? "" : "value of ", taker);
  };
  if (const size_t at = rest.find(kChoices); at != rest.npos && rest.ends_with('}')) {
    std::string_view choices = rest.substr(at + kChoices.size());
    choices.remove_suffix(1);
    std::vector<std::string_view> known;
    for (size_t begin = 0; begin <= choices.size();) {
      const size_t end = std::min(choices.find(',', begin), choices.size());
      known.push_back(choices.substr(begin, end - begin));
      begin = end + 1;
    }
    const std::string_view value = rest.substr(0, at);
    return Usage{no_value(value) + did_you_mean(value, known),
                 fmt::format("{} is one of {}", taker, fmt::join(known, ", "))};
  }
  if (const size_t at = rest.find(kRange); at != rest.npos && rest.starts_with(kValue))
    return Usage{no_value(rest.substr(kValue.size(), at - kValue.size())),
                 fmt::format("{} is a number, from {}", taker, rest.substr(at + kRange.size()))};
  return std::nullopt;
}

}  // namespace

std::string lists_options(std::string_view command) {
  return fmt::format("`warpwise {} --help` lists the options", command);
}

void report_usage(std::string_view command_name, const CLI::App& app, const CLI::ParseError& error,
                  const Words& words) {
  const CLI::App& command = innermost(app);
  const std::string name = full_name(command_name, app);
  std::string said = error.what();
  while (!said.empty() && (said.back() == '\n' || said.back() == '.')) said.pop_back();
  std::optional<Usage> usage;
  if (is(error, CLI::ExitCodes::RequiredError)) usage = missing_word(name, command);
  if (is(error, CLI::ExitCodes::ExtrasError)) usage = unknown_option(name, command, app, words);
  if (!usage && is(error, CLI::ExitCodes::ExtrasError)) usage = words_too_many(name, command, app.remaining(true));
  if (is(error, CLI::ExitCodes::ValidationError)) usage = wrong_value(command, said);
  if (!usage) usage = Usage{said, ""};
  report({"U0005", usage->message}, usage->help.empty() ? lists_options(name) : usage->help);
}

}  // namespace warpwise::cli
