#include "check/report/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace warpwise::check::report {
namespace fs = std::filesystem;
namespace {

constexpr uintmax_t kLargestSource = 64 << 20;
constexpr size_t kWidest = 200;

std::unique_ptr<SourceText> read_source(const std::string& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) > kLargestSource) return nullptr;
  std::ostringstream text;
  std::ifstream in(file, std::ios::binary);
  if (!in) return nullptr;
  text << in.rdbuf();
  return std::make_unique<SourceText>(file, text.str());
}

}  // namespace

std::string_view SourceFiles::line(const std::string& file, uint32_t number) {
  auto [entry, is_new] = files_.try_emplace(file);
  if (is_new) entry->second = read_source(file);
  return entry->second ? entry->second->line(number) : std::string_view();
}

std::string SourceFiles::excerpt(const SourcePlace& place, bool color) {
  std::string_view text = line(place.file, place.line).substr(0, kWidest);
  if (text.empty()) return "";
  std::string out = fmt::format("{:5} | {}\n", place.line, text);
  // Debug information of g++ and nvcc has no columns: the whole line is meant.
  const size_t begin = place.column ? place.column - 1 : text.find_first_not_of(" \t");
  if (begin >= text.size()) return out;
  std::string before;
  for (size_t i = 0; i < begin; ++i) before += text[i] == '\t' ? '\t' : ' ';
  const std::string_view meant = text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
  const auto begins_character = [](char c) { return (c & 0xc0) != 0x80; };
  const std::string mark =
      place.column ? "^" : std::string(std::count_if(meant.begin(), meant.end(), begins_character), '~');
  return out + fmt::format("      | {}{}\n", before, color ? "\033[1;32m" + mark + "\033[0m" : mark);
}

std::string short_path(const std::string& file) {
  std::error_code error;
  fs::path here = fs::current_path(error);
  fs::path path = fs::path(file).lexically_normal();
  if (error || !path.is_absolute()) return path.string();
  fs::path relative = path.lexically_relative(here);
  bool below = !relative.empty() && *relative.begin() != "..";
  return below ? relative.string() : path.string();
}

}  // namespace warpwise::check::report
