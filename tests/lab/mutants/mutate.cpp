#include "lab/mutants/mutate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

namespace warpwise::mutants {
namespace {

struct Named {
  std::string_view name, about;
};
constexpr Named kNames[] = {
#define OPERATOR(enumerator, name, about) {name, about},
#include "lab/mutants/operators.inc"
#undef OPERATOR
};

template <size_t n>
bool one_of(std::string_view text, const std::string_view (&list)[n]) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

constexpr std::string_view kTypes[] = {"float",  "double", "int",   "unsigned", "short",   "long",  "char",
                                       "half",   "size_t", "bool",  "auto",     "void",    "dim3",  "float4",
                                       "float2", "int4",   "uint4", "uchar4",   "int64_t", "int8_t"};
constexpr std::string_view kBuiltins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
constexpr std::string_view kComparisons[] = {"<", "<=", ">", ">=", "==", "!="};

// What one text becomes.
struct Swap {
  std::string_view from, to;
};
template <size_t n>
std::optional<std::string_view> swapped(std::string_view text, const Swap (&table)[n]) {
  for (const Swap& s : table)
    if (s.from == text) return s.to;
  return std::nullopt;
}

constexpr Swap kBoundaries[] = {{"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}};
constexpr Swap kEqual[] = {{"==", "!="}, {"!=", "=="}};
constexpr Swap kLogic[] = {{"&&", "||"}, {"||", "&&"}};
constexpr Swap kArithmetic[] = {{"+", "-"}, {"-", "+"}, {"*", "+"}, {"/", "*"}, {"%", "/"}};
constexpr Swap kSums[] = {{"+=", "-="}, {"-=", "+="}};
constexpr Swap kShuffles[] = {{"__shfl_down_sync", "__shfl_up_sync"},
                              {"__shfl_up_sync", "__shfl_down_sync"},
                              {"__shfl_xor_sync", "__shfl_down_sync"}};
constexpr Swap kExtremes[] = {{"fmaxf", "fminf"},         {"fminf", "fmaxf"},         {"max", "min"},  {"min", "max"},
                              {"atomicMax", "atomicMin"}, {"atomicMin", "atomicMax"}, {"fmax", "fmin"}};
constexpr Swap kNarrower[] = {
    {"float", "int"}, {"double", "float"}, {"int", "short"}, {"unsigned", "int"}, {"size_t", "int"}};
constexpr Swap kAxes[] = {{"x", "y"}, {"y", "x"}};
constexpr Swap kThreads[] = {{"threadIdx", "blockIdx"}, {"blockIdx", "threadIdx"}};

std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t value = 0;
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16, text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() ||
      std::string_view(end, text.data() + text.size()).find_first_not_of("uUlL") != std::string_view::npos)
    return std::nullopt;
  return value;
}

class Mutator {
 public:
  explicit Mutator(const std::string& source) : source_(source), tokens_(tokens_of(source)) {}

  std::vector<Mutant> run() {
    read_parameters();
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (tokens_[i].body == Body::None) {
        if (is_constant(i)) whole_number_changed(i);
        continue;
      }
      comparisons(i);
      conditions(i);
      indices(i);
      builtins(i);
      barriers(i);
      arithmetic(i);
      numbers(i);
      sums(i);
      types(i);
      calls(i);
      statements(i);
      launches(i);
      parameters(i);
    }
    return std::move(mutants_);
  }

 private:
  std::string_view text(size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view(); }
  bool is_word(size_t i) const { return i < tokens_.size() && tokens_[i].kind == TokenKind::Word; }
  bool is_operand(size_t i) const {
    return i < tokens_.size() && (tokens_[i].kind == TokenKind::Word || tokens_[i].kind == TokenKind::Number);
  }
  // The end of an operand: what a binary operator can follow.
  bool ends_operand(size_t i) const {
    return (is_operand(i) && !one_of(text(i), kTypes) && text(i) != "return") || text(i) == ")" || text(i) == "]";
  }
  std::string between(size_t first, size_t last) const {  // tokens first … last
    return source_.substr(tokens_[first].begin, tokens_[last].end() - tokens_[first].begin);
  }

