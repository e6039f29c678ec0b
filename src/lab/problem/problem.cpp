#include "lab/problem/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lab/problem/toml_table.h"
#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAxes[] = {"x", "y", "z"};
constexpr double kKernelSeconds = 2, kSolveSeconds = 10;

struct TypeRow {
  std::string_view name;
  size_t bytes;
};
constexpr TypeRow kTypes[] = {
#define X(name, spelling, type) {spelling, sizeof(type)},
    WARPWISE_PROBLEM_TYPES(X)
#undef X
};

// How C++ spells the element types beside the names of problem.h.
struct Spelling {
  std::string_view spelling;
  ElementType type;
};
constexpr Spelling kSpellings[] = {
    {"__half", ElementType::Half},
    {"int", ElementType::Int32},
    {"unsigned", ElementType::UInt32},
    {"unsigned int", ElementType::UInt32},
    {"signed char", ElementType::Int8},
    {"char", ElementType::Int8},
    {"unsigned char", ElementType::UInt8},
    {"short", ElementType::Int16},
    {"unsigned short", ElementType::UInt16},
    {"long long", ElementType::Int64},
    {"unsigned long long", ElementType::UInt64},
    {"size_t", ElementType::UInt64},
};

std::optional<ElementType> find_type(std::string_view spelling) {
  for (size_t i = 0; i < std::size(kTypes); ++i)
    if (kTypes[i].name == spelling) return ElementType(i);
  for (const Spelling& s : kSpellings)
    if (s.spelling == spelling) return s.type;
  return std::nullopt;
}

template <class Enum, size_t n>
std::optional<Enum> find_name(const std::string_view (&names)[n], std::string_view name) {
  for (size_t i = 0; i < n; ++i)
    if (names[i] == name) return Enum(i);
  return std::nullopt;
}
constexpr std::string_view kKinds[] = {"kernel", "solve"};
constexpr std::string_view kLevels[] = {"puzzle", "easy", "medium", "hard"};
constexpr std::string_view kRoles[] = {"input", "output", "inout", "scratch", "size", "scalar"};

class ProblemReader {
 public:
  ProblemReader(Problem& problem, TomlMistakes& mistakes) : p_(problem), mistakes_(mistakes) {}

  void read(TomlTable& top) {
    if (int64_t format = top.number("format"); mistakes_.first.empty() && format != 1)
      top.mistake(fmt::format("format {} is not known: this version reads format 1", format));
    p_.title = top.text("title");
    p_.number = int(top.number("number"));
    p_.level = choice<Level>(top, "level", kLevels);
    p_.kind = choice<Kind>(top, "kind", kKinds);
    p_.chapter = top.text("chapter");
    p_.place = int(top.number("place"));
    p_.idea = top.text("idea");
    p_.needs = top.texts("needs");
    p_.entry = p_.kind == Kind::Kernel ? top.text("entry") : top.maybe_text("entry").value_or("solve");
    for (TomlTable& t : top.tables("parameter")) parameter(t);
    if (p_.parameters.empty()) top.mistake("there is no [[parameter]]");
    if (auto t = top.maybe_table("derived")) {
      for (const std::string& name : t->keys())
        if (auto text = t->maybe_expression(name)) derived_.emplace_back(name, *text);
      order_derived(*t);
    }
    for (TomlTable& t : top.tables("case")) one_case(t);
    if (p_.cases.empty()) top.mistake("there is no [[case]]");
    if (auto t = top.maybe_table("shrink")) {
      for (const std::string& name : t->keys()) p_.shrink[name] = t->number(name);
      t->finish();
    }
    if (auto t = top.maybe_table("tolerance")) p_.tolerance = tolerance(*t);
    if (auto t = top.maybe_table("budget")) p_.budget = budget(*t);
    p_.seconds = p_.kind == Kind::Kernel ? kKernelSeconds : kSolveSeconds;
    if (auto t = top.maybe_table("limits")) {
      p_.seconds = t->real("seconds", p_.seconds);
      t->finish();
    }
    if (auto t = top.maybe_table("forbidden")) {
      p_.forbidden.names = t->texts("names");
      p_.forbidden.includes = t->texts("includes");
      p_.forbidden.why = t->text("why");
      t->finish();
    }
    top.finish();
    if (mistakes_.first.empty()) check(top);
  }

