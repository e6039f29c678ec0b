// problem.toml to a Problem.
#include <fmt/format.h>

#include <algorithm>

#include "lab/problem/problem.h"
#include "lab/problem/read_parameter.h"
#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

constexpr double kKernelSeconds = 2, kSolveSeconds = 10;

constexpr std::string_view kTypes[] = {
#define X(name, spelling, type) spelling,
    WARPWISE_PROBLEM_TYPES(X)
#undef X
};
constexpr std::string_view kKinds[] = {"kernel", "solve"};
constexpr std::string_view kLevels[] = {"puzzle", "easy", "medium", "hard"};

class ProblemReader {
 public:
  explicit ProblemReader(Problem& problem) : p_(problem) {}

  void read(TomlTable& top) {
    top.expect_format(1);
    p_.title = top.text("title");
    p_.number = int(top.number("number"));
    p_.level = top.choice<Level>("level", kLevels);
    p_.kind = top.choice<Kind>("kind", kKinds);
    p_.chapter = top.text("chapter");
    p_.place = int(top.number("place"));
    p_.idea = top.text("idea");
    p_.needs = top.texts("needs");
    p_.entry = p_.kind == Kind::Kernel ? top.text("entry") : top.maybe_text("entry").value_or("solve");
    for (TomlTable& t : top.tables("parameter")) parameter(t);
    if (p_.parameters.empty()) top.mistake("there is no [[parameter]]");
    p_.derived = top.expressions("derived");
    cases_ = top.tables("case");
    for (TomlTable& t : cases_) one_case(t);
    if (p_.cases.empty()) top.mistake("there is no [[case]]");
    p_.shrink = top.each("shrink", &TomlTable::number);
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
    if (top.good()) check(top);
  }

 private:
  void parameter(TomlTable& t) {
    Parameter p;
    read_parameter(t, p);
    p.zeroed = t.flag("zeroed");
    p.checker = t.flag("checker");
    if (auto own = t.maybe_table("tolerance")) p.tolerance = tolerance(*own);
    t.finish();
    p.type = element_of<ElementType>(t, p, kTypes, "problem");
    check_parameter(t, p, is_float(p.type));
    if (!p.is_output() && (p.zeroed || p.checker || p.tolerance))
      t.mistake("`zeroed`, `checker` and `tolerance` belong to outputs");
    append_row(t, p_.parameters, std::move(p), "parameter");
  }

  void one_case(TomlTable& t) {
    CaseSpec c;
    c.name = t.text("name");
    t.rename(fmt::format("[[case]] `{}`", c.name));
    c.sizes = t.each("sizes", [this](TomlTable& sizes, const std::string& name) { return size(sizes, name); });
    c.scalars = t.each("scalars", [](TomlTable& scalars, const std::string& name) { return scalars.real(name, 0); });
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
    append_row(t, p_.cases, std::move(c), "case");
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
    if (std::ranges::none_of(p_.parameters, &Parameter::is_output)) return top.mistake("no parameter is an output");
    // Kernels and launches are the submission's own: there is no thread of the problem's to count for.
    if (const BudgetRule* rule = p_.kind == Kind::Solve ? find_budget([](const BudgetRule& r) {
          return r.counter <= Counter::UnorderedReads;
        })
                                                        : nullptr)
      return top.mistake(
          fmt::format("`{}` belongs to problems of kind `kernel`; a solve problem has totals", name_of(rule->counter)));
    for (size_t i = 0; i < p_.cases.size(); ++i) {
      const CaseSpec& c = p_.cases[i];
      for (const auto& [name, value] : c.scalars)
        if (const Parameter* p = find_row(p_.parameters, name); !p || p->role != Role::Scalar)
          cases_[i].mistake(fmt::format("no parameter `{}` of role scalar", name));
      for (bool largest : {false, true}) {
        Numbers sizes;
        for (const auto& [name, range] : c.sizes) sizes[name] = largest ? range.high : range.low;
        if (auto fits = evaluate_all(c, sizes); !fits) cases_[i].mistake(fits.error().message);
      }
    }
    if (std::ranges::count_if(p_.cases, &CaseSpec::timed) > 1) top.mistake("only one case may be timed");
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
  std::vector<TomlTable> cases_;  // where mistakes of a case are
};

}  // namespace

std::string_view name_of(Kind kind) { return kKinds[size_t(kind)]; }
std::string_view name_of(Level level) { return kLevels[size_t(level)]; }
std::string_view name_of(ElementType type) { return kTypes[size_t(type)]; }

Result<Problem> load_problem(const fs::path& folder, std::string slug) {
  return parse_problem(TRY(toolchain::read_file(folder / "problem.toml")), folder, std::move(slug));
}

Result<Problem> parse_problem(std::string_view text, const fs::path& folder, std::string slug) {
  TomlFile file = TRY(parse_toml(text, folder / "problem.toml", "L0001"));
  Problem problem;
  problem.folder = folder;
  problem.slug = std::move(slug);
  TomlTable top = file.top();
  ProblemReader(problem).read(top);
  TRY(file.result());
  return problem;
}

}  // namespace warpwise::lab
