#include "lab/mutants/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/problem/expression.h"
#include "lab/problem/toml_table.h"
#include "toolchain/files.h"

namespace warpwise::mutants {
namespace {

using lab::CaseSpec;
using lab::Numbers;
using lab::Problem;
using problem::Random;

std::string expression(const toml::node& node) {
  if (node.is_integer()) return std::to_string(*node.value<int64_t>());
  return node.value<std::string>().value_or("");
}

std::optional<Sweep::Draw> read_draw(const toml::node& node) {
  const toml::array* list = node.as_array();
  if (!list || list->size() < 2 || !(*list)[0].is_string()) return std::nullopt;
  Sweep::Draw draw{.name = *(*list)[0].value<std::string>(), .least = {}, .greatest = {}, .values = {}};
  if (const toml::array* values = (*list)[1].as_array()) {
    for (const toml::node& value : *values) draw.values.push_back(value.value<int64_t>().value_or(0));
    return draw.values.empty() || list->size() != 2 ? std::nullopt : std::optional(draw);
  }
  if (list->size() != 3) return std::nullopt;
  draw.least = expression((*list)[1]);
  draw.greatest = expression((*list)[2]);
  return draw.least.empty() || draw.greatest.empty() ? std::nullopt : std::optional(draw);
}

void read_dimensions(lab::TomlTable& table, std::string_view key, std::array<std::string, 3>& out) {
  if (!table.has(key)) return;
  const std::vector<std::string> texts = table.texts(key);
  if (texts.empty() || texts.size() > out.size())
    table.mistake(fmt::format("`{}` takes one to three expressions", key));
  std::copy_n(texts.begin(), std::min(texts.size(), out.size()), out.begin());
}

Sweep read_sweep(lab::TomlTable& table) {
  Sweep sweep;
  const toml::node* draws = table.node("draw");
  if (!draws || !draws->is_array())
    table.mistake("`draw` is missing: [[\"n\", 1, 100]]");
  else
    for (const toml::node& node : *draws->as_array()) {
      if (auto draw = read_draw(node))
        sweep.draws.push_back(std::move(*draw));
      else
        table.mistake("a draw is a name and its least and greatest value, or a name and its values");
    }
  if (auto sizes = table.maybe_table("sizes")) {
    for (const std::string& name : sizes->keys()) sweep.sizes.emplace_back(name, sizes->text(name));
    sizes->finish();
  }
  read_dimensions(table, "grid", sweep.grid);
  read_dimensions(table, "block", sweep.block);
  if (table.has("data")) sweep.data = table.texts("data");
  table.finish();
  return sweep;
}

// Numbers between two others, those more often at which kernels go wrong: the ends, small ones, and those beside
// multiples of powers of two.
int64_t draw_between(int64_t least, int64_t greatest, Random& random) {
  if (least >= greatest) return least;
  const int64_t range = greatest - least;
  int64_t value = random.integer(least, greatest);
  switch (random.integer(0, 3)) {
    case 0:
      break;
    case 1:  // evenly on a logarithmic scale
      value = least + int64_t(std::exp(random.uniform(0, std::log(double(range) + 1)))) - 1;
      break;
    case 2: {
      const int64_t power = int64_t{1} << random.integer(0, 8);
      value = value / power * power + random.integer(-1, 1);
      break;
    }
    default:
      value = random.chance(0.5) ? least + random.integer(0, std::min<int64_t>(range, 2))
                                 : greatest - random.integer(0, std::min<int64_t>(range, 1));
  }
  return std::clamp(value, least, greatest);
}

Result<Numbers> draw_numbers(const Sweep& sweep, Random& random) {
  Numbers numbers;
  for (const Sweep::Draw& draw : sweep.draws) {
    int64_t value = 0;
    if (!draw.values.empty())
      value = draw.values[size_t(random.integer(0, int64_t(draw.values.size()) - 1))];
    else
      value = draw_between(TRY(lab::evaluate(draw.least, numbers)), TRY(lab::evaluate(draw.greatest, numbers)), random);
    numbers[draw.name] = value;
  }
  for (const auto& [name, expression] : sweep.sizes) numbers[name] = TRY(lab::evaluate(expression, numbers));
  return numbers;
}

}  // namespace

Result<std::map<std::string, Sweep>> read_sweeps(const std::filesystem::path& file) {
  lab::TomlFile parsed = TRY(lab::parse_toml(TRY(toolchain::read_file(file)), file, "L0001"));
  lab::TomlTable top = parsed.top();
  std::map<std::string, Sweep> sweeps;
  for (const std::string& slug : top.keys())
    if (auto table = top.maybe_table(slug)) sweeps[slug] = read_sweep(*table);
  TRY(parsed.result());
  return sweeps;
}

Result<Problem> swept(const Problem& problem, const Sweep& sweep, uint64_t seed, unsigned count) {
  Random random(seed);
  std::vector<const CaseSpec*> own;
  for (const CaseSpec& c : problem.cases)
    if (!c.timed && (!sweep.data || std::find(sweep.data->begin(), sweep.data->end(), c.data) != sweep.data->end()))
      own.push_back(&c);
  if (own.empty()) return Error{"L0001", fmt::format("`{}`: no case has inputs of the sweep", problem.slug)};
  Problem out = problem;
  out.cases.clear();
  for (unsigned i = 0; i < count; ++i) {
    CaseSpec c = *own[size_t(random.integer(0, int64_t(own.size()) - 1))];
    const Numbers numbers = TRY(draw_numbers(sweep, random));
    for (auto& [name, range] : c.sizes) {
      const auto drawn = numbers.find(name);
      if (drawn == numbers.end())
        return Error{"L0001", fmt::format("`{}`: the sweep gives no `{}`", problem.slug, name)};
      range = {drawn->second, drawn->second};
    }
    if (problem.kind == lab::Kind::Kernel)
      for (auto [texts, out_texts] : {std::pair(&sweep.grid, &c.grid), {&sweep.block, &c.block}})
        for (size_t axis = 0; axis < 3; ++axis)
          (*out_texts)[axis] = std::to_string(TRY(lab::evaluate((*texts)[axis], numbers)));
    c.name = fmt::format("sweep {}", i + 1);
    c.shuffle = i % 2 == 1;
    c.sample = c.timed = c.may_shrink = false;
    out.cases.push_back(std::move(c));
  }
  return out;
}

}  // namespace warpwise::mutants
