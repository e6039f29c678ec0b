// ladder.toml to a Ladder, and the versions that stand beside it.
#include <fmt/format.h>

#include <algorithm>

#include "bench/ladder/ladder.h"
#include "bench/ladder/step_head.h"
#include "lab/problem/read_parameter.h"
#include "toolchain/files.h"

namespace warpwise::bench {
namespace {

namespace fs = std::filesystem;
using lab::TomlTable;

constexpr std::string_view kUnits[] = {"fp32",        "fp64",      "fp16",        "tensor_f16",
                                       "tensor_tf32", "tensor_f8", "tensor_int8", "tensor_f64"};

constexpr std::string_view kElements[] = {
#define X(name, spelling, type) spelling,
    WARPWISE_BENCH_ELEMENTS(X)
#undef X
};

class LadderReader {
 public:
  explicit LadderReader(Ladder& ladder) : l_(ladder) {}

  void read(TomlTable& top) {
    top.expect_format(1);
    l_.title = top.text("title");
    for (TomlTable& t : top.tables("parameter")) parameter(t);
    l_.derived = top.expressions("derived");
    if (auto t = top.maybe_table("tolerance")) l_.tolerance = tolerance(*t);
    shapes_ = top.tables("shape");
    for (TomlTable& t : shapes_) shape(t);
    if (auto t = top.maybe_table("work")) {
      l_.bytes = t->maybe_expression("bytes").value_or("");
      l_.flops = t->maybe_expression("flops").value_or("0");
      if (t->has("unit")) l_.unit = t->choice<Unit>("unit", kUnits);
      if (l_.bytes.empty()) t->mistake("`bytes` is missing: what must at least be moved, an expression");
      t->finish();
    } else {
      top.mistake("there is no [work]: bytes and flops");
    }
    top.finish();
    if (top.good()) check(top);
  }

 private:
  void parameter(TomlTable& t) {
    Parameter p;
    read_parameter(t, p);
    p.data = t.maybe_text("data").value_or("");
    const bool has_value = t.has("value");
    p.value = t.real("value", 0);
    p.zeroed = t.flag("zeroed");
    if (auto own = t.maybe_table("tolerance")) p.tolerance = tolerance(*own);
    t.finish();
    p.element = element_of<Element>(t, p, kElements, "ladder");
    check_parameter(t, p, is_float(p.element));
    if (p.is_number() && is_float(p.element) && p.element != Element::Float && p.element != Element::Double)
      t.mistake("a number has a type of C++: `float`");
    if (!p.data.empty() && !p.is_input()) t.mistake("`data` belongs to inputs");
    if (has_value && p.role != Role::Scalar) t.mistake("`value` belongs to scalars");
    if (p.zeroed && p.role != Role::Output && p.role != Role::Scratch)
      t.mistake("`zeroed` belongs to outputs and scratch");
    if (p.tolerance && !p.is_output()) t.mistake("`tolerance` belongs to outputs");
    append_row(t, l_.parameters, std::move(p), "parameter");
    if (l_.parameters.size() > bench_worker::kMostArguments)
      t.mistake(fmt::format("more than {} parameters", bench_worker::kMostArguments));
  }

  void shape(TomlTable& t) {
    Shape s;
    s.name = t.text("name");
    t.rename(fmt::format("[[shape]] `{}`", s.name));
    s.sizes = t.each("sizes", &TomlTable::number);
    s.scalars = t.each("scalars", [](TomlTable& scalars, const std::string& name) { return scalars.real(name, 0); });
    s.data = t.each("data", &TomlTable::text);
    if (auto own = t.maybe_table("tolerance")) s.tolerance = tolerance(*own);
    s.small = t.flag("small");
    t.finish();
    append_row(t, l_.shapes, std::move(s), "shape");
  }

  Tolerance tolerance(TomlTable& t) {
    const Tolerance out{t.real("absolute", 0), t.real("relative", 0)};
    if (!(out.absolute >= 0 && out.relative >= 0)) t.mistake("tolerances are not negative");
    t.finish();
    return out;
  }

