#include "simt/pass_runner.h"

#include <fmt/format.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <string>

#include "base/processor_time.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Of processor time.
double milliseconds() { return double(processor_nanoseconds()) * 1e-6; }

// What the verifier says of the module; "" when it is sound. While a block is cut into regions several functions share
// one DISubprogram, which only the check of a whole module refuses.
std::string broken_code(const Module& module, PassStage stage) {
  std::string problem;
  raw_string_ostream out(problem);
  bool is_broken = false;
  if (stage == PassStage::Block)
    for (const Function& f : module) is_broken |= !f.isDeclaration() && verifyFunction(f, &out);
  else
    is_broken = verifyModule(module, &out);
  return is_broken ? problem : "";
}

}  // namespace

bool PassRunner::is_on(Pass pass) const {
  if (pass.row().use == PassUse::Longer && options_.tier != Tier::Optimised && !options_.all_passes) return false;
  return std::find(options_.off.begin(), options_.off.end(), pass.name()) == options_.off.end();
}

bool PassRunner::is_dumped(Pass pass) const {
  return options_.on_dump && std::any_of(options_.dump_after.begin(), options_.dump_after.end(),
                                         [&](const std::string& d) { return d == pass.name() || d == "all"; });
}

void PassRunner::begin() { begun_ = milliseconds(); }

Result<void> PassRunner::end(Pass pass, const Module& module, bool changed) {
  const double took = milliseconds() - begun_;
  if (is_dumped(pass)) {
    std::string text;
    raw_string_ostream out(text);
    module.print(out, nullptr);
    options_.on_dump(pass.name(), text);
  }
  if (options_.time_passes && options_.on_dump)
    options_.on_dump("time", fmt::format("{:28} {:8.3f} ms\n", pass.name(), took));
  if (changed && verified_ == Verified::EachPass)
    if (const std::string problem = broken_code(module, pass.row().stage); !problem.empty())
      return Error{"X0001", fmt::format("pass {} left broken code: {}", pass.name(), problem)};
  return {};
}

Result<void> PassRunner::end_stage(PassStage stage, const Module& module) const {
  if (verified_ == Verified::EachPass) return {};
  if (const std::string problem = broken_code(module, stage); !problem.empty())
    return Error{"X0001", fmt::format("a pass left broken code: {}", problem)};
  return {};
}

}  // namespace warpwise::simt
