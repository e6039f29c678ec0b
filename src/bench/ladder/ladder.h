// A ladder: one computation written several times, each time with one idea more. A folder with a ladder.toml
// (docs/ladder_format.md), read and checked: names are known, and expressions have a value for every shape.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/problem/expression.h"
#include "lab/problem/parameter.h"
#include "warpwise/bench_protocol.h"

namespace warpwise::bench {

using bench_worker::Element;
using bench_worker::Filling;
using lab::Numbers;
using lab::Role;

bool is_float(Element element);

// |got - expected| may be absolute + relative * |expected|.
struct Tolerance {
  double absolute = 0, relative = 0;
};

struct Parameter : lab::ParameterRow {
  Element element = Element::Float;
  std::string data;  // "": the default of its type
  double value = 0;  // scalars
  bool zeroed = false;
  std::optional<Tolerance> tolerance;

  bool is_input() const { return role == Role::Input || role == Role::Inout; }
};

struct Shape {
  std::string name;
  std::map<std::string, int64_t, std::less<>> sizes;
  std::map<std::string, double, std::less<>> scalars;
  std::map<std::string, std::string, std::less<>> data;
  std::optional<Tolerance> tolerance;
  bool small = false;
};

// Which pipe the flops of a ladder need: its peak is the roof.
enum class Unit : uint8_t { Fp32, Fp64, Fp16, TensorF16, TensorTf32, TensorF8, TensorInt8, TensorF64 };
std::string_view name_of(Unit unit);
std::optional<Unit> unit_of(std::string_view name);

// A file with a `solve`: a step of the ladder, a library's function, or a user's.
struct Version {
  std::filesystem::path file;
  std::string name;                    // "02_wide"
  std::string idea;                    // "": it says none
  std::string takes;                   // a condition on the sizes; "": all shapes
  std::string needs;                   // "sm_90a"; "": any device
  std::string flops;                   // what it calculates, an expression; "": what the ladder says
  Unit unit = Unit::Fp32;              // ... and where
  std::vector<std::string> flags;      // of the compiler
  std::string peer;                    // whose function it calls: "cuBLAS"; "": it is a kernel
  std::vector<std::string> libraries;  // names of the peer's library, any of which is enough
  std::vector<std::string> headers;    // of the peer's library, where it consists of headers: nvcc's toolkit has them
};

struct Ladder {
  std::filesystem::path folder;
  std::string name;  // of the folder
  std::string title;
  std::vector<Parameter> parameters;
  lab::Derived derived;
  std::vector<Shape> shapes;
  std::string bytes, flops = "0";  // expressions
  Unit unit = Unit::Fp32;
  Tolerance tolerance;
  std::vector<Version> steps, peers;

  std::filesystem::path reference() const { return folder / "reference.cu"; }
  const Tolerance& tolerance_of(const Parameter& parameter, const Shape& shape) const {
    return parameter.tolerance ? *parameter.tolerance : shape.tolerance ? *shape.tolerance : tolerance;
  }
};

// B0001: no ladder, with file, line and what is wrong.
Result<Ladder> load_ladder(const std::filesystem::path& folder);
// ladder.toml alone, from a text.
Result<Ladder> parse_ladder(std::string_view text, const std::filesystem::path& folder);

// Sizes of a shape, the derived ones among them.
Result<Numbers> sizes_of(const Ladder& ladder, const Shape& shape);
// What a worker is told of the arguments.
Result<std::vector<bench_worker::Argument>> arguments_of(const Ladder& ladder, const Shape& shape);

// Folders with a ladder.toml below `root`, by name.
std::vector<std::filesystem::path> ladders_below(const std::filesystem::path& root);
// Where ladders are: WARPWISE_LADDERS, ./kernels, or those that came with Warpwise. B0002: nowhere.
Result<std::filesystem::path> ladder_root();
// By its name, its folder, or a file in it. B0003: there is none, with a suggestion.
Result<Ladder> find_ladder(const std::string& name);

}  // namespace warpwise::bench
