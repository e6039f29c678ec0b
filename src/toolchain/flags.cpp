#include "toolchain/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/suggest.h"
#include "toolchain/files.h"

namespace warpwise::toolchain {
namespace {

enum class Takes { Nothing, Value, Joined, Either };
enum class Use {
  Compile,
  Link,
  HostCompiler,
  Linker,
  Architecture,
  Gencode,
  Output,
  CompileOnly,
  PtxOnly,
  Language,
  Relocatable,
  RelocatableObject,
  OptionsFile,
  Dependencies,
  NonSystemDependencies,
  DependencyPhonies,
  DependencyFile,
  DependencyTarget,
  DeviceLink,
  Verbose,
  DryRun,
  Refused,
};

struct Flag {
  std::string_view spelling;
  Takes takes;
  Use use;
  std::string_view clang, nvcc;
};

constexpr Flag kFlags[] = {
#define FLAG(spelling, takes, use, clang, nvcc) {spelling, Takes::takes, Use::use, clang, nvcc},
#include "toolchain/compiler_flags.inc"
#undef FLAG
};

// The row for a word, and where the value starts in it (npos: it is the next word, or there is none).
struct Match {
  const Flag* flag = nullptr;
  size_t value_at = std::string_view::npos;
};

Match match(std::string_view word) {
  Match best;
  for (const Flag& flag : kFlags) {
    size_t length = flag.spelling.size();
    if (!word.starts_with(flag.spelling)) continue;
    bool whole = word.size() == length;
    if (whole && flag.spelling.find('=') == word.npos) return {&flag, word.npos};
    bool equals = !whole && word[length] == '=' && (flag.takes == Takes::Value || flag.takes == Takes::Either);
    bool joined = !whole && (flag.takes == Takes::Joined || flag.takes == Takes::Either);
    if (!equals && !joined) continue;
    if (!best.flag || length > best.flag->spelling.size()) best = {&flag, equals ? length + 1 : length};
  }
  return best;
}

bool needs_next_word(const Match& m) {
  return m.value_at == std::string_view::npos && (m.flag->takes == Takes::Value || m.flag->takes == Takes::Either);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string with_value(std::string_view pattern, std::string_view value) {
  size_t at = pattern.find('%');
  if (at == pattern.npos) return std::string(pattern);
  return fmt::format("{}{}{}", pattern.substr(0, at), value, pattern.substr(at + 1));
}

void translate_for_clang(std::string_view pattern, std::string_view value, bool link, CompilerFlags& flags) {
  constexpr std::string_view kHost = "host:", kDevice = "device:";
  for (std::string_view word : split(pattern, ' ')) {
    if (link)
      flags.clang.link.push_back(with_value(word, value));
    else if (word.starts_with(kHost))
      flags.clang.host.push_back(with_value(word.substr(kHost.size()), value));
    else if (word.starts_with(kDevice))
      flags.clang.device.push_back(with_value(word.substr(kDevice.size()), value));
    else
      flags.clang.both.push_back(with_value(word, value));
  }
}

// "sm_90a", "compute_90": the digits and their suffix. Words such as native or all leave the choice to the device.
void add_architecture(std::string_view text, CompilerFlags& flags) {
  size_t underscore = text.find('_');
  if (underscore == text.npos) return;
  std::string_view number = text.substr(underscore + 1);
  if (!number.empty() && number[0] >= '0' && number[0] <= '9') flags.architectures.emplace_back(number);
}

}  // namespace

SourceKind kind_of_source(std::string_view name) {
  std::string extension = std::filesystem::path(name).extension();
  if (extension == ".cu") return SourceKind::Cuda;
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C") return SourceKind::Cxx;
  if (extension == ".c") return SourceKind::C;
  if (extension == ".o" || extension == ".obj" || extension == ".a" || extension == ".so") return SourceKind::Object;
  return SourceKind::Other;
}

unsigned words_of_flag(std::string_view word) {
  Match m = match(word);
  if (!m.flag) return 0;
  return needs_next_word(m) ? 2 : 1;
}

namespace {

// The words of a shell's command line: apart by blanks, with quotes of both kinds and backslashes.
std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // a word has begun, if only by quotes
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
      if (inside) words.push_back(std::move(word));
      word.clear(), inside = false;
      continue;
    }
    inside = true;
    if (c == '\\' && quote != '\'' && i + 1 < text.size())
      word += text[++i];
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      word += c;
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

// `--options-file FILE` replaced by the words of the file, which may name files itself.
Result<std::vector<std::string>> with_options_files(const std::vector<std::string>& words, unsigned depth = 0) {
  constexpr unsigned kDeepest = 16;
  if (depth > kDeepest) return Error{"T0005", "--options-file: the files name each other endlessly"};
  std::vector<std::string> all;
  for (size_t i = 0; i < words.size(); ++i) {
    const Match m = match(words[i]);
    if (!m.flag || m.flag->use != Use::OptionsFile) {
      all.push_back(words[i]);
      // The value of another flag is not a flag.
      if (m.flag && needs_next_word(m) && i + 1 < words.size()) all.push_back(words[++i]);
      continue;
    }
    const bool joined = m.value_at != std::string_view::npos;
    if (!joined && i + 1 == words.size()) return Error{"T0005", fmt::format("`{}` needs a value after it", words[i])};
    const std::string files = joined ? words[i].substr(m.value_at) : words[++i];
    for (const std::string& file : split(files, ',')) {
      auto more = TRY(with_options_files(shell_words(TRY(read_file(file))), depth + 1));
      all.insert(all.end(), more.begin(), more.end());
    }
  }
  return all;
}

Error not_a_flag(const std::string& word) {
  std::vector<std::string_view> known;
  for (const Flag& flag : kFlags) known.push_back(flag.spelling);
  return Error{"T0005", fmt::format("`{}` is not a compiler flag{}", word, did_you_mean(word, known))};
}

// The row of a word as a whole, such as `-rdc=true`; null: there is none.
const Flag* row_of(std::string_view whole) {
  for (const Flag& flag : kFlags)
    if (flag.spelling == whole) return &flag;
  return nullptr;
}

// A flag as it stands in a command line.
struct GivenFlag {
  const Flag* flag;
  std::string word;
  std::string value;  // "": it has none
};

// The flag at words[at], which goes on to its last word.
Result<GivenFlag> read_flag(const std::vector<std::string>& words, size_t& at) {
  const std::string& word = words[at];
  const Match m = match(word);
  if (!m.flag) return not_a_flag(word);
  GivenFlag given{m.flag, word, ""};
  // nvcc's own spelling in two words: `-Werror reorder`.
  if (word == "-Werror" && at + 1 < words.size())
    if (const Flag* kind = row_of("-Werror=" + words[at + 1])) given.flag = kind, ++at;
  if (needs_next_word(m)) {
    if (at + 1 == words.size()) return Error{"T0005", fmt::format("`{}` needs a value after it", word)};
    given.value = words[++at];
    // `-rdc true` is `-rdc=true`, which may have a row of its own.
    if (const Flag* exact = row_of(fmt::format("{}={}", m.flag->spelling, given.value))) given.flag = exact;
  } else if (m.value_at != word.npos) {
    given.value = word.substr(m.value_at);
    // `-fmad=false` matched as the flag -fmad with a value, or as the whole word: the same row either way.
    if (const Flag* exact = row_of(word)) given.flag = exact;
  }
  return given;
}

void add_for_nvcc(const GivenFlag& given, CompilerFlags& flags) {
  const Use use = given.flag->use;
  const bool links = use == Use::Link || use == Use::Linker;
  const bool both = use == Use::HostCompiler || use == Use::Relocatable || use == Use::RelocatableObject;
  for (std::string_view part : split(given.flag->nvcc, ' ')) {
    std::string word = with_value(part, given.value);
    if (links || both) flags.nvcc.link.push_back(word);
    if (!links) flags.nvcc.compile.push_back(std::move(word));
  }
}

// Error T0006: the flag is one that Warpwise refuses.
Result<void> add_flag(const GivenFlag& given, CompilerFlags& flags) {
  const auto& [row, word, value] = given;
  const Flag& flag = *row;
  switch (flag.use) {
    case Use::Compile:
    case Use::Link:
      if (flag.spelling == "-I" || flag.spelling == "--include-path" || flag.spelling == "-isystem" ||
          flag.spelling == "--system-include")
        flags.include_folders.emplace_back(value);
      translate_for_clang(flag.clang, value, flag.use == Use::Link, flags);
      break;
    case Use::HostCompiler:
      // The host compiler links as well: -fopenmp means a library to one and a language to the other. Words stand apart
      // by commas, or by blanks: -Xcompiler "-fopenmp -Wall".
      for (const std::string& part : split(value, ','))
        for (std::string& option : shell_words(part)) {
          flags.clang.link.push_back(option);
          flags.clang.host.push_back(std::move(option));
        }
      break;
    case Use::Linker:
      for (std::string& part : split(value, ',')) {
        flags.clang.link.push_back("-Xlinker");
        flags.clang.link.push_back(std::move(part));
      }
      break;
    case Use::Architecture:
      add_architecture(value, flags);
      break;
    case Use::Gencode:
      for (const std::string& part : split(value, ','))
        if (part.starts_with("arch=")) add_architecture(part, flags);
      break;
    case Use::Output:
      flags.output = value;
      break;
    case Use::CompileOnly:
      flags.compile_only = true;
      break;
    case Use::PtxOnly:
      flags.ptx_only = true;
      flags.ptx_extension = "." + word.substr(word.find_first_not_of('-'));
      break;
    case Use::Language:
      flags.cuda_language = value == "cu";
      break;
    case Use::RelocatableObject:
      flags.compile_only = true;
      [[fallthrough]];
    case Use::Relocatable:
      flags.relocatable = word;
      break;
    case Use::OptionsFile:
      break;  // with_options_files() has replaced it
    case Use::Dependencies:
      flags.dependencies.wanted = flags.dependencies.system_headers = true;
      break;
    case Use::NonSystemDependencies:
      flags.dependencies.wanted = true;
      break;
    case Use::DependencyPhonies:
      flags.dependencies.phonies = word;
      break;
    case Use::DependencyFile:
      flags.dependencies.file = value;
      break;
    case Use::DependencyTarget:
      flags.dependencies.target = value;
      break;
    case Use::DeviceLink:
      flags.device_link = true;
      flags.relocatable = word;
      break;
    case Use::Verbose:
      flags.verbose = true;
      break;
    case Use::DryRun:
      flags.dry_run = true;
      break;
    case Use::Refused:
      return Error{"T0006", fmt::format("Warpwise does not support the nvcc flag `{}`", word)};
  }
  add_for_nvcc(given, flags);
  return {};
}

}  // namespace

Result<CompilerFlags> parse_flags(const std::vector<std::string>& command_line) {
  const std::vector<std::string> words = TRY(with_options_files(command_line));
  CompilerFlags flags;
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i].size() < 2 || words[i][0] != '-')
      flags.inputs.push_back(words[i]);
    else
      TRY(add_flag(TRY(read_flag(words, i)), flags));
  return flags;
}

}  // namespace warpwise::toolchain