  // What needs the whole file.
  void check(TomlTable& top) {
    if (std::ranges::none_of(l_.parameters, &Parameter::is_output)) return top.mistake("no parameter is an output");
    for (bool small : {true, false})
      if (std::ranges::none_of(l_.shapes, [&](const Shape& s) { return s.small == small; }))
        return top.mistake(small ? "no [[shape]] is `small`: the virtual GPU has nothing to run"
                                 : "every [[shape]] is `small`: a GPU has nothing to measure");
    for (size_t i = 0; i < l_.shapes.size(); ++i) {
      const Shape& s = l_.shapes[i];
      for (const auto& [name, value] : s.scalars)
        if (const Parameter* p = lab::find_row(l_.parameters, name); !p || p->role != Role::Scalar)
          shapes_[i].mistake(fmt::format("no parameter `{}` of role scalar", name));
      for (const auto& [name, text] : s.data)
        if (const Parameter* p = lab::find_row(l_.parameters, name); !p || !p->is_input())
          shapes_[i].mistake(fmt::format("no parameter `{}` of role input", name));
      if (auto fits = evaluate_all(s); !fits.ok()) shapes_[i].mistake(fits.error().message);
    }
  }
  Result<void> evaluate_all(const Shape& s) {
    TRY(arguments_of(l_, s));
    const Numbers sizes = TRY(sizes_of(l_, s));
    for (const std::string* text : {&l_.bytes, &l_.flops})
      if (TRY(lab::evaluate(*text, sizes)) < 0) return Error{"B0001", fmt::format("`{}` is negative", *text)};
    return {};
  }

  Ladder& l_;
  std::vector<TomlTable> shapes_;  // where mistakes of a shape are
};

// The files of a ladder, by name. A user's own files beside them are neither steps nor peers.
Result<void> find_versions(Ladder& ladder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(ladder.folder, error))
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    const bool is_step = name.size() > 3 && is_digit(name[0]) && is_digit(name[1]) && name[2] == '_';
    const bool is_peer = name.starts_with("peer_");
    if (!is_step && !is_peer) continue;
    Version version = TRY(load_version(file));
    if (is_step && version.idea.empty())
      return Error{"B0001", fmt::format("{}: the first comment has no line `// step: …`", file.string())};
    if (is_peer && version.peer.empty())
      return Error{"B0001", fmt::format("{}: the first comment has no line `// peer: …`", file.string())};
    for (const Shape& shape : ladder.shapes)
      if (auto known = takes(version, ladder, shape); !known.ok())
        return Error{"B0001", fmt::format("{}: `takes: {}`: {}", file.string(), version.takes, known.error().message)};
    (is_step ? ladder.steps : ladder.peers).push_back(std::move(version));
  }
  if (ladder.steps.empty())
    return Error{"B0001", fmt::format("{}: there is no step: 01_naive.cu", ladder.folder.string())};
  if (!fs::exists(ladder.reference(), error))
    return Error{"B0001", fmt::format("{}: there is no reference.cu", ladder.folder.string())};
  return {};
}

}  // namespace

std::string_view name_of(Unit unit) { return kUnits[size_t(unit)]; }

std::optional<Unit> unit_of(std::string_view name) {
  const auto found = std::ranges::find(kUnits, name);
  return found == std::end(kUnits) ? std::nullopt : std::optional(Unit(found - std::begin(kUnits)));
}

Result<Ladder> parse_ladder(std::string_view text, const fs::path& folder) {
  lab::TomlFile file = TRY(lab::parse_toml(text, folder / "ladder.toml", "B0001"));
  Ladder ladder;
  ladder.folder = folder;
  ladder.name = folder.filename().string();
  TomlTable top = file.top();
  LadderReader(ladder).read(top);
  TRY(file.result());
  return ladder;
}

Result<Ladder> load_ladder(const fs::path& folder) {
  std::error_code error;
  fs::path whole = fs::absolute(folder, error).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  Result<Ladder> ladder = parse_ladder(TRY(toolchain::read_file(whole / "ladder.toml")), whole);
  if (ladder.ok()) TRY(find_versions(*ladder));
  return ladder;
}

}  // namespace warpwise::bench