 private:
  template <class Enum, size_t n>
  Enum choice(TomlTable& t, std::string_view key, const std::string_view (&names)[n]) {
    const std::string word = t.text(key);
    if (auto found = find_name<Enum>(names, word)) return *found;
    if (t.has(key)) t.mistake(fmt::format("`{}` is not a {}: {} are", word, key, fmt::join(names, ", ")));
    return Enum(0);
  }

  void parameter(TomlTable& t) {
    Parameter p;
    p.name = t.text("name");
    t.rename(fmt::format("[[parameter]] `{}`", p.name));
    p.spelling = t.text("type");
    p.role = choice<Role>(t, "role", kRoles);
    p.count = t.maybe_expression("count").value_or("");
    p.zeroed = t.flag("zeroed");
    p.checker = t.flag("checker");
    if (auto own = t.maybe_table("tolerance")) p.tolerance = tolerance(*own);
    t.finish();

    std::string_view spelling = p.spelling;
    const bool constant = spelling.starts_with("const ");
    if (constant) spelling.remove_prefix(6);
    p.pointer = spelling.ends_with("*");
    if (p.pointer) spelling.remove_suffix(1);
    while (spelling.ends_with(" ")) spelling.remove_suffix(1);
    if (auto type = find_type(spelling))
      p.type = *type;
    else
      t.mistake(fmt::format("`{}` is not a type that a problem can have", p.spelling));
    const bool scalar = p.role == Role::Size || p.role == Role::Scalar;
    if (scalar && p.pointer) t.mistake(fmt::format("a {} is not a pointer", kRoles[size_t(p.role)]));
    if (!scalar && !p.pointer) t.mistake("arrays are pointers: `const float*`");
    if (p.pointer && p.count.empty()) t.mistake("`count` is missing: how many elements, as an expression");
    if (!p.pointer && !p.count.empty()) t.mistake("`count` belongs to arrays");
    if (p.is_output() && constant) t.mistake("an output cannot be `const`");
    if (!p.is_output() && (p.zeroed || p.checker || p.tolerance))
      t.mistake("`zeroed`, `checker` and `tolerance` belong to outputs");
    if (p.role == Role::Size && is_float(p.type)) t.mistake("a size is an integer");
    for (const Parameter& other : p_.parameters)
      if (other.name == p.name) t.mistake("another parameter has this name");
    p_.parameters.push_back(std::move(p));
  }

  // toml++ sorts keys; the file's order is by line. An expression may use those above it.
  void order_derived(TomlTable& t) {
    std::stable_sort(derived_.begin(), derived_.end(),
                     [&](const auto& a, const auto& b) { return position(t, a.first) < position(t, b.first); });
    p_.derived = derived_;
    t.finish();
  }
  static std::pair<uint32_t, uint32_t> position(TomlTable& t, const std::string& key) {
    const auto begin = t.node(key)->source().begin;
    return {begin.line, begin.column};
  }

  void one_case(TomlTable& t) {
    CaseSpec c;
    c.name = t.text("name");
    t.rename(fmt::format("[[case]] `{}`", c.name));
    if (auto sizes = t.maybe_table("sizes")) {
      for (const std::string& name : sizes->keys()) c.sizes[name] = size(*sizes, name);
      sizes->finish();
    }
    if (auto scalars = t.maybe_table("scalars")) {
      for (const std::string& name : scalars->keys()) c.scalars[name] = scalars->real(name, 0);
      scalars->finish();
    }
    if (p_.kind == Kind::Kernel) {
      dimensions(t, "grid", c.grid);
      dimensions(t, "block", c.block);
      c.shared_bytes = t.maybe_expression("shared_bytes").value_or("0");
    }
    c.data = t.maybe_text("data").value_or("");
    c.sample = t.flag("sample");
    c.shuffle = t.flag("shuffle");
    c.timed = t.flag("timed");
    c.may_shrink = t.flag("shrink", true);
    if (auto limits = t.maybe_table("budget")) c.budget = budget(*limits);
    t.finish();
    for (const CaseSpec& other : p_.cases)
      if (other.name == c.name) t.mistake("another case has this name");
    p_.cases.push_back(std::move(c));
  }

  SizeRange size(TomlTable& t, const std::string& name) {
    const toml::node* n = t.node(name);
    if (n->is_integer()) return {*n->value<int64_t>(), *n->value<int64_t>()};
    const toml::array* pair = n->as_array();
    if (pair && pair->size() == 2 && (*pair)[0].is_integer() && (*pair)[1].is_integer()) {
      SizeRange range{*(*pair)[0].value<int64_t>(), *(*pair)[1].value<int64_t>()};
      if (range.low <= range.high) return range;
    }
    t.wrong_kind(*n, name, "a whole number, or the smallest and the largest to draw from");
    return {};
  }

