#include "bench/ladder/step_head.h"

#include <fmt/format.h>

#include <cctype>
#include <sstream>

#include "toolchain/files.h"

namespace warpwise::bench {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// "sm_90a" is 90 with features that no other architecture has.
struct Architecture {
  unsigned number = 0;
  bool exact = false;
};
std::optional<Architecture> architecture_of(std::string_view text) {
  if (!text.starts_with("sm_")) return std::nullopt;
  text.remove_prefix(3);
  Architecture out;
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) && out.number < 1000)
    out.number = out.number * 10 + unsigned(text.front() - '0'), text.remove_prefix(1);
  out.exact = text == "a";
  if (out.number < 10 || !(text.empty() || out.exact)) return std::nullopt;
  return out;
}

struct Comparison {
  std::string_view sign;
  bool (*holds)(int64_t, int64_t);
};
// Those of two characters first: `<` begins `<=`.
constexpr Comparison kComparisons[] = {
    {"<=", [](int64_t a, int64_t b) { return a <= b; }}, {">=", [](int64_t a, int64_t b) { return a >= b; }},
    {"==", [](int64_t a, int64_t b) { return a == b; }}, {"!=", [](int64_t a, int64_t b) { return a != b; }},
    {"<", [](int64_t a, int64_t b) { return a < b; }},   {">", [](int64_t a, int64_t b) { return a > b; }},
};

Result<bool> one_holds(std::string_view text, const Numbers& sizes) {
  for (const Comparison& comparison : kComparisons) {
    const size_t at = text.find(comparison.sign);
    if (at == text.npos) continue;
    const int64_t left = TRY(lab::evaluate(text.substr(0, at), sizes));
    const int64_t right = TRY(lab::evaluate(text.substr(at + comparison.sign.size()), sizes));
    return comparison.holds(left, right);
  }
  return Error{"B0001", fmt::format("`{}` compares nothing: write `n % 4 == 0 and n <= 1024`", text)};
}

// `6 * m * n * k on tensor_f16`
Result<void> read_work(std::string_view text, const std::filesystem::path& file, Version& version) {
  constexpr std::string_view kOn = " on ";
  const size_t end = text.rfind(kOn);
  const auto unit = end == text.npos ? std::nullopt : unit_of(trimmed(text.substr(end + kOn.size())));
  if (!unit)
    return Error{"B0001", fmt::format("{}: `calculates: {}`: write a number of operations and where they are done, "
                                      "`6 * m * n * k on tensor_f16`",
                                      file.string(), text)};
  version.flops = trimmed(text.substr(0, end)), version.unit = *unit;
  return {};
}

}  // namespace

Result<bool> holds(std::string_view condition, const Numbers& sizes) {
  constexpr std::string_view kAnd = " and ";
  for (condition = trimmed(condition); !condition.empty();) {
    const size_t end = condition.find(kAnd);
    if (!TRY(one_holds(trimmed(condition.substr(0, end)), sizes))) return false;
    condition = end == condition.npos ? std::string_view() : trimmed(condition.substr(end + kAnd.size()));
  }
  return true;
}

Result<bool> takes(const Version& version, const Ladder& ladder, const Shape& shape) {
  const auto sizes = sizes_of(ladder, shape);
  if (!sizes.ok()) return sizes.error();
  return holds(version.takes, *sizes);
}

Result<Version> read_head(std::string_view text, const std::filesystem::path& file) {
  Version version;
  version.file = file;
  version.name = file.stem().string();
  const struct {
    std::string_view key;
    std::string* to;
  } lines[] = {
      {"step:", &version.idea}, {"takes:", &version.takes}, {"needs:", &version.needs}, {"peer:", &version.peer}};
  while (text.starts_with("//")) {
    const size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(2, end == text.npos ? end : end - 2));
    for (const auto& [key, to] : lines)
      if (line.starts_with(key)) *to = trimmed(line.substr(key.size()));
    if (line.starts_with("flags:")) version.flags = words_of(line.substr(6));
    if (line.starts_with("library:")) version.libraries = words_of(line.substr(8));
    if (line.starts_with("header:")) version.headers = words_of(line.substr(7));
    if (line.starts_with("calculates:")) TRY(read_work(trimmed(line.substr(11)), file, version));
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  if (!version.needs.empty() && !architecture_of(version.needs))
    return Error{"B0001", fmt::format("{}: `needs: {}`: write an architecture, `sm_90` or `sm_90a`", file.string(),
                                      version.needs)};
  if (!version.peer.empty() && version.libraries.empty() && version.headers.empty())
    return Error{"B0001", fmt::format("{}: `peer: {}`: there is no line `// library: …` or `// header: …`, which says "
                                      "what must be installed",
                                      file.string(), version.peer)};
  return version;
}

Result<Version> load_version(const std::filesystem::path& file) {
  return read_head(TRY(toolchain::read_file(file)), file);
}

std::string what_it_lacks(const Version& version, unsigned architecture) {
  const auto needed = architecture_of(version.needs);
  if (!needed) return "";
  if (needed->exact ? architecture == needed->number : architecture >= needed->number) return "";
  return fmt::format("needs {}", version.needs);
}

}  // namespace warpwise::bench