  // Tokens first … last become `with`.
  void replace(Operator op, size_t first, size_t last, std::string_view with) {
    const size_t begin = tokens_[first].begin, end = tokens_[last].end();
    Mutant m{.op = op,
             .line = tokens_[first].line,
             .column = tokens_[first].column,
             .before = source_.substr(begin, end - begin),
             .after = std::string(with),
             .source = source_.substr(0, begin) + std::string(with) + source_.substr(end),
             .in_kernel = tokens_[first].body == Body::Device && tokens_[last].body == Body::Device};
    if (m.before != m.after && seen_.insert(m.source).second) mutants_.push_back(std::move(m));
  }

  void comparisons(size_t i) {
    if (auto other = swapped(text(i), kBoundaries)) replace(Operator::CompareBoundary, i, i, *other);
    if (auto other = swapped(text(i), kEqual)) replace(Operator::CompareEqual, i, i, *other);
    if (!one_of(text(i), kComparisons) || text(i) == "!=" || !is_operand(i + 1)) return;
    if (static constexpr std::string_view kEnds[] = {";", ")", "&&", "||", "?"}; one_of(text(i + 2), kEnds))
      for (const char* change : {" + 1", " - 1"})
        replace(Operator::BoundOffByOne, i + 1, i + 1, std::string(text(i + 1)) + change);
  }

  // The first token of the operand that ends before `i`, an `&&` or a `?`.
  size_t operand_begin(size_t i) const {
    static constexpr std::string_view kEdges[] = {"(",  "[",  "{", ",", ";",  "=",  "return",
                                                  "&&", "||", "?", ":", "+=", "<<<"};
    size_t depth = 0;
    while (i > 0) {
      const std::string_view before = text(i - 1);
      if (before == ")" || before == "]")
        ++depth;
      else if (depth == 0 && one_of(before, kEdges))
        break;
      else if (before == "(" || before == "[")
        --depth;
      --i;
    }
    return i;
  }
  // One past the last token of the operand that begins at `i`.
  size_t operand_end(size_t i) const {
    static constexpr std::string_view kEdges[] = {")", "]", "}", ",", ";", "&&", "||", "?", ":", ">>>"};
    while (i < tokens_.size() && !one_of(text(i), kEdges))
      i = text(i) == "(" || text(i) == "[" ? closing(tokens_, i) + 1 : i + 1;
    return i;
  }

  void conditions(size_t i) {
    if (text(i) == "if" && text(i + 1) == "(") {
      const size_t end = closing(tokens_, i + 1);
      if (end < tokens_.size()) {
        replace(Operator::GuardDropped, i + 2, end - 1, "true");
        replace(Operator::GuardClosed, i + 2, end - 1, "false");
      }
    }
    if (auto other = swapped(text(i), kLogic)) replace(Operator::LogicSwapped, i, i, *other);
    if (text(i) == "&&") {
      if (const size_t begin = operand_begin(i); begin < i) replace(Operator::GuardPartDropped, begin, i - 1, "true");
      if (const size_t end = operand_end(i + 1); end > i + 1)
        replace(Operator::GuardPartDropped, i + 1, end - 1, "true");
    }
    if (text(i) == "?") {
      size_t begin = operand_begin(i);
      while (begin > 1 && (text(begin - 1) == "&&" || text(begin - 1) == "||")) begin = operand_begin(begin - 1);
      if (begin < i)
        for (const char* value : {"true", "false"}) replace(Operator::ChoiceFixed, begin, i - 1, value);
    }
  }

  // The first token of the statement that `i` stands in.
  size_t statement_begin(size_t i) const {
    while (i > 0 && text(i - 1) != ";" && text(i - 1) != "{" && text(i - 1) != "}") --i;
    return i;
  }
  bool in_declaration(size_t i) const {
    const size_t begin = statement_begin(i);
    for (size_t k = begin; k < i; ++k)
      if (text(k) == "=" || text(k) == "(") return false;
    return text(begin) == "__shared__" || text(begin) == "extern" || text(begin) == "const" ||
           text(begin) == "constexpr" || one_of(text(begin), kTypes);
  }

  void indices(size_t i) {
    if (text(i) != "[" || in_declaration(i)) return;
    const size_t end = closing(tokens_, i);
    if (end >= tokens_.size() || end == i + 1) return;
    for (const char* change : {" + 1", " - 1"})
      replace(Operator::IndexOffByOne, i + 1, end - 1, between(i + 1, end - 1) + change);
  }