  void dimensions(TomlTable& t, std::string_view key, std::array<std::string, 3>& out) {
    const toml::node* n = t.node(key);
    const toml::array* list = n ? n->as_array() : nullptr;
    if (!list || list->empty() || list->size() > 3) {
      t.mistake(fmt::format("`{}` takes one to three numbers or expressions: [256]", key));
      return;
    }
    for (size_t i = 0; i < list->size(); ++i) {
      const toml::node& item = (*list)[i];
      if (item.is_integer())
        out[i] = std::to_string(*item.value<int64_t>());
      else if (item.is_string())
        out[i] = *item.value<std::string>();
      else
        t.wrong_kind(item, key, "numbers or expressions in quotes");
    }
  }

  Tolerance tolerance(TomlTable& t) {
    Tolerance out;
    out.ulp = t.real("ulp", 0);
    out.absolute = t.real("absolute", 0);
    out.relative = t.real("relative", 0);
    out.bound = t.flag("bound");
    out.half_is_enough = t.flag("half_is_enough");
    if (!(out.ulp >= 0 && out.absolute >= 0 && out.relative >= 0)) t.mistake("tolerances are not negative");
    t.finish();
    return out;
  }

  std::vector<BudgetRule> budget(TomlTable& t) {
    std::vector<BudgetRule> rules;
    for (const std::string& key : t.keys()) {
      constexpr std::string_view kLeast = "least_";
      const bool least = key.starts_with(kLeast);
      const std::string_view name = least ? std::string_view(key).substr(kLeast.size()) : std::string_view(key);
      auto counter = find_counter(name);
      if (!counter) {
        std::vector<std::string_view> names;
        for (size_t i = 0; i < kCounters; ++i) names.push_back(name_of(Counter(i)));
        t.mistake(fmt::format("nothing called `{}` is counted{}", name, did_you_mean(name, names)));
        return rules;
      }
      if (auto limit = t.maybe_expression(key)) rules.push_back({*counter, least, *limit});
    }
    t.finish();
    return rules;
  }

  // What needs the whole file: every name is known, and every expression has a value in every case.
  void check(TomlTable& top) {
    size_t outputs = 0, timed = 0;
    for (const Parameter& p : p_.parameters) outputs += p.is_output();
    if (!outputs) return top.mistake("no parameter is an output");
    // Kernels and launches are the submission's own: there is no thread of the problem's to count for.
    if (const BudgetRule* rule = p_.kind == Kind::Solve
                                     ? find_budget([](const BudgetRule& r) { return r.counter <= Counter::Barriers; })
                                     : nullptr)
      return top.mistake(
          fmt::format("`{}` belongs to problems of kind `kernel`; a solve problem has totals", name_of(rule->counter)));
    for (const CaseSpec& c : p_.cases) {
      timed += c.timed;
      for (const auto& [name, value] : c.scalars)
        if (!is_parameter(name, Role::Scalar))
          return top.mistake(fmt::format("case `{}`: no parameter `{}` of role scalar", c.name, name));
      for (bool largest : {false, true}) {
        Numbers sizes;
        for (const auto& [name, range] : c.sizes) sizes[name] = largest ? range.high : range.low;
        if (auto fits = evaluate_all(c, sizes); !fits)
          return top.mistake(fmt::format("case `{}`: {}", c.name, fits.error().message));
      }
    }
    if (timed > 1) top.mistake("only one case may be timed");
    for (const auto& [name, least] : p_.shrink)
      if (!p_.cases[0].sizes.contains(name)) top.mistake(fmt::format("[shrink]: no size is called `{}`", name));
  }
  template <class Wanted>
  const BudgetRule* find_budget(Wanted wanted) const {
    for (const BudgetRule& rule : p_.budget)
      if (wanted(rule)) return &rule;
    for (const CaseSpec& c : p_.cases)
      for (const BudgetRule& rule : c.budget)
        if (wanted(rule)) return &rule;
    return nullptr;
  }
  bool is_parameter(std::string_view name, Role role) const {
    return std::any_of(p_.parameters.begin(), p_.parameters.end(),
                       [&](const Parameter& p) { return p.name == name && p.role == role; });
  }
  Result<void> evaluate_all(const CaseSpec& c, const Numbers& sizes) {
    CaseShape shape = TRY(shape_of(p_, c, sizes));
    for (const Parameter& p : p_.parameters) {
      if (p.role == Role::Size) TRY(evaluate(p.name, shape.names));
      if (p.pointer && TRY(evaluate(p.count, shape.names)) < 0)
        return Error{"L0003", fmt::format("`{}` has a negative number of elements", p.name)};
    }
    for (const BudgetRule& rule : p_.budget) TRY(evaluate(rule.limit, shape.names));
    for (const BudgetRule& rule : c.budget) TRY(evaluate(rule.limit, shape.names));
    return {};
  }

