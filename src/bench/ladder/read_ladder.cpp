// ladder.toml to a Ladder. Mistakes are collected by TomlMistakes; the first is the error.
#include <fmt/format.h>

#include <algorithm>

#include "bench/ladder/ladder.h"
#include "bench/ladder/step_head.h"
#include "lab/problem/toml_table.h"
#include "toolchain/files.h"

namespace warpwise::bench {
namespace {

namespace fs = std::filesystem;
using lab::TomlMistakes;
using lab::TomlTable;

constexpr std::string_view kRoles[] = {"input", "output", "inout", "scratch", "size", "scalar"};
constexpr std::string_view kUnits[] = {"fp32",        "fp64",      "fp16",        "tensor_f16",
                                       "tensor_tf32", "tensor_f8", "tensor_int8", "tensor_f64"};

std::optional<Element> find_element(std::string_view spelling) {
#define SPELLING(text, element) \
  if (spelling == text) return Element::element;
#include "bench/ladder/types.inc"
#undef SPELLING
  return std::nullopt;
}

class LadderReader {
 public:
  LadderReader(Ladder& ladder, TomlMistakes& mistakes) : l_(ladder), mistakes_(mistakes) {}

  void read(TomlTable& top) {
    if (int64_t format = top.number("format"); mistakes_.first.empty() && format != 1)
      top.mistake(fmt::format("format {} is not known: this version reads format 1", format));
    l_.title = top.text("title");
    for (TomlTable& t : top.tables("parameter")) parameter(t);
    if (auto t = top.maybe_table("derived")) derived(*t);
    if (auto t = top.maybe_table("tolerance")) l_.tolerance = tolerance(*t);
    for (TomlTable& t : top.tables("shape")) shape(t);
    if (auto t = top.maybe_table("work")) {
      l_.bytes = t->maybe_expression("bytes").value_or("");
      l_.flops = t->maybe_expression("flops").value_or("0");
      if (auto unit = t->maybe_text("unit")) l_.unit = choice<Unit>(*t, *unit, "unit", kUnits);
      if (l_.bytes.empty()) t->mistake("`bytes` is missing: what must at least be moved, an expression");
      t->finish();
    } else {
      top.mistake("there is no [work]: bytes and flops");
    }
    top.finish();
    if (mistakes_.first.empty()) check(top);
  }

 private:
  template <class Enum, size_t n>
  Enum choice(TomlTable& t, std::string_view word, std::string_view what, const std::string_view (&names)[n]) {
    for (size_t i = 0; i < n; ++i)
      if (names[i] == word) return Enum(i);
    t.mistake(fmt::format("`{}` is not a {}: {} are", word, what, fmt::join(names, ", ")));
    return Enum(0);
  }

  void parameter(TomlTable& t) {
    Parameter p;
    p.name = t.text("name");
    t.rename(fmt::format("[[parameter]] `{}`", p.name));
    p.spelling = t.text("type");
    p.role = choice<Role>(t, t.text("role"), "role", kRoles);
    p.count = t.maybe_expression("count").value_or("");
    p.data = t.maybe_text("data").value_or("");
    const bool has_value = t.has("value");
    p.value = t.real("value", 0);
    p.zeroed = t.flag("zeroed");
    if (auto own = t.maybe_table("tolerance")) p.tolerance = tolerance(*own);
    t.finish();

    std::string_view spelling = p.spelling;
    const bool constant = spelling.starts_with("const ");
    if (constant) spelling.remove_prefix(6);
    p.pointer = spelling.ends_with("*");
    if (p.pointer) spelling.remove_suffix(1);
    while (spelling.ends_with(" ")) spelling.remove_suffix(1);
    if (auto element = find_element(spelling))
      p.element = *element;
    else
      t.mistake(fmt::format("`{}` is not a type that a ladder can have", p.spelling));
    const bool is_number = p.role == Role::Size || p.role == Role::Scalar;
    const bool is_made = p.role == Role::Input || p.role == Role::Inout;
    const bool is_answer = p.role == Role::Output || p.role == Role::Inout;
    if (is_number && p.pointer) t.mistake(fmt::format("a {} is not a pointer", kRoles[size_t(p.role)]));
    if (is_number && (p.element == Element::Half || p.element == Element::BFloat16))
      t.mistake("a number has a type of C++: `float`");
    if (!is_number && !p.pointer) t.mistake("arrays are pointers: `const float*`");
    if (p.pointer && p.count.empty()) t.mistake("`count` is missing: how many elements, as an expression");
    if (!p.pointer && !p.count.empty()) t.mistake("`count` belongs to arrays");
    if (is_answer && constant) t.mistake("an output cannot be `const`");
    if (!p.data.empty() && !is_made) t.mistake("`data` belongs to inputs");
    if (has_value && p.role != Role::Scalar) t.mistake("`value` belongs to scalars");
    if (p.zeroed && p.role != Role::Output && p.role != Role::Scratch)
      t.mistake("`zeroed` belongs to outputs and scratch");
    if (p.tolerance && !is_answer) t.mistake("`tolerance` belongs to outputs");
    for (const Parameter& other : l_.parameters)
      if (other.name == p.name) t.mistake("another parameter has this name");
    l_.parameters.push_back(std::move(p));
    if (l_.parameters.size() > bench_worker::kMostArguments)
      t.mistake(fmt::format("more than {} parameters", bench_worker::kMostArguments));
  }