  void builtins(size_t i) {
    if (!one_of(text(i), kBuiltins) || text(i + 1) != ".") return;
    if (auto axis = swapped(text(i + 2), kAxes)) replace(Operator::AxisSwapped, i + 2, i + 2, *axis);
    if (auto other = swapped(text(i), kThreads)) replace(Operator::BlockForThread, i, i, *other);
    if (text(i) == "blockDim") {
      for (const char* size : {"32", "256"}) replace(Operator::BlockSizeAssumed, i, i + 2, size);
      if ((text(i + 3) == "/" && text(i + 4) == "32") || (text(i + 3) == ">>" && text(i + 4) == "5"))
        replace(Operator::WarpsAssumed, i, i + 4, "8");
    }
    if (text(i) == "gridDim") replace(Operator::GridMissing, i, i + 2, "1");
    if (text(i) == "blockIdx") replace(Operator::GridMissing, i, i + 2, "0");
  }

  void barriers(size_t i) {
    const bool block = text(i) == "__syncthreads", warp = text(i) == "__syncwarp";
    if ((!block && !warp) || text(i + 1) != "(") return;
    const size_t end = closing(tokens_, i + 1);
    if (text(end + 1) != ";") return;
    replace(Operator::BarrierDropped, i, end, "");
    if (block) replace(Operator::BarrierDoubled, i, end + 1, "{ __syncthreads(); __syncthreads(); }");
    if (block) replace(Operator::BarrierWeakened, i, i, "__syncwarp");
  }

  void arithmetic(size_t i) {
    if (i == 0 || !ends_operand(i - 1)) return;
    if (auto other = swapped(text(i), kArithmetic)) {
      const bool pointer = text(i) == "*" && (text(i + 1) == "=" || text(i + 1) == ")" || text(i + 1) == ",");
      if (!pointer) replace(Operator::ArithmeticSwapped, i, i, *other);
    }
    static constexpr std::string_view kOrdered[] = {"-", "/", "%", "<", "<=", ">", ">="};
    if (one_of(text(i), kOrdered) && is_operand(i - 1) && is_operand(i + 1) && text(i - 2) != "." &&
        text(i + 2) != "." && text(i + 2) != "[" && text(i + 2) != "(")
      replace(Operator::OperandsSwapped, i - 1, i + 1, fmt::format("{} {} {}", text(i + 1), text(i), text(i - 1)));
    static constexpr std::string_view kBefore[] = {"(", "[", ",", "=", "return", "?", ":"};
    if (text(i) == "%" && is_operand(i - 1) && is_operand(i + 1) && one_of(text(i - 2), kBefore))
      replace(Operator::ModuloAsMask, i - 1, i + 1, fmt::format("({} & ({} - 1))", text(i - 1), text(i + 1)));
    // (n + size - 1) / size and (n + 255) / 256
    if (text(i) == "+" && is_operand(i + 1)) {
      if (text(i + 2) == "-" && text(i + 3) == "1" && text(i + 4) == ")" && text(i + 5) == "/")
        replace(Operator::PartialTileMissing, i, i + 3, "");
      const auto less = whole_number(text(i + 1)), size = whole_number(text(i + 4));
      if (less && size && *less + 1 == *size && text(i + 2) == ")" && text(i + 3) == "/")
        replace(Operator::PartialTileMissing, i, i + 1, "");
    }
  }

  bool is_constant(size_t i) const {
    const std::string_view first = text(statement_begin(i));
    return first == "constexpr" || first == "const" || first == "static" || first == "enum";
  }

  void whole_number_changed(size_t i) {
    if (tokens_[i].kind != TokenKind::Number) return;
    const auto value = whole_number(text(i));
    if (!value || *value > (uint64_t{1} << 31)) return;
    replace(Operator::WholeNumberChanged, i, i, std::to_string(*value + 1));
    if (*value > 0) replace(Operator::WholeNumberChanged, i, i, std::to_string(*value - 1));
    if (*value > 1) replace(Operator::WholeNumberChanged, i, i, std::to_string(*value * 2));
    if (*value > 2) replace(Operator::WholeNumberChanged, i, i, std::to_string(*value / 2));
  }

