#include "cli/support/no_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/suggest.h"
#include "cli/support/terminal.h"
#include "cli/support/typed_command.h"
#include "toolchain/installation.h"

namespace warpwise::cli {
namespace {

constexpr std::string_view kLabCommands[] = {
#define LAB_COMMAND(name, summary) #name,
#include "cli/lab/lab_commands.inc"
#undef LAB_COMMAND
};

constexpr const char* kListsCommands = "`warpwise --help` lists them";

bool is_command(std::string_view word) {
  const auto rows = all_commands();
  return std::any_of(rows.begin(), rows.end(), [&](const CommandRow& row) { return row.name == word; });
}

bool is_lab_command(std::string_view word) {
  return std::find(std::begin(kLabCommands), std::end(kLabCommands), word) != std::end(kLabCommands);
}

bool is_source(const std::string& word) { return word.ends_with(".cu"); }

// `warpwise -O2 -c k.cu`: a build system takes us for a compiler, CMake above all. Only the script of that name answers
// as nvcc does (docs/cmake.md). A line with neither -c nor -o is rather one of a person who left the command out.
std::string source_of_compiler(const Words& words) {
  const auto source = std::find_if(words.begin(), words.end(), is_source);
  if (source == words.end()) return "";
  const bool compiles =
      std::any_of(words.begin(), words.end(), [](const auto& word) { return word == "-c" || word == "-o"; });
  return compiles || source->ends_with("CMakeCUDACompilerId.cu") ? *source : "";
}

int used_as_compiler(const std::string& source) {
  const auto nvcc = toolchain::Installation::find().libraries / "bin/nvcc";
  report({"U0003", fmt::format("`warpwise` is not the compiler: CMAKE_CUDA_COMPILER is {}", nvcc.string())});
  // CMake shows what a compiler says of this source only if the compiler succeeds, and fails then by itself: there is
  // no program.
  return source.ends_with("CMakeCUDACompilerId.cu") ? int{kSuccess} : int{kUsage};
}

// `--device=a100 run k.cu` as `run --device=a100 k.cu`; nothing if no word is a command.
std::optional<Words> with_command_first(const Words& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1] == "-o") continue;  // the name of a file
    const bool of_lab = !is_command(words[i]) && is_lab_command(words[i]);
    if (!of_lab && !is_command(words[i])) continue;
    Words ordered;
    if (of_lab) ordered.push_back("lab");
    ordered.push_back(words[i]);
    size_t rest = i + 1;
    if (words[i] == "lab" && rest < words.size() && is_lab_command(words[rest])) ordered.push_back(words[rest++]);
    ordered.insert(ordered.end(), words.begin(), words.begin() + long(i));
    ordered.insert(ordered.end(), words.begin() + long(rest), words.end());
    return ordered;
  }
  return std::nullopt;
}

std::string example(const Words& words) {
  return fmt::format("for example: {}", typed_command(words[0], Words(words.begin() + 1, words.end())));
}

// A long option and the commands that have it, in the order of commands.inc: {"run"}, {"lab", "list"}.
class LongOptions {
 public:
  LongOptions() {
    for (const CommandRow& row : all_commands()) {
      const std::unique_ptr<Command> command = row.make();
      const std::unique_ptr<CLI::App> app = app_of(row, *command);
      add({std::string(row.name)}, *app);
      for (const CLI::App* inner : app->get_subcommands([](const CLI::App*) { return true; }))
        add({std::string(row.name), inner->get_name()}, *inner);
    }
  }
  // The first command that has it.
  std::optional<Words> taker(const std::string& option) const {
    for (const auto& [name, command] : options_)
      if (name == option) return command;
    return std::nullopt;
  }
  std::vector<std::string_view> names() const {
    std::set<std::string_view> names;
    for (const auto& [name, command] : options_) names.insert(name);
    return {names.begin(), names.end()};
  }

 private:
  void add(const Words& command, const CLI::App& app) {
    for (const CLI::Option* option : app.get_options())
      for (const std::string& name : option->get_lnames()) options_.emplace_back("--" + name, command);
  }
  std::vector<std::pair<std::string, Words>> options_;
};

// `--device=a100 k.cu`, `--devcie k.cu`, `-O3 k.cu`.
int option_without_command(Words words) {
  const std::string typed = words[0], name = typed.substr(0, typed.find('='));
  const bool has_source = std::any_of(words.begin(), words.end(), is_source);
  const auto after = [&](Words command) {
    command.insert(command.end(), words.begin(), words.end());
    return example(command);
  };
  if (!typed.starts_with("--")) {
    report({"U0003", fmt::format("`{}` is not a command: options stand after one", typed)},
           has_source ? after({"run"}) : kListsCommands);
    return kUsage;
  }
  const LongOptions options;
  if (const auto taker = options.taker(name)) {
    report({"U0003", fmt::format("`{}` is not a command: options stand after one", name)}, after(*taker));
    return kUsage;
  }
  const std::string_view meant = nearest_word(name, options.names());
  const auto taker = options.taker(std::string(meant));
  if (taker) words[0].replace(0, name.size(), meant);
  report({"U0003", fmt::format("no command has an option `{}`{}", name, did_you_mean(name, options.names()))},
         taker ? after(*taker) : kListsCommands);
  return kUsage;
}

int unknown_word(const Words& words) {
  const std::string& word = words[0];
  // Many users will try `warpwise prog.cu` first.
  if (is_source(word)) {
    report({"U0003", fmt::format("`{}` is a source, not a command", word)}, typed_command("run", {word}));
    return kUsage;
  }
  std::string meant;
  if (is_lab_command(word)) {
    meant = fmt::format("; did you mean `{}`?", typed_command("lab", words));
  } else {
    std::vector<std::string_view> names;
    for (const CommandRow& row : all_commands()) names.push_back(row.name);
    meant = did_you_mean(word, names);
    if (const std::string_view of_lab = nearest_word(word, kLabCommands); meant.empty() && !of_lab.empty())
      meant = fmt::format("; did you mean `warpwise lab {}`?", of_lab);
  }
  report({"U0003", fmt::format("`{}` is not a command{}", word, meant)}, kListsCommands);
  return kUsage;
}

}  // namespace

int report_no_command(const Words& words) {
  if (!words[0].starts_with("-")) return unknown_word(words);
  if (const auto ordered = with_command_first(words)) {
    report({"U0003", fmt::format("options stand after the command: {}",
                                 typed_command((*ordered)[0], Words(ordered->begin() + 1, ordered->end())))});
    return kUsage;
  }
  if (const std::string source = source_of_compiler(words); !source.empty()) return used_as_compiler(source);
  return option_without_command(words);
}

}  // namespace warpwise::cli
