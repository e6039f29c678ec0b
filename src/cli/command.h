// A command: its options, and what it does. One file and one class each, made by make_NAME().
//
//     words ──own_words()──► words for CLI11 ──declare()d options──► members ──run()──► exit code
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/exit_codes.h"

namespace warpwise::cli {

using Words = std::vector<std::string>;

class Command {
 public:
  virtual ~Command() = default;
  // Options, positionals, and examples as the footer.
  virtual void declare(CLI::App& app) = 0;
  // The words that CLI11 parses. Commands that pass words on (to a compiler, to a program) take them out here.
  virtual Result<Words> own_words(const CLI::App&, Words words) { return words; }
  // The exit code, or an error that main reports; failure_code() is then the exit code.
  virtual Result<int> run() = 0;
  virtual int failure_code() const { return kFailed; }
  virtual int usage_code() const { return kUsage; }
};

struct CommandRow {
  std::string_view name, summary;
  std::unique_ptr<Command> (*make)();
};

#define COMMAND(name, summary) std::unique_ptr<Command> make_##name();
#include "cli/commands.inc"
#undef COMMAND

std::span<const CommandRow> all_commands();

// An app with the command's name, summary and options.
std::unique_ptr<CLI::App> app_of(const CommandRow& row, Command& command);

}  // namespace warpwise::cli
