#include "nvjitlink/options.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace warpwise::nvjitlink {

namespace {

enum class Takes { Nothing, Value };
enum class Meaning {
#define MEANING(name) name,
#include "nvjitlink/options.inc"
};

constexpr unsigned kOldest = 75;

struct Row {
  std::string_view name;
  Takes takes;
  Meaning meaning;
};

constexpr Row kRows[] = {
#define OPTION(name, takes, meaning) {#name, Takes::takes, Meaning::meaning},
#include "nvjitlink/options.inc"
};

// 90 for "sm_90" and for "compute_90a"; 0 for anything else.
unsigned architecture_in(std::string_view text) {
  for (std::string_view prefix : {"sm_", "compute_"})
    if (text.starts_with(prefix)) {
      unsigned number = 0;
      text.remove_prefix(prefix.size());
      auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      std::string_view suffix = text.substr(static_cast<size_t>(end - text.data()));
      return suffix.empty() || suffix == "a" || suffix == "f" ? number : 0;
    }
  return 0;
}

}  // namespace

nvJitLinkResult parse_options(std::span<const char* const> words, Options* out) {
  *out = {};
  bool virtual_architecture = false;
  for (const char* text : words) {
    if (!text) return NVJITLINK_ERROR_NULL_INPUT;
    std::string_view word = text;
    if (!word.starts_with('-')) return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
    size_t equals = word.find('=');
    std::string_view name = word.substr(1, equals == word.npos ? word.npos : equals - 1);
    auto row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.name == name; });
    if (row == std::end(kRows) || (row->takes == Takes::Value) != (equals != word.npos))
      return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
    switch (row->meaning) {
      case Meaning::Ignored:
        break;
      case Meaning::Lto:
        out->lto = true;
        break;
      case Meaning::Ptx:
        out->ptx = true;
        break;
      case Meaning::Arch:
        out->architecture = architecture_in(word.substr(equals + 1));
        if (!out->architecture) return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
        virtual_architecture = word.substr(equals + 1).starts_with("compute_");
        break;
    }
  }
  if (!out->architecture) return NVJITLINK_ERROR_MISSING_ARCH;
  if (out->architecture < kOldest) return NVJITLINK_ERROR_UNSUPPORTED_ARCH;
  const bool fit = out->ptx ? out->lto : !virtual_architecture;
  return fit ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS;
}

}  // namespace warpwise::nvjitlink
