#include "exec/services/printf.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <string_view>

#include "exec/memory/arena.h"

namespace warpwise::exec {

using device::Address;

bool read_string(const Arena& arena, Address address, std::string& out) {
  auto region = arena.find(address);
  if (!region || !region->contains(address, 1)) return false;
  const char* start = reinterpret_cast<const char*>(engine_view(address));
  out.append(start, strnlen(start, region->base + region->size - address));
  return true;
}

namespace {

// The packed arguments, read one after the other.
class Arguments {
 public:
  Arguments(const Arena& arena, Address at) : arena_(arena), at_(at) {}

  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    if (const std::byte* bytes = arena_.view(at_, sizeof(T))) std::memcpy(&value, bytes, sizeof(T));
    at_ += sizeof(T);
    ++count_;
    return value;
  }
  int count() const { return count_; }

 private:
  const Arena& arena_;
  Address at_;
  int count_ = 0;
};

template <class T>
void append(std::string& out, const std::string& spec, T value) {
  char buffer[512];
  int length = std::snprintf(buffer, sizeof buffer, spec.c_str(), value);
  if (length < 0) return;
  if (static_cast<size_t>(length) < sizeof buffer) {
    out.append(buffer, length);
    return;
  }
  std::string large(length + 1, '\0');
  std::snprintf(large.data(), large.size(), spec.c_str(), value);
  large.pop_back();
  out += large;
}

// A width or precision beyond this would only serve to fill memory.
constexpr int kMaxWidth = 65536;

// A conversion as it is written: flags, width, precision, length, type.
struct Conversion {
  std::string spec = "%";  // up to the length
  std::string narrow;      // "h", "hh"
  bool wide = false;       // 64 bits: l, ll, and C99's j, z and t
  char type = '\0';        // '\0': the text ends before it
  size_t length = 0;       // characters behind the '%'
};

// `format` starts behind the '%'. Widths and precisions given as * are arguments.
Conversion read_conversion(std::string_view format, Arguments& arguments) {
  Conversion c;
  size_t& at = c.length;
  auto peek = [&] { return at < format.size() ? format[at] : '\0'; };
  while (peek() != '\0' && std::strchr("-+ #0", peek())) c.spec += format[at++];
  auto number = [&] {
    int value = 0;
    if (peek() == '*') {
      ++at;
      value = arguments.next<int32_t>();
    } else {
      while (peek() >= '0' && peek() <= '9') value = std::min(value * 10 + (format[at++] - '0'), kMaxWidth);
    }
    return std::clamp(value, -kMaxWidth, kMaxWidth);
  };
  if (int width = number()) c.spec += std::to_string(width);
  if (peek() == '.') {
    ++at;
    int precision = number();
    if (precision >= 0) c.spec += fmt::format(".{}", precision);  // a negative one counts as absent
  }
  for (;; ++at) {
    if (peek() == 'h')
      c.narrow += 'h';
    else if (peek() == 'l' || peek() == 'j' || peek() == 'z' || peek() == 't')
      c.wide = true;
    else
      break;
  }
  c.type = peek();
  if (c.type != '\0') ++at;
  return c;
}

// One conversion, `format` starting behind the '%'. Returns how many characters of it were used; 0 when
// it is no conversion that CUDA knows (it is then printed as it stands).
size_t convert(const Arena& arena, std::string_view format, Arguments& arguments, std::string& out) {
  const auto [spec, narrow, wide, type, length] = read_conversion(format, arguments);
  switch (type) {
    case '%':
      out += '%';
      break;
    case 'd':
    case 'i':
      if (wide)
        append(out, spec + "ll" + type, static_cast<long long>(arguments.next<int64_t>()));
      else
        append(out, spec + narrow + type, arguments.next<int32_t>());
      break;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      if (wide)
        append(out, spec + "ll" + type, static_cast<unsigned long long>(arguments.next<uint64_t>()));
      else
        append(out, spec + narrow + type, arguments.next<uint32_t>());
      break;
    case 'c':
      append(out, spec + type, arguments.next<int32_t>());
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      append(out, spec + type, arguments.next<double>());
      break;
    case 'p':
      append(out, spec + type, reinterpret_cast<void*>(arguments.next<uint64_t>()));
      break;
    case 's': {
      Address address = arguments.next<uint64_t>();
      std::string text;
      if (address == 0)
        text = "(null)";
      else if (!read_string(arena, address, text))
        text = fmt::format("(bad address {:#x})", address);
      append(out, spec + type, text.c_str());
      break;
    }
    default:
      return 0;
  }
  return length;
}

}  // namespace

int32_t format_printf(const Arena& arena, Address format_address, Address arguments_address, std::string& out) {
  if (format_address == 0) return -1;
  std::string text;
  if (!read_string(arena, format_address, text)) return -1;
  std::string_view format = text;
  Arguments arguments(arena, arguments_address);
  while (!format.empty()) {
    size_t percent = format.find('%');
    out += format.substr(0, percent);
    if (percent == std::string_view::npos) break;
    format.remove_prefix(percent + 1);
    size_t used = convert(arena, format, arguments, out);
    if (used == 0) out += '%';
    format.remove_prefix(used);
  }
  return arguments.count();
}

}  // namespace warpwise::exec