  void numbers(size_t i) {
    if (text(i) == "INFINITY" || text(i) == "FLT_MAX") {
      const size_t first = text(i - 1) == "-" && !ends_operand(i - 2) ? i - 1 : i;
      replace(Operator::WrongIdentity, first, i, "0.0f");
      replace(Operator::WrongIdentity, first, i, first == i ? "1000.0f" : "-1000.0f");
    }
    if (tokens_[i].kind != TokenKind::Number) return;
    if (text(i) == "0xffffffff" || text(i) == "0xFFFFFFFF" || text(i) == "0xffffffffu")
      return replace(Operator::ShuffleMask, i, i, "0x0000ffff");
    if (whole_number(text(i))) return whole_number_changed(i);
    const std::string digits(text(i));
    const double value = std::strtod(digits.c_str(), nullptr);
    if (value == 0 || !std::isfinite(value)) return;
    const char* suffix = digits.ends_with("f") || digits.ends_with("F") ? "f" : "";
    for (double factor : {2.0, 1.001})
      replace(Operator::RealNumberChanged, i, i, fmt::format("{:#.9g}{}", value * factor, suffix));
  }

  void sums(size_t i) {
    if (text(i) == "+=") replace(Operator::SumOverwritten, i, i, "=");
    if (auto other = swapped(text(i), kSums)) replace(Operator::SumNegated, i, i, *other);
    if (text(i) != "for" || text(i + 1) != "(") return;
    const size_t end = closing(tokens_, i + 1);
    for (size_t k = i; k < end && end < tokens_.size(); ++k)
      if (text(k) == "+=" && k + 1 < end) {
        const size_t last = std::min(operand_end(k + 1), end) - 1;
        replace(Operator::StrideDoubled, k + 1, last, fmt::format("2 * ({})", between(k + 1, last)));
      }
  }

  void types(size_t i) {
    static constexpr std::string_view kAfterName[] = {"=", ";", "[", ","};
    if (auto other = swapped(text(i), kNarrower);
        other && is_word(i + 1) && one_of(text(i + 2), kAfterName) && text(i - 1) != "(" && text(i - 1) != "const")
      replace(Operator::TypeChanged, i, i, *other);
    // float sum = 0, most = -INFINITY;
    const bool declared =
        text(i) == "=" && is_word(i - 1) && (one_of(text(i - 2), kTypes) || in_list_of_declarations(i));
    if (!declared || text(i - 2) == "constexpr") return;
    const size_t value = text(i + 1) == "-" ? i + 2 : i + 1;
    const bool constant =
        value < tokens_.size() && (tokens_[value].kind == TokenKind::Number || text(value) == "INFINITY");
    if (constant && (text(value + 1) == ";" || text(value + 1) == ","))
      replace(Operator::InitialiserDropped, i, value, "");
  }
  bool in_list_of_declarations(size_t i) const {
    if (text(i - 2) != ",") return false;
    const size_t begin = statement_begin(i);
    return one_of(text(begin), kTypes);
  }

  void calls(size_t i) {
    if (auto other = swapped(text(i), kShuffles)) replace(Operator::ShuffleKind, i, i, *other);
    if (auto other = swapped(text(i), kExtremes); other && text(i + 1) == "(")
      replace(Operator::MinimumForMaximum, i, i, *other);
    if (text(i) == "atomicAdd" && text(i + 1) == "(" && text(i + 2) == "&") {
      const size_t end = closing(tokens_, i + 1);
      const size_t comma = operand_end(i + 3);
      if (text(comma) == "," && text(end + 1) == ";" && begins_statement(i))
        replace(Operator::AtomicDropped, i, end,
                fmt::format("{} += {}", between(i + 3, comma - 1), between(comma + 1, end - 1)));
    }
  }

  bool begins_statement(size_t i) const {
    const std::string_view before = text(i - 1);
    if (before == ";" || before == "{" || before == "}" || before == "else") return i > 0 && !in_for_header(i);
    if (before != ")") return false;
    // if (…) statement
    size_t depth = 0, k = i - 1;
    for (;; --k) {
      if (text(k) == ")") ++depth;
      if (text(k) == "(" && --depth == 0) break;
      if (k == 0) return false;
    }
    return k > 0 && (text(k - 1) == "if" || text(k - 1) == "for" || text(k - 1) == "while");
  }
  bool in_for_header(size_t i) const {
    size_t depth = 0;
    for (size_t k = i; k-- > 0 && text(k) != "{" && text(k) != "}";) {
      if (text(k) == ")") ++depth;
      if (text(k) == "(" && depth-- == 0) return true;
    }
    return false;
  }

