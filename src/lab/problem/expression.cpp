#include "lab/problem/expression.h"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <vector>

namespace warpwise::lab {
namespace {

// Recursive descent; a problem file is read by its author, so one message about the first mistake is enough.
class Evaluation {
 public:
  Evaluation(std::string_view text, const Numbers& names) : text_(text), names_(names) {}

  Result<int64_t> all() {
    int64_t value = TRY(sum());
    skip_blanks();
    if (at_ != text_.size()) return wrong(fmt::format("`{}` is not expected here", text_[at_]));
    return value;
  }

 private:
  static constexpr unsigned kDeepest = 64;

  Error wrong(std::string_view what) const { return {"L0002", fmt::format("`{}`: {}", text_, what)}; }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char wanted) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  Result<int64_t> sum() {
    int64_t value = TRY(product());
    for (;;) {
      if (take('+')) {
        if (__builtin_add_overflow(value, TRY(product()), &value)) return wrong("the value leaves 64 bits");
      } else if (take('-')) {
        if (__builtin_sub_overflow(value, TRY(product()), &value)) return wrong("the value leaves 64 bits");
      } else {
        return value;
      }
    }
  }

  Result<int64_t> product() {
    int64_t value = TRY(factor());
    for (;;) {
      if (take('*')) {
        if (__builtin_mul_overflow(value, TRY(factor()), &value)) return wrong("the value leaves 64 bits");
      } else if (take('/')) {
        value = TRY(quotient(value, TRY(factor())));
      } else if (take('%')) {
        value = TRY(remainder(value, TRY(factor())));
      } else {
        return value;
      }
    }
  }

  Result<int64_t> quotient(int64_t value, int64_t divisor) const {
    if (divisor == 0) return wrong("division by zero");
    if (value == INT64_MIN && divisor == -1) return wrong("the value leaves 64 bits");
    const int64_t towards_zero = value / divisor;
    return towards_zero - ((value % divisor != 0) && ((value < 0) != (divisor < 0)));
  }

  // With the divisor's sign. Not value - quotient * divisor: that product may leave 64 bits where the remainder does
  // not.
  Result<int64_t> remainder(int64_t value, int64_t divisor) const {
    if (divisor == 0) return wrong("division by zero");
    if (divisor == -1) return 0;  // of INT64_MIN, too, where the processor's division traps
    const int64_t towards_zero = value % divisor;
    return towards_zero != 0 && (towards_zero < 0) != (divisor < 0) ? towards_zero + divisor : towards_zero;
  }

  Result<int64_t> factor() {
    if (++depth_ > kDeepest) return wrong("nested too deeply");
    auto value = simple();
    --depth_;
    return value;
  }

  Result<int64_t> simple() {
    if (take('-')) {
      int64_t value = TRY(factor());
      if (value == INT64_MIN) return wrong("the value leaves 64 bits");
      return -value;
    }
    if (take('(')) {
      int64_t value = TRY(sum());
      if (!take(')')) return wrong("a `)` is missing");
      return value;
    }
    skip_blanks();
    if (at_ == text_.size()) return wrong("it ends too early");
    if (std::isdigit(static_cast<unsigned char>(text_[at_]))) return number();
    if (std::isalpha(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_') return name();
    return wrong(fmt::format("`{}` is not expected here", text_[at_]));
  }

  Result<int64_t> number() {
    int64_t value = 0;
    for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_)
      if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, text_[at_] - '0', &value))
        return wrong("the value leaves 64 bits");
    return value;
  }

  Result<int64_t> name() {
    const size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (take('(')) return call(word);
    auto found = names_.find(word);
    if (found == names_.end()) return wrong(fmt::format("there is no size `{}`", word));
    return found->second;
  }

  Result<int64_t> call(std::string_view function) {
    std::vector<int64_t> given;
    do given.push_back(TRY(sum()));
    while (take(','));
    if (!take(')')) return wrong("a `)` is missing");
    const size_t takes = function == "log2"                                                 ? 1
                         : function == "ceil_div" || function == "min" || function == "max" ? 2
                                                                                            : 0;
    if (takes == 0) return wrong(fmt::format("there is no function `{}`: ceil_div, log2, max and min are", function));
    if (given.size() != takes)
      return wrong(fmt::format("`{}` takes {} argument{}", function, takes, takes == 1 ? "" : "s"));
    if (function == "min") return std::min(given[0], given[1]);
    if (function == "max") return std::max(given[0], given[1]);
    if (function == "log2") {
      if (given[0] < 1) return wrong("`log2` takes positive numbers");
      return int64_t(std::bit_width(uint64_t(given[0])) - 1);
    }
    if (given[0] == INT64_MIN) return wrong("the value leaves 64 bits");
    return -TRY(quotient(-given[0], given[1]));
  }

  std::string_view text_;
  const Numbers& names_;
  size_t at_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

Result<int64_t> evaluate(std::string_view expression, const Numbers& names) {
  return Evaluation(expression, names).all();
}

Result<Numbers> with_derived(Numbers sizes, const Derived& derived) {
  for (const auto& [name, expression] : derived) sizes[name] = TRY(evaluate(expression, sizes));
  return sizes;
}

}  // namespace warpwise::lab
