// Result<T>: a value or the reason there is none.
//
// Expected failures (a file that is missing, PTX that is wrong, a device that is full) travel as
// values, because they cross C interfaces and JIT-compiled frames where exceptions may not. C++20
// has no std::expected; this is the small part of it that we use.
//
//     Result<Module> load(const std::string& path) {
//       std::string text = TRY(read_file(path));
//       return parse(text);
//     }
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace warpwise {

// Why something failed: a code that `warpwise explain` knows (see base/diagnostics.inc) and one
// sentence that says what happened and, where we can, what to do next.
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

// The value of a Result, or a return of its error from the enclosing function. (A statement
// expression, which GCC and Clang both have; it keeps `auto x = TRY(f());` on one line.)
#define TRY(expression)                                        \
  ({                                                           \
    auto try_result_ = (expression);                           \
    if (!try_result_.ok()) return std::move(try_result_).error(); \
    std::move(try_result_).value();                            \
  })

}  // namespace warpwise