  void statements(size_t i) {
    static constexpr std::string_view kNot[] = {"if",      "for",    "while",     "else",          "do",
                                                "switch",  "case",   "cudaFree",  "__syncthreads", "__syncwarp",
                                                "default", "static", "extern",    "__shared__",    "const",
                                                "using",   "struct", "constexpr", "union",         "namespace"};
    if (!(is_word(i) || text(i) == "*" || text(i) == "++" || text(i) == "--") || !begins_statement(i)) return;
    if (one_of(text(i), kNot) || one_of(text(i), kTypes) || (is_word(i) && is_word(i + 1) && text(i) != "return"))
      return;
    size_t end = i;
    while (end < tokens_.size() && text(end) != ";")
      end = text(end) == "(" || text(end) == "[" || text(end) == "{" ? closing(tokens_, end) + 1 : end + 1;
    if (end < tokens_.size() && end > i) replace(Operator::StatementDropped, i, end - 1, "");
  }

  void launches(size_t i) {
    if (text(i) != "<<<") return;
    const size_t comma = operand_end(i + 1), end = operand_end(comma + 1);
    if (text(comma) != ",") return;
    const std::string blocks = between(i + 1, comma - 1), threads = between(comma + 1, end - 1);
    replace(Operator::LaunchBlocks, i + 1, comma - 1, "1");
    for (const char* change : {" + 1", " - 1"}) replace(Operator::LaunchBlocks, i + 1, comma - 1, blocks + change);
    replace(Operator::LaunchThreads, comma + 1, end - 1, "32");
    replace(Operator::LaunchThreads, comma + 1, end - 1, threads + " + 1");
  }

  // A parameter of a function: whole numbers and arrays.
  struct Known {
    size_t function;
    std::string_view name;
    std::string type;
    bool array;
  };

  void read_parameters() {
    for (size_t i = 1; i < tokens_.size(); ++i) {
      if (text(i) != "{" || tokens_[i].function == 0 || tokens_[i - 1].function == tokens_[i].function) continue;
      size_t open = i, depth = 0;
      while (open-- > 0) {
        if (text(open) == ")") ++depth;
        if (text(open) == "(" && --depth == 0) break;
      }
      std::string type;
      for (size_t k = open + 1; k < i; ++k) {
        if (is_word(k) && (text(k + 1) == "," || text(k + 1) == ")")) {
          const bool array = type.find('*') != std::string::npos;
          if (array || type == "int " || type == "unsigned ")
            known_.push_back({tokens_[i].function, text(k), type, array});
          type.clear();
        } else if (text(k) != "," && text(k) != "__restrict__") {
          type += text(k);
          type += ' ';
        }
      }
    }
  }

  void parameters(size_t i) {
    if (!is_word(i) || text(i - 1) == "." || text(i - 1) == "->") return;
    for (size_t k = 0; k < known_.size(); ++k) {
      if (known_[k].function != tokens_[i].function || known_[k].name != text(i)) continue;
      // The next of its type; the first comes after the last.
      std::vector<const Known*> same;
      size_t own = 0;
      for (const Known& other : known_)
        if (other.function == known_[k].function && other.type == known_[k].type) {
          if (&other == &known_[k]) own = same.size();
          same.push_back(&other);
        }
      if (same.size() > 1)
        replace(known_[k].array ? Operator::ArraysSwapped : Operator::SizesSwapped, i, i,
                same[(own + 1) % same.size()]->name);
    }
  }

  const std::string& source_;
  const std::vector<Token> tokens_;
  std::vector<Known> known_;
  std::vector<Mutant> mutants_;
  std::set<std::string> seen_;
};

// Lines of a text, from number `first` on, that the range [begin, end) touches.
std::string lines_at(const std::string& text, size_t begin, size_t end, char mark) {
  begin = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
  end = std::min(text.find('\n', end), text.size());
  std::string out;
  for (size_t at = begin; at <= end && at < text.size();) {
    const size_t stop = std::min(text.find('\n', at), text.size());
    out += fmt::format("{} {}\n", mark, text.substr(at, stop - at));
    at = stop + 1;
  }
  return out;
}

}  // namespace

std::string_view name_of(Operator op) { return kNames[size_t(op)].name; }
std::string_view about(Operator op) { return kNames[size_t(op)].about; }

std::vector<Mutant> mutants_of(const std::string& source) { return Mutator(source).run(); }

std::string difference(const std::string& original, const Mutant& mutant) {
  size_t begin = 0;
  for (unsigned line = 1; line < mutant.line; ++line) begin = original.find('\n', begin) + 1;
  begin += mutant.column - 1;
  return lines_at(original, begin, begin + mutant.before.size(), '-') +
         lines_at(mutant.source, begin, begin + mutant.after.size(), '+');
}

}  // namespace warpwise::mutants