  Problem& p_;
  TomlMistakes& mistakes_;
  std::vector<std::pair<std::string, std::string>> derived_;
};

}  // namespace

std::string_view name_of(Kind kind) { return kKinds[size_t(kind)]; }
std::string_view name_of(Level level) { return kLevels[size_t(level)]; }
std::string_view name_of(Role role) { return kRoles[size_t(role)]; }
std::string_view name_of(ElementType type) { return kTypes[size_t(type)].name; }
size_t bytes_of(ElementType type) { return kTypes[size_t(type)].bytes; }
bool is_float(ElementType type) {
  return type == ElementType::Float || type == ElementType::Double || type == ElementType::Half;
}

std::string Problem::signature() const {
  std::string text = fmt::format("{} {}(", kind == Kind::Kernel ? "__global__ void" : "extern \"C\" void", entry);
  for (size_t i = 0; i < parameters.size(); ++i)
    text += fmt::format("{}{} {}", i ? ", " : "", parameters[i].spelling, parameters[i].name);
  return text + ")";
}

bool Problem::has_samples() const {
  return std::any_of(cases.begin(), cases.end(), [](const CaseSpec& c) { return c.sample; });
}

Result<CaseShape> shape_of(const Problem& problem, const CaseSpec& spec, const Numbers& sizes) {
  constexpr int64_t kMostThreads = 1024;  // of a block: CUDA programming guide, technical specifications
  CaseShape shape{.names = sizes, .launch = {}};
  for (const auto& [name, expression] : problem.derived) shape.names[name] = TRY(evaluate(expression, shape.names));
  if (problem.kind == Kind::Solve) return shape;
  for (auto [what, texts, out] :
       {std::tuple("block", &spec.block, &shape.launch.block), {"grid", &spec.grid, &shape.launch.grid}})
    for (size_t axis = 0; axis < 3; ++axis) {
      int64_t value = TRY(evaluate((*texts)[axis], shape.names));
      if (value < 1 || value > (what == std::string_view("block") ? kMostThreads : INT32_MAX))
        return Error{"L0003", fmt::format("`{}` is {} in {}, which no launch can have", what, value, kAxes[axis])};
      (*out)[axis] = uint32_t(value);
      shape.names[fmt::format("{}_{}", what, kAxes[axis])] = value;
    }
  const auto& block = shape.launch.block;
  if (uint64_t{block[0]} * block[1] * block[2] > kMostThreads)
    return Error{"L0003", fmt::format("a block of {} threads: the most is {}", uint64_t{block[0]} * block[1] * block[2],
                                      kMostThreads)};
  int64_t shared = TRY(evaluate(spec.shared_bytes, shape.names));
  if (shared < 0 || shared > 227 << 10) return Error{"L0003", fmt::format("`shared_bytes` is {}", shared)};
  shape.launch.shared_bytes = uint32_t(shared);
  return shape;
}

Result<Problem> load_problem(const fs::path& folder, std::string slug) {
  return parse_problem(TRY(toolchain::read_file(folder / "problem.toml")), folder, std::move(slug));
}

Result<Problem> parse_problem(std::string_view text, const fs::path& folder, std::string slug) {
  const fs::path file = folder / "problem.toml";
  toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return Error{"L0001", fmt::format("{}:{}: {}", file.string(), parsed.error().source().begin.line,
                                      parsed.error().description())};
  Problem problem;
  problem.folder = folder;
  problem.slug = std::move(slug);
  TomlMistakes mistakes{file.string(), ""};
  TomlTable top(parsed.table(), mistakes, "");
  ProblemReader(problem, mistakes).read(top);
  if (!mistakes.first.empty()) return Error{"L0001", mistakes.first};
  return problem;
}

}  // namespace warpwise::lab
