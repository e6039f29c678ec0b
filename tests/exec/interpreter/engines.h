// The engines that tests compare, by name: interpreter, jit-simt, jit-warps, jit-independent, jit (which chooses its
// mode), all on the quick tier, but with all passes; jit-quick, the quick tier as it is; jit-balanced and
// jit-optimised, the other tiers; jit-avx2 and jit-sse, as for lesser processors; jit-plain, without the passes that
// can be off (simt/passes.inc); jit-takeover, of which the interpreter runs the first half of the blocks where it may.
// With "-checked" behind the name the checkers of memory, initialisation and races check the code.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "check/checkers.h"
#include "exec/virtual_device.h"
#include "simt/pass_names.h"

namespace warpwise::test {

inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    size_t end = std::min(text.find(separator), text.size());
    if (end != 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// A device that runs kernels in this way; what they print goes to `print`.
inline Result<std::unique_ptr<exec::VirtualDevice>> open_device(std::string_view engine, exec::Output::Sink print = {},
                                                                double timeout_seconds = 20, std::string device = {}) {
  exec::DeviceSetup setup;
  if (!device.empty()) setup.options.device = std::move(device);
  setup.print = std::move(print);
  setup.options.timeout_seconds = timeout_seconds;
  setup.options.only_tier = exec::OnlyTier::Quick;
  setup.options.tiers = exec::TierChoice::Compiled;
  constexpr std::string_view kChecked = "-checked";
  if (engine.ends_with(kChecked)) {
    engine.remove_suffix(kChecked.size());
    for (Checker checker : {Checker::Memory, Checker::Init, Checker::Race}) setup.options.check.add(checker);
    setup.findings = std::make_shared<CollectingSink>();
    setup.observer = check::make_checkers(setup.options.check, *setup.findings);
  }
  setup.options.all_passes = engine != "jit-quick" && engine != "jit-balanced";
  if (engine == "interpreter") {
    setup.options.engine = exec::EngineKind::Interpreter;
  } else if (engine == "jit-simt") {
    setup.options.mode = exec::ModeChoice::Simt;
  } else if (engine == "jit-optimised" || engine == "jit-avx2" || engine == "jit-sse") {
    if (engine == "jit-optimised") setup.options.only_tier = exec::OnlyTier::Any;
    if (engine == "jit-avx2") setup.options.cpu = "x86-64-v3";
    if (engine == "jit-sse") setup.options.cpu = "x86-64";
  } else if (engine == "jit-balanced") {
    setup.options.only_tier = exec::OnlyTier::Balanced;
  } else if (engine == "jit-takeover") {
    setup.options.tiers = exec::TierChoice::Takeover;
  } else if (engine == "jit-plain") {
    for (const simt::PassName& pass : simt::kPasses)
      if (pass.can_be_off()) setup.options.off.emplace_back(pass.name);
  } else if (engine == "jit-warps") {
    setup.options.mode = exec::ModeChoice::Warps;
  } else if (engine == "jit-independent") {
    setup.options.mode = exec::ModeChoice::Independent;
  } else if (engine != "jit" && engine != "jit-quick") {
    return Error{"U0005", "there is no engine called `" + std::string(engine) + "`"};
  }
  return exec::VirtualDevice::create(std::move(setup));
}

}  // namespace warpwise::test
