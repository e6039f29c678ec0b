// Result<T>: a value or the reason there is none.
//
// Failures that are to be expected (a file that is missing, PTX that is wrong, a kernel that faults) come back as
// values; nothing in this library throws, but for std::bad_alloc.
//
//     auto device = warpwise::Device::open();
//     if (!device) return complain(device.error().code, device.error().message);
//     device->synchronize();
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace warpwise {

// Why something failed: a code that `warpwise explain CODE` knows, and a text that says what happened and, where
// we can, what to do next.
struct Error {
  std::string code;
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // The value; only when ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }

  // The reason; only when !ok().
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  void value() const {}
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

}  // namespace warpwise
