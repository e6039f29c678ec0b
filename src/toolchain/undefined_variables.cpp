#include "toolchain/undefined_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/undefined_register.h"

namespace warpwise::toolchain {
namespace {

// Up to here an object's parts are likely to become registers.
constexpr uint64_t kMostBytes = 64;

struct Variable {
  std::string_view pointer;  // "%8"
  uint64_t bytes = 0, align = 1;
  std::string_view place;  // ", !dbg !17", or nothing
};

// The text behind `before`, up to `end`; nothing where there is no such text.
std::optional<std::string_view> between(std::string_view text, std::string_view before, std::string_view end) {
  const size_t at = text.find(before);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + before.size());
  const size_t stop = text.find_first_of(end);
  return text.substr(0, stop);
}

std::optional<uint64_t> whole_number(std::optional<std::string_view> text) {
  uint64_t value = 0;
  if (!text) return std::nullopt;
  auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

std::optional<uint64_t> bytes_of(std::string_view type) {
  if (type == "ptr" || type == "double") return 8;
  if (type == "float") return 4;
  if (type == "half" || type == "bfloat") return 2;
  if (!type.starts_with('i')) return std::nullopt;
  auto bits = whole_number(type.substr(1));
  return bits && *bits % 8 == 0 ? std::optional(*bits / 8) : std::nullopt;
}

// `store TYPE VALUE, ptr POINTER, align N`, and a copy or a fill of N bytes. Nothing: the variable is left without.
std::optional<Variable> variable_of(std::string_view line) {
  Variable variable;
  std::optional<uint64_t> bytes, align;
  if (line.starts_with("  store ")) {
    bytes = bytes_of(*between(line, "  store ", " "));
    const size_t pointer = line.rfind(", ptr ");
    if (pointer == line.npos) return std::nullopt;
    const std::string_view rest = line.substr(pointer);
    variable.pointer = *between(rest, ", ptr ", ",");
    align = whole_number(between(rest, "align ", ","));
  } else {
    const auto pointer = between(line, "(ptr align ", ",");  // "4 %18"
    const size_t blank = pointer ? pointer->find(' ') : std::string_view::npos;
    if (blank == std::string_view::npos) return std::nullopt;
    align = whole_number(pointer->substr(0, blank));
    variable.pointer = pointer->substr(blank + 1);
    bytes = whole_number(between(line, ", i64 ", ","));
  }
  if (!bytes || !align || *align == 0) return std::nullopt;
  variable.bytes = *bytes, variable.align = *align;
  const size_t place = line.find(", !dbg ");
  if (place != line.npos) variable.place = line.substr(place, line.find(',', place + 1) - place);
  return variable;
}

// The parts of a variable are stored as words, each as wide as the variable is aligned.
class Marks {
 public:
  void add(std::string& out, const Variable& variable) {
    if (variable.bytes > kMostBytes) return;
    uint64_t left = variable.bytes;
    for (uint64_t at = 0; left != 0;) {
      uint64_t word = std::min<uint64_t>(variable.align, 8);
      while (word > left || at % word != 0) word /= 2;
      store(out, variable, at, word);
      at += word, left -= word;
    }
  }

 private:
  void store(std::string& out, const Variable& variable, uint64_t at, uint64_t word) {
    const uint64_t bits = 8 * word, held = std::max<uint64_t>(bits, 16);  // PTX has no registers of a byte
    const char constraint = held == 16 ? 'h' : held == 32 ? 'r' : 'l';
    const uint64_t n = next_++;
    const std::string_view name = kUndefinedRegister;
    out += fmt::format(
        "  %undefined.{0} = call i{1} asm \"{{ .reg .b{1} ${2}{0}; mov.b{1} $0, ${2}{0}; }}\", \"={3}\"(){4}\n", n,
        held, name, constraint, variable.place);
    std::string value = fmt::format("%undefined.{}", n), pointer(variable.pointer);
    if (bits < held) {
      out += fmt::format("  {0}.byte = trunc i{1} {0} to i{2}{3}\n", value, held, bits, variable.place);
      value += ".byte";
    }
    if (at != 0) {
      out += fmt::format("  %undefined.{}.at = getelementptr i8, ptr {}, i64 {}{}\n", n, pointer, at, variable.place);
      pointer = fmt::format("%undefined.{}.at", n);
    }
    out += fmt::format("  store i{} {}, ptr {}, align {}{}\n", bits, value, pointer, word, variable.place);
  }

  uint64_t next_ = 0;
};

}  // namespace

std::string keep_undefined_variables(std::string_view code) {
  // `!18 = !{!"auto-init"}`, at the end of the text.
  const size_t named = code.rfind(" = !{!\"auto-init\"}");
  if (named == code.npos) return std::string(code);
  const size_t begin = code.rfind('\n', named) + 1;
  const std::string mark = fmt::format(", !annotation {}", code.substr(begin, named - begin));
  std::string out;
  out.reserve(code.size() + code.size() / 8);
  Marks marks;
  for (size_t at = 0; at < code.size();) {
    const size_t end = std::min(code.find('\n', at), code.size() - 1);
    const std::string_view line = code.substr(at, end - at);
    at = end + 1;
    const size_t marked = line.find(mark);
    const size_t behind = marked + mark.size();
    if (marked != line.npos && (behind == line.size() || line[behind] == ',')) {
      if (auto variable = variable_of(line)) marks.add(out, *variable);
    } else {
      out.append(line).append("\n");
    }
  }
  return out;
}

}  // namespace warpwise::toolchain
