#include "toolchain/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "toolchain/hash.h"

namespace warpwise::toolchain {
namespace {

// Cuts the first word (up to a space) off `line`.
std::string_view take_word(std::string_view& line) {
  size_t end = std::min(line.find(' '), line.size());
  std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

template <class Number>
bool take_number(std::string_view& line, Number& number) {
  std::string_view word = take_word(line);
  auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && rest == word.data() + word.size();
}

}  // namespace

// One line per file, `result KEY` after the last of a variant. Paths with a newline are not kept
// (take_inputs refuses them).
std::string encode_variants(const std::vector<InputVariant>& variants) {
  std::string text;
  auto out = std::back_inserter(text);
  for (const InputVariant& variant : variants) {
    for (const InputFile& f : variant.files)
      fmt::format_to(out, "file {} {} {} {} {} {}\n", f.stamp.size, f.stamp.modified_ns, f.stamp.changed_ns,
                     f.stamp.inode, f.hash, f.path);
    fmt::format_to(out, "result {}\n", variant.result);
  }
  return text;
}

std::optional<std::vector<InputVariant>> decode_variants(std::string_view text) {
  std::vector<InputVariant> variants;
  InputVariant current;
  while (!text.empty()) {
    size_t end = text.find('\n');
    if (end == text.npos) return std::nullopt;
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    std::string_view kind = take_word(line);
    if (kind == "file") {
      InputFile f;
      if (!take_number(line, f.stamp.size) || !take_number(line, f.stamp.modified_ns) ||
          !take_number(line, f.stamp.changed_ns) || !take_number(line, f.stamp.inode))
        return std::nullopt;
      f.hash = take_word(line);
      f.path = line;
      if (!is_hash(f.hash) || f.path.empty()) return std::nullopt;
      current.files.push_back(std::move(f));
    } else if (kind == "result" && is_hash(line)) {
      current.result = line;
      variants.push_back(std::move(current));
      current = {};
    } else {
      return std::nullopt;
    }
  }
  if (!current.files.empty()) return std::nullopt;
  return variants;
}

bool unchanged(const InputVariant& variant) {
  return std::all_of(variant.files.begin(), variant.files.end(), [](const InputFile& f) {
    auto now = stamp_of(f.path);
    if (!now || now->size != f.stamp.size) return false;
    if (*now == f.stamp) return true;
    auto content = read_file(f.path);  // touched or copied: the content decides
    return content.ok() && hash_of(*content) == f.hash;
  });
}

std::optional<std::vector<InputFile>> take_inputs(const std::vector<std::string>& paths, int64_t started_ns) {
  std::vector<InputFile> files;
  for (const std::string& path : paths) {
    if (path.find('\n') != path.npos) return std::nullopt;
    auto stamp = stamp_of(path);
    auto content = read_file(path);
    if (!stamp || !content || std::max(stamp->modified_ns, stamp->changed_ns) >= started_ns) return std::nullopt;
    files.push_back({path, *stamp, hash_of(*content)});
  }
  return files;
}

std::vector<std::string> parse_dependencies(std::string_view rule) {
  std::vector<std::string> paths;
  std::string word;
  bool after_colon = false;
  auto finish = [&] {
    if (!after_colon && !word.empty() && word.back() == ':')
      after_colon = true;
    else if (after_colon && !word.empty())
      paths.push_back(word);
    word.clear();
  };
  for (size_t i = 0; i < rule.size(); ++i) {
    char c = rule[i], next = i + 1 < rule.size() ? rule[i + 1] : '\0';
    if (c == '\\' && (next == ' ' || next == '#' || next == '\\'))
      word += next, ++i;
    else if (c == '\\' && next == '\n')
      finish(), ++i;
    else if (c == '$' && next == '$')
      word += '$', ++i;
    else if (c == '\n')
      finish(), after_colon = false;
    else if (c == ' ' || c == '\t' || c == '\r')
      finish();
    else
      word += c;
  }
  finish();
  return paths;
}

}  // namespace warpwise::toolchain
