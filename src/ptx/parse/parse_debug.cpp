// Debug information: the source line of an instruction, and the inlined calls that led to it.
//
//   .file 1 "/src/k.cu"
//   .loc 1 12 5, function_name $L__info_string0, inlined_at 1 20 9
//   .section .debug_str { $L__info_string0: .b8 115, 113, 0 }
//
// `.loc` holds for the instructions that follow. The label of a function's name points into .debug_str, which stands at
// the end of the file: names are filled in after everything has been read. The other debug sections are skipped.
#include <fmt/format.h>

#include <functional>
#include <tuple>

#include "ptx/parse/parser_state.h"

namespace warpwise::ptx {
namespace {

uint64_t place_key(uint32_t file, uint32_t line, uint32_t column) {
  return uint64_t{file} << 48 ^ uint64_t { line } << 16 ^ column;
}

}  // namespace

// .file n "name" {, timestamp, size}
bool Parser::parse_file() {
  uint64_t index = 0;
  if (!parse_unsigned(index, ParseLimits::kFiles)) return false;
  if (token_.kind != Token::Kind::String) return expected("the file's name");
  std::string name(token_.text.substr(1, token_.text.size() - 2));
  advance();
  while (take(',')) {
    uint64_t unused = 0;
    if (!parse_unsigned(unused, ~uint64_t{0} >> 1)) return false;
  }
  if (module_.files.size() <= index) module_.files.resize(index + 1);
  module_.files[index] = std::move(name);
  return true;
}

// .loc file line column {, function_name label {+ n}} {, inlined_at file line column}
bool Parser::parse_loc() {
  auto place = [&](SourceLocation& out) {
    uint64_t file = 0, line = 0, column = 0;
    if (!parse_unsigned(file, ParseLimits::kFiles) || !parse_unsigned(line, 0xffffffff)) return false;
    if (token_.kind == Token::Kind::Number && !parse_unsigned(column, 0xffffffff)) return false;
    out.file = static_cast<uint32_t>(file);
    out.line = static_cast<uint32_t>(line);
    out.column = static_cast<uint32_t>(column);
    return true;
  };
  SourceLocation location;
  if (!place(location)) return false;
  std::string_view label;
  int64_t offset = 0;
  while (take(',')) {
    if (take("function_name")) {
      if (!expect_word("a label of .debug_str", label)) return false;
      if (take('+') && !parse_integer(offset)) return false;
    } else if (take("inlined_at")) {
      SourceLocation caller;
      if (!place(caller)) return false;
      // The place of the call is an earlier .loc of this function, itself perhaps inlined.
      auto known = last_location_.find(place_key(caller.file, caller.line, caller.column));
      location.inlined_at = known != last_location_.end() ? known->second : intern_location(caller);
    } else {
      return expected("`function_name` or `inlined_at`");
    }
  }
  // While parsing, the label stands for the name; resolve_location_names() replaces it.
  location.function_name = label;
  size_t before = module_.locations.size();
  location_ = intern_location(location);
  if (!label.empty() && module_.locations.size() != before) named_locations_.push_back({location_, label, offset});
  last_location_[place_key(location.file, location.line, location.column)] = location_;
  return true;
}

size_t Parser::SameLocation::operator()(const SourceLocation& l) const {
  size_t hash = std::hash<std::string_view>{}(l.function_name);
  return (hash ^ place_key(l.file, l.line, l.column)) * 0x9E3779B97F4A7C15u + static_cast<size_t>(l.inlined_at);
}

bool Parser::SameLocation::operator()(const SourceLocation& a, const SourceLocation& b) const {
  return std::tie(a.file, a.line, a.column, a.inlined_at, a.function_name) ==
         std::tie(b.file, b.line, b.column, b.inlined_at, b.function_name);
}

int32_t Parser::intern_location(const SourceLocation& l) {
  auto [at, fresh] = interned_locations_.try_emplace(l, static_cast<int32_t>(module_.locations.size()));
  if (fresh) module_.locations.push_back(l);
  return at->second;
}

// .section name { … }
bool Parser::parse_section() {
  if (token_.kind != Token::Kind::Dot && token_.kind != Token::Kind::Word) return expected("a section's name");
  bool strings = token_.is(".debug_str");
  advance();
  if (!token_.is('{')) return expected("`{` after a section's name");
  if (strings) return parse_debug_strings();
  Span open = token_.text;
  skip_braces();
  if (token_.kind == Token::Kind::End && *last_end_ != '\0' && source_->text().back() != '}' &&
      source_->text().find('}', static_cast<size_t>(open.data() - source_->text().data())) == std::string_view::npos)
    return fail("P0004", open, "this section has no end");
  return true;
}

// label: .b8 115, 113, 0 …
bool Parser::parse_debug_strings() {
  advance();  // {
  while (!token_.is('}')) {
    if (token_.kind == Token::Kind::Word) {
      string_labels_.try_emplace(token_.text, debug_strings_.size());
      advance();
      if (!expect(':', "after a label")) return false;
      continue;
    }
    if (!take(".b8")) return expected("`.b8` or a label");
    do {
      int64_t byte = 0;
      if (!parse_integer(byte)) return false;
      debug_strings_.push_back(static_cast<char>(byte));
    } while (take(','));
  }
  advance();
  return true;
}

void Parser::resolve_location_names() {
  for (SourceLocation& l : module_.locations) l.function_name = {};
  if (named_locations_.empty()) return;
  auto strings = std::make_shared<const std::string>(std::move(debug_strings_));
  for (const NamedLocation& named : named_locations_) {
    auto found = string_labels_.find(named.label);
    if (found == string_labels_.end()) continue;
    uint64_t begin = found->second + static_cast<uint64_t>(named.offset);
    if (begin >= strings->size()) continue;
    module_.locations[named.location].function_name = std::string_view(strings->c_str() + begin);
  }
  module_.texts.push_back(std::move(strings));
}

}  // namespace warpwise::ptx
