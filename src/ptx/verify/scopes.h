// The names that a function body can see: nested `{ }`, registers declared one by one or as ranges, labels.
//
// `.reg .b32 %r<8000>;` declares eight thousand registers, of which a function uses some. A range is kept as a range,
// and a register is created where it is first named. The module then holds the registers in use, and `%r<100000000>`
// costs nothing.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace warpwise::ptx {

// The meaning of a name in a scope.
struct Meaning {
  bool is_register = false;
  RegisterId reg = 0;
  SymbolRef symbol;
};

class Scopes {
 public:
  // Created registers are appended to `registers`.
  explicit Scopes(std::vector<Register>& registers) : registers_(registers) { open(); }

  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  size_t depth() const { return scopes_.size(); }

  // Each returns the place of an earlier declaration of the same name in the same scope, or an empty view on success.
  std::string_view declare(std::string_view name, Meaning meaning);
  std::string_view declare_range(std::string_view prefix, uint64_t count, Type type, uint8_t vector);

  std::optional<Meaning> find(std::string_view name);
  // All names that can be seen now, for suggestions.
  std::vector<std::string_view> names() const;

 private:
  struct Range {
    Type type = Type::None;
    uint8_t vector = 1;
    uint64_t count = 0;
    std::vector<int32_t> small;                      // by number, -1: not yet
    std::unordered_map<uint64_t, RegisterId> large;  // numbers from kSmall on
  };
  struct Scope {
    std::unordered_map<std::string_view, Meaning> names;
    std::unordered_map<std::string_view, Range> ranges;
  };
  static constexpr uint64_t kSmall = 1 << 14;

  RegisterId in_range(Range& range, uint64_t number, std::string_view name);

  std::vector<Scope> scopes_;
  std::vector<Register>& registers_;
};

}  // namespace warpwise::ptx