  // toml++ sorts keys; the file's order is by line. An expression may use those above it.
  void derived(TomlTable& t) {
    std::vector<std::pair<uint32_t, std::pair<std::string, std::string>>> rows;
    for (const std::string& name : t.keys())
      if (auto text = t.maybe_expression(name)) rows.push_back({t.node(name)->source().begin.line, {name, *text}});
    std::sort(rows.begin(), rows.end());
    for (auto& [line, row] : rows) l_.derived.push_back(std::move(row));
    t.finish();
  }

  void shape(TomlTable& t) {
    Shape s;
    s.name = t.text("name");
    t.rename(fmt::format("[[shape]] `{}`", s.name));
    if (auto sizes = t.maybe_table("sizes")) {
      for (const std::string& name : sizes->keys()) s.sizes[name] = sizes->number(name);
      sizes->finish();
    }
    if (auto scalars = t.maybe_table("scalars")) {
      for (const std::string& name : scalars->keys()) s.scalars[name] = scalars->real(name, 0);
      scalars->finish();
    }
    if (auto data = t.maybe_table("data")) {
      for (const std::string& name : data->keys()) s.data[name] = data->text(name);
      data->finish();
    }
    if (auto own = t.maybe_table("tolerance")) s.tolerance = tolerance(*own);
    s.small = t.flag("small");
    t.finish();
    for (const Shape& other : l_.shapes)
      if (other.name == s.name) t.mistake("another shape has this name");
    l_.shapes.push_back(std::move(s));
  }

  Tolerance tolerance(TomlTable& t) {
    const Tolerance out{t.real("absolute", 0), t.real("relative", 0)};
    if (!(out.absolute >= 0 && out.relative >= 0)) t.mistake("tolerances are not negative");
    t.finish();
    return out;
  }

  // What needs the whole file.
  void check(TomlTable& top) {
    auto has_role = [&](std::string_view name, std::initializer_list<Role> roles) {
      return std::any_of(l_.parameters.begin(), l_.parameters.end(), [&](const Parameter& p) {
        return p.name == name && std::find(roles.begin(), roles.end(), p.role) != roles.end();
      });
    };
    if (std::none_of(l_.parameters.begin(), l_.parameters.end(),
                     [](const Parameter& p) { return p.role == Role::Output || p.role == Role::Inout; }))
      return top.mistake("no parameter is an output");
    for (bool small : {true, false})
      if (std::none_of(l_.shapes.begin(), l_.shapes.end(), [&](const Shape& s) { return s.small == small; }))
        return top.mistake(small ? "no [[shape]] is `small`: the virtual GPU has nothing to run"
                                 : "every [[shape]] is `small`: a GPU has nothing to measure");
    for (const Shape& s : l_.shapes) {
      for (const auto& [name, value] : s.scalars)
        if (!has_role(name, {Role::Scalar}))
          return top.mistake(fmt::format("shape `{}`: no parameter `{}` of role scalar", s.name, name));
      for (const auto& [name, text] : s.data)
        if (!has_role(name, {Role::Input, Role::Inout}))
          return top.mistake(fmt::format("shape `{}`: no parameter `{}` of role input", s.name, name));
      if (auto fits = evaluate_all(s); !fits.ok())
        return top.mistake(fmt::format("shape `{}`: {}", s.name, fits.error().message));
    }
  }
  Result<void> evaluate_all(const Shape& s) {
    TRY(arguments_of(l_, s));
    const auto sizes = sizes_of(l_, s);
    for (const std::string* text : {&l_.bytes, &l_.flops}) {
      const auto value = sizes.ok() ? lab::evaluate(*text, *sizes) : Result<int64_t>(sizes.error());
      if (!value.ok()) return value.error();
      if (*value < 0) return Error{"B0001", fmt::format("`{}` is negative", *text)};
    }
    return {};
  }

  Ladder& l_;
  TomlMistakes& mistakes_;
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
    if (is_peer && (version.peer.empty() || version.libraries.empty()))
      return Error{"B0001",
                   fmt::format("{}: the first comment has no lines `// peer: …` and `// library: …`", file.string())};
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

Result<Ladder> parse_ladder(std::string_view text, const fs::path& folder) {
  const fs::path file = folder / "ladder.toml";
  toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return Error{"B0001", fmt::format("{}:{}: {}", file.string(), parsed.error().source().begin.line,
                                      parsed.error().description())};
  Ladder ladder;
  ladder.folder = folder;
  ladder.name = folder.filename().string();
  TomlMistakes mistakes{file.string(), ""};
  TomlTable top(parsed.table(), mistakes, "");
  LadderReader(ladder, mistakes).read(top);
  if (!mistakes.first.empty()) return Error{"B0001", mistakes.first};
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
