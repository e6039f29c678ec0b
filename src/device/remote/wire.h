// The encoding of values on the socket: in their order, without gaps, little-endian like all supported hosts. The
// fields of each struct are listed once, in wire_fields.h, for both directions.
//
// A Reader trusts nothing: it stops at the end of its bytes, accepts no enumerator that does not exist and no length
// that its bytes cannot hold, and everything after the first mistake reads as zero. Check ok() before using the result.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpwise::device::remote {

// The last enumerator of each enumeration on the socket.
template <class E>
struct LastOf;

class Writer {
 public:
  static constexpr bool kReads = false;
  std::string bytes;

  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    else
      fields(*this, const_cast<T&>(value));  // does not change it: Writer::operator() takes const
  }
  void put(const std::string& text) { put(std::string_view(text)); }
  void put(std::string_view text) {
    put(uint64_t{text.size()});
    bytes.append(text);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(uint64_t{values.size()});
    for (const T& value : values) put(value);
  }
  template <class T, size_t n>
  void put(const std::array<T, n>& values) {
    for (const T& value : values) put(value);
  }
};

class Reader {
 public:
  static constexpr bool kReads = true;
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  template <class T>
  T next() {
    T value{};
    get(value);
    return value;
  }
  // The remaining bytes, unchanged.
  std::string_view rest() { return std::exchange(rest_, {}); }
  // Whether everything was valid so far, and nothing is left.
  bool ok() const { return !bad_ && rest_.empty(); }
  bool good_so_far() const { return !bad_; }
  void refuse() { bad_ = true; }

 private:
  template <class T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = next<uint8_t>() == 1;
    } else if constexpr (std::is_arithmetic_v<T>) {
      if (bad_ || rest_.size() < sizeof value) {
        bad_ = true;
        value = {};
        return;
      }
      std::memcpy(&value, rest_.data(), sizeof value);
      rest_.remove_prefix(sizeof value);
    } else if constexpr (std::is_enum_v<T>) {
      auto number = next<std::underlying_type_t<T>>();
      if (number > static_cast<std::underlying_type_t<T>>(LastOf<T>::value)) bad_ = true, number = 0;
      value = static_cast<T>(number);
    } else {
      fields(*this, value);
    }
  }
  void get(std::string_view& text) {
    auto size = next<uint64_t>();
    if (bad_ || size > rest_.size()) {
      bad_ = true;
      text = {};
      return;
    }
    text = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }
  void get(std::string& text) {
    std::string_view view;
    get(view);
    text = view;
  }
  template <class T>
  void get(std::vector<T>& values) {
    auto count = next<uint64_t>();
    values.clear();
    // Every element takes at least one byte.
    if (bad_ || count > rest_.size()) bad_ = true, count = 0;
    for (uint64_t i = 0; i < count && !bad_; ++i) get(values.emplace_back());
  }
  template <class T, size_t n>
  void get(std::array<T, n>& values) {
    for (T& value : values) get(value);
  }

  std::string_view rest_;
  bool bad_ = false;
};

}  // namespace warpwise::device::remote
