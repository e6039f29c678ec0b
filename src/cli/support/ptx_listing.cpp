#include "cli/support/ptx_listing.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "base/demangled.h"
#include "cli/support/terminal.h"

namespace warpwise::cli {
namespace {

std::string_view trimmed(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t"), end = line.find_last_not_of(" \t\r;");
  return begin == line.npos ? std::string_view() : line.substr(begin, end - begin + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

// `.file 2 "/home/me/vecadd.cu"` or `.file 2 "/home/me" "vecadd.cu"` (directory and name).
void read_file_line(std::string_view line, std::map<unsigned, std::string>& files) {
  unsigned number = std::strtoul(std::string(line.substr(5)).c_str(), nullptr, 10);
  std::vector<std::string> strings;
  for (size_t at = line.find('"'); at != line.npos; at = line.find('"', at + 1)) {
    size_t close = line.find('"', at + 1);
    if (close == line.npos) break;
    strings.emplace_back(line.substr(at + 1, close - at - 1));
    at = close;
  }
  if (strings.size() == 1) files[number] = strings[0];
  if (strings.size() == 2) files[number] = std::filesystem::path(strings[0]) / strings[1];
}

// The name in `.visible .entry NAME(` or `.func (.param …) NAME(`; "" when the line declares no function.
std::string function_name(std::string_view line) {
  size_t at = line.find(".entry ");
  size_t length = 7;
  if (at == line.npos) at = line.find(".func "), length = 6;
  if (at == line.npos) return "";
  line.remove_prefix(at + length);
  while (line.starts_with(' ')) line.remove_prefix(1);
  if (line.starts_with('(')) {
    size_t close = line.find(')');
    if (close == line.npos) return "";
    line = trimmed(line.substr(close + 1));
  }
  size_t end = 0;
  while (end < line.size() && is_identifier(line[end])) ++end;
  return std::string(line.substr(0, end));
}

class Listing {
 public:
  Listing(std::string_view ptx, const ListingOptions& options) : options_(options), lines_(lines_of(ptx)) {
    for (std::string_view line : lines_) {
      std::string_view text = trimmed(line);
      // Debug sections name labels too; only those of instructions are kept.
      if (in_section_ || text.starts_with(".section"))
        skip_section(text);
      else if (text.starts_with(".file"))
        read_file_line(text, files_);
      else if (!text.empty() && text.back() != ':' && !text.starts_with(".loc"))
        note_labels(text);
    }
    in_section_ = false;
  }

  std::string text() {
    for (std::string_view line : lines_) visit(line);
    return out_;
  }

 private:
  void note_labels(std::string_view text) {
    for (size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
      size_t end = at;
      while (end < text.size() && is_identifier(text[end])) ++end;
      used_labels_.emplace(text.substr(at, end - at));
    }
  }

  void visit(std::string_view line) {
    std::string_view text = trimmed(line);
    if (in_section_ || text.starts_with(".section")) return skip_section(text);
    if (text.starts_with(".file") || is_compiler_remark(text)) return;
    if (text.starts_with(".loc")) return place(text);
    if (text.size() > 1 && text.back() == ':' && !used_labels_.count(std::string(text.substr(0, text.size() - 1))))
      return;
    if (std::string name = function_name(text); !name.empty()) begin_function(name);
    bool in_body = depth_ > 0;
    for (char c : text) depth_ += c == '{' ? 1 : c == '}' ? -1 : 0;
    bool instruction = !text.empty() && text[0] != '.' && text[0] != '{' && text[0] != '}' && text.back() != ':';
    if (in_function_ && in_body && instruction) show_place();
    emit(line);
    if (in_body && depth_ == 0) in_function_ = false;
  }

  // "// -- Begin function", "// @name", "// .globl name": LLVM to itself.
  static bool is_compiler_remark(std::string_view text) {
    return text.starts_with("// -- ") || text.starts_with("// @") || text.starts_with("// .globl");
  }

  // From `.section .debug_info` to its closing brace.
  void skip_section(std::string_view text) { in_section_ = text.find('}') == text.npos; }

  void begin_function(const std::string& name) {
    in_function_ = true;
    shown_place_ = place_ = {};
    std::string readable = demangled(name);
    wanted_ = options_.function.empty() || readable.find(options_.function) != readable.npos;
    if (wanted_ && readable != name) out_ += styled(options_.color, "1", fmt::format("// {}\n", readable));
  }

  // `.loc FILE LINE COLUMN`, or with `, function_name …, inlined_at FILE LINE COLUMN` after it: then the
  // first place is inside the inlined function. What headers of ours do counts as done where they are
  // used, or as part of what went before when that is not said.
  void place(std::string_view text) {
    auto at = two_numbers(text.substr(4));
    constexpr std::string_view kInlined = "inlined_at ";
    size_t inlined = text.find(kInlined);
    auto file = files_.find(at.first);
    bool system = file != files_.end() && options_.is_system(file->second);
    if (system && inlined != text.npos)
      place_ = two_numbers(text.substr(inlined + kInlined.size()));
    else if (!system)
      place_ = at;
  }

  static std::pair<unsigned, unsigned> two_numbers(std::string_view text) {
    std::string numbers(text);
    char* end = nullptr;
    unsigned first = std::strtoul(numbers.c_str(), &end, 10);
    return {first, static_cast<unsigned>(std::strtoul(end, nullptr, 10))};
  }

  void show_place() {
    if (place_ == shown_place_ || place_.second == 0 || !wanted_) return;
    shown_place_ = place_;
    auto file = files_.find(place_.first);
    if (file == files_.end()) return;
    std::string name = std::filesystem::path(file->second).filename();
    out_ += styled(options_.color, "36", fmt::format("// {}:{}  {}", name, place_.second, source_line(file->second))) +
            "\n";
  }

  std::string source_line(const std::string& path) {
    auto found = sources_.find(path);
    if (found == sources_.end()) {
      std::vector<std::string> lines;
      if (auto text = options_.read(path))
        for (std::string_view line : lines_of(*text)) lines.emplace_back(line);
      found = sources_.emplace(path, std::move(lines)).first;
    }
    unsigned line = place_.second;
    return line <= found->second.size() ? found->second[line - 1] : "";
  }

  void emit(std::string_view line) {
    bool blank = trimmed(line).empty();
    if ((in_function_ && !wanted_) || (!in_function_ && !options_.function.empty())) return;
    if (blank && (out_.empty() || out_.ends_with("\n\n"))) return;
    out_.append(line);
    out_ += '\n';
  }

  const ListingOptions& options_;
  std::vector<std::string_view> lines_;
  std::map<unsigned, std::string> files_;
  std::map<std::string, std::vector<std::string>> sources_;
  std::set<std::string> used_labels_;
  std::pair<unsigned, unsigned> place_{}, shown_place_{};  // file, line
  int depth_ = 0;                                          // of braces
  bool in_section_ = false, in_function_ = false, wanted_ = true;
  std::string out_;
};

}  // namespace

std::string ptx_listing(std::string_view ptx, const ListingOptions& options) { return Listing(ptx, options).text(); }

}  // namespace warpwise::cli
