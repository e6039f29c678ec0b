// A problem of the lab as its problem.toml describes it (docs/problem_format.md), checked: names are known, expressions
// can be evaluated for every case, kinds and roles fit together.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "lab/judge/budget.h"
#include "lab/problem/expression.h"
#include "lab/problem/parameter.h"
#include "warpwise/problem.h"

namespace warpwise::lab {

using problem::ElementType;

enum class Kind : uint8_t { Kernel, Solve };
enum class Level : uint8_t { Puzzle, Easy, Medium, Hard };

std::string_view name_of(Kind kind);
std::string_view name_of(Level level);
std::string_view name_of(ElementType type);  // "float"
size_t bytes_of(ElementType type);
bool is_float(ElementType type);

// |got - expected| may be the sum of these; nothing given: the answer, rounded to the element's type, exactly.
struct Tolerance {
  double ulp = 0, absolute = 0, relative = 0;
  bool bound = false;           // plus what reference.cpp says, element by element
  bool half_is_enough = false;  // half precision is exact by nature: `lab verify` accepts it
  bool exact() const { return ulp == 0 && absolute == 0 && relative == 0 && !bound; }
};

struct Parameter : ParameterRow {
  ElementType type = ElementType::Float;
  bool zeroed = false, checker = false;
  std::optional<Tolerance> tolerance;

  // Has contents before the submission runs.
  bool is_made() const { return role == Role::Input || role == Role::Inout || role == Role::Scratch; }
};

// A size of a case: a number, or a range to draw from.
struct SizeRange {
  int64_t low = 0, high = 0;
};

struct CaseSpec {
  std::string name;
  std::map<std::string, SizeRange, std::less<>> sizes;
  std::map<std::string, double, std::less<>> scalars;
  std::array<std::string, 3> grid{"1", "1", "1"}, block{"1", "1", "1"};
  std::string shared_bytes = "0";
  std::string data;
  bool sample = false, shuffle = false, timed = false, may_shrink = true;
  std::vector<BudgetRule> budget;
};

struct Problem {
  std::filesystem::path folder;
  std::string slug;  // the folder's path below the root: "puzzles/map"
  std::string title, chapter, idea, entry;
  int number = 0, place = 0;
  Level level = Level::Puzzle;
  Kind kind = Kind::Kernel;
  std::vector<std::string> needs;
  std::vector<Parameter> parameters;
  Derived derived;
  std::vector<CaseSpec> cases;
  std::map<std::string, int64_t, std::less<>> shrink;  // the smallest sensible value of a size
  Tolerance tolerance;
  std::vector<BudgetRule> budget;
  double seconds = 0;
  struct {
    std::vector<std::string> names, includes;
    std::string why;
  } forbidden;

  const Tolerance& tolerance_of(const Parameter& parameter) const {
    return parameter.tolerance ? *parameter.tolerance : tolerance;
  }
  // "extern "C" __global__ void map(float* out, const float* a)"
  std::string signature() const;
  bool has_samples() const;
};

// The sizes of a case with the derived ones, and for kernels its launch.
struct Launch {
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint32_t shared_bytes = 0;
};
struct CaseShape {
  Numbers names;  // sizes, derived sizes, grid_x … block_z
  Launch launch;
};
// L0002, L0003 when the numbers make no launch.
Result<CaseShape> shape_of(const Problem& problem, const CaseSpec& spec, const Numbers& sizes);

// Reads FOLDER/problem.toml. `slug`: how the problem is called. Errors: L0001 not a problem, with file, line and what
// is wrong.
Result<Problem> load_problem(const std::filesystem::path& folder, std::string slug);
// The same for a text; FOLDER/problem.toml is then only a name for messages.
Result<Problem> parse_problem(std::string_view text, const std::filesystem::path& folder, std::string slug);

}  // namespace warpwise::lab
