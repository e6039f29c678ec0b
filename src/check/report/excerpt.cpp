#include "check/report/excerpt.h"

#include <fmt/format.h>

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
  size_t column = place.column;
  // Debug information of g++ and nvcc has no columns: the whole statement is meant.
  if (column == 0) column = text.find_first_not_of(" \t") + 1;
  if (column == 0 || column > text.size()) return out;
  std::string under;
  for (size_t i = 0; i + 1 < column; ++i) under += text[i] == '\t' ? '\t' : ' ';
  return out + fmt::format("      | {}{}\n", under, color ? "\033[1;32m^\033[0m" : "^");
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
