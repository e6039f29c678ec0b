#include "lab/problem/problem.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::lab {
namespace {

constexpr std::string_view kAxes[] = {"x", "y", "z"};

}  // namespace

size_t bytes_of(ElementType type) {
  constexpr size_t kBytes[] = {
#define X(name, spelling, type) sizeof(type),
      WARPWISE_PROBLEM_TYPES(X)
#undef X
  };
  return kBytes[size_t(type)];
}

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
  CaseShape shape{.names = TRY(with_derived(sizes, problem.derived)), .launch = {}};
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

}  // namespace warpwise::lab
