#include "ptx/verify/scopes.h"

namespace warpwise::ptx {
namespace {

// Where the digits at the end of a name begin.
size_t digits_of(std::string_view name) {
  size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  return begin;
}

// The number in `digits` as ranges write it: without leading zeros.
std::optional<uint64_t> number_of(std::string_view digits) {
  if (digits.empty() || digits.size() > 10 || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  uint64_t number = 0;
  for (char c : digits) number = number * 10 + static_cast<uint64_t>(c - '0');
  return number;
}

}  // namespace

std::string_view Scopes::declare(std::string_view name, Meaning meaning) {
  auto [at, fresh] = scopes_.back().names.try_emplace(name, meaning);
  return fresh ? std::string_view{} : at->first;
}

std::string_view Scopes::declare_range(std::string_view prefix, uint64_t count, Type type, uint8_t vector) {
  auto [at, fresh] = scopes_.back().ranges.try_emplace(prefix, Range{type, vector, count, {}, {}});
  return fresh ? std::string_view{} : at->first;
}

RegisterId Scopes::in_range(Range& range, uint64_t number, std::string_view name) {
  auto create = [&] {
    registers_.push_back({name, range.type, range.vector});
    return static_cast<RegisterId>(registers_.size() - 1);
  };
  if (number >= kSmall) {
    auto [at, fresh] = range.large.try_emplace(number, 0);
    if (fresh) at->second = create();
    return at->second;
  }
  if (range.small.size() <= number) range.small.resize(number + 1, -1);
  if (range.small[number] < 0) range.small[number] = static_cast<int32_t>(create());
  return static_cast<RegisterId>(range.small[number]);
}

std::optional<Meaning> Scopes::find(std::string_view name) {
  size_t digits = digits_of(name);
  for (size_t i = scopes_.size(); i-- > 0;) {
    Scope& scope = scopes_[i];
    if (!scope.names.empty())
      if (auto at = scope.names.find(name); at != scope.names.end()) return at->second;
    if (scope.ranges.empty()) continue;
    // "%r12" is number 12 of "%r<…>"; failing that, number 2 of "%r1<…>".
    for (size_t split = digits; split < name.size(); ++split) {
      auto at = scope.ranges.find(name.substr(0, split));
      if (at == scope.ranges.end()) continue;
      std::optional<uint64_t> number = number_of(name.substr(split));
      if (number && *number < at->second.count) return Meaning{true, in_range(at->second, *number, name), {}};
    }
  }
  return std::nullopt;
}

std::vector<std::string_view> Scopes::names() const {
  std::vector<std::string_view> out;
  for (const Scope& scope : scopes_)
    for (const auto& [name, meaning] : scope.names) out.push_back(name);
  return out;
}

}  // namespace warpwise::ptx
