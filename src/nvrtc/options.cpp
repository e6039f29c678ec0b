#include "nvrtc/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "toolchain/flags.h"

namespace warpwise::nvrtc {

namespace {

enum class Takes { Nothing, Value };
enum class Meaning {
#define MEANING(name) name,
#include "nvrtc/options.inc"
};

struct Row {
  std::string_view name;
  Takes takes;
  Meaning meaning;
};

constexpr Row kRows[] = {
#define OPTION(name, takes, meaning) {#name, Takes::takes, Meaning::meaning},
#include "nvrtc/options.inc"
};

std::string_view without_spaces(std::string_view word) {
  while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
  while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
  return word;
}

const Row* find_row(std::string_view word) {
  if (!word.starts_with('-')) return nullptr;
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  std::string_view name = word.substr(0, word.find('='));
  auto found = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& row) { return row.name == name; });
  return found == std::end(kRows) ? nullptr : &*found;
}

constexpr int kOldest = 50;  // of CUDA 12

class Parser {
 public:
  explicit Parser(std::span<const char* const> words) : words_(words) {}

  Result<Options> parse() {
    while (next_ < words_.size()) {
      std::string_view word = without_spaces(words_[next_++]);
      if (word.empty()) continue;
      if (const Row* row = find_row(word))
        TRY(read(*row, word));
      else
        TRY(pass_on(word));
    }
    // The toolchain reports unknown options; the source file comes from the caller.
    TRY(toolchain::parse_flags(options_.flags));
    return std::move(options_);
  }

 private:
  Result<std::string> value_of(std::string_view word) {
    if (size_t equals = word.find('='); equals != word.npos) return std::string(word.substr(equals + 1));
    if (next_ == words_.size()) return Error{"T0005", fmt::format("`{}` takes a value", word)};
    return std::string(without_spaces(words_[next_++]));
  }

  Result<void> read(const Row& row, std::string_view word) {
    std::string value;
    if (row.takes == Takes::Value) value = TRY(value_of(word));
    switch (row.meaning) {
      case Meaning::Ignored:
        break;
      case Meaning::NoSourceInclude:
        options_.source_folder = false;
        break;
      case Meaning::DefaultDevice:
        options_.default_device = true;
        break;
      case Meaning::LinkTime:
        options_.link_time_code = true;
        options_.flags.push_back("-rdc=true");
        break;
      case Meaning::Define:
        options_.flags.push_back("-D" + value);
        break;
      case Meaning::Undefine:
        options_.flags.push_back("-U" + value);
        break;
      case Meaning::Include:
        options_.flags.push_back("-I" + value);
        break;
      case Meaning::PreInclude:
        options_.flags.insert(options_.flags.end(), {"-include", value});
        break;
      case Meaning::Refused:
        return Error{"T0006", fmt::format("`{}` is not supported", word)};
    }
    return {};
  }

  // An option of nvcc may be two strings here, as it may be two words there.
  Result<void> pass_on(std::string_view word) {
    std::string_view value = word.substr(std::min(word.find('=') + 1, word.size()));
    bool architecture = word.starts_with("-arch") || word.starts_with("--gpu-architecture");
    if (architecture && word.find('=') == word.npos && next_ < words_.size()) value = words_[next_];
    if (architecture) {
      options_.machine_code = value.starts_with("sm_");
      const size_t digits = value.find('_') + 1;
      if (digits == 0 || std::atoi(std::string(value.substr(digits)).c_str()) < kOldest)
        return Error{"T0005", fmt::format("`{}` is no architecture of CUDA 12 or later", value)};
    }
    // "-D NAME" and "-I folder" in one string.
    if (size_t space = word.find(' '); space != word.npos && word[0] == '-' && word.find('=') > space) {
      options_.flags.emplace_back(word.substr(0, space));
      options_.flags.emplace_back(without_spaces(word.substr(space)));
      return {};
    }
    options_.flags.emplace_back(word);
    return {};
  }

  std::span<const char* const> words_;
  size_t next_ = 0;
  Options options_;
};

}  // namespace

Result<Options> parse_options(std::span<const char* const> words) { return Parser(words).parse(); }

}  // namespace warpwise::nvrtc
