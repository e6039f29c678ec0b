#include "run_pass.h"

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>

#include <cstdlib>
#include <functional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "simt/analysis/block_uniformity.h"
#include "simt/block/hoist_block_constants.h"
#include "simt/block/hoist_block_reads.h"
#include "simt/block/hoist_into_prologue.h"
#include "simt/block/interleave_warps.h"
#include "simt/block/skip_inactive_warps.h"
#include "simt/block/split_at_barriers.h"
#include "simt/block/transpose_scatters.h"
#include "simt/block/walk_warps.h"
#include "simt/codegen/codegen.h"
#include "simt/codegen/define_gather_addresses.h"
#include "simt/codegen/expand_atomics.h"
#include "simt/codegen/keep_constants_in_memory.h"
#include "simt/codegen/llvm19/workarounds.h"
#include "simt/codegen/prefetch_strides.h"
#include "simt/codegen/scalarise_masked_memory.h"
#include "simt/instrument/check_alignment.h"
#include "simt/instrument/events.h"
#include "simt/instrument/expand_counts.h"
#include "simt/instrument/expand_events.h"
#include "simt/instrument/insert_checks.h"
#include "simt/instrument/insert_sync_events.h"
#include "simt/instrument/redundant_events.h"
#include "simt/instrument/redundant_race_checks.h"
#include "simt/instrument/stored_values.h"
#include "simt/pass_names.h"
#include "simt/pass_runner.h"
#include "simt/scalar/canonical_nan.h"
#include "simt/scalar/defer_stores.h"
#include "simt/scalar/divide_by_powers.h"
#include "simt/scalar/drop_flushes.h"
#include "simt/scalar/inline_functions.h"
#include "simt/scalar/log_sums.h"
#include "simt/scalar/pending_sums.h"
#include "simt/scalar/privatise_sums.h"
#include "simt/scalar/promote_registers.h"
#include "simt/scalar/simplify_arithmetic.h"
#include "simt/scalar/tidy_control_flow.h"
#include "simt/scalar/unroll_barrier_loops.h"
#include "simt/scalar/version_full_blocks.h"
#include "simt/scalar/wrap_addresses.h"
#include "simt/thread/bind_thread.h"
#include "simt/thread/bind_warp.h"
#include "simt/vectorise/vectorise.h"

namespace warpwise::simt::test {

using namespace llvm;

namespace {

// Reads the settings that a pass asks for; the rest are mistakes in the test.
class Settings {
 public:
  explicit Settings(const PassSettings& given) : given_(given) {}

  std::string text(const std::string& key, const std::string& otherwise) {
    known_.push_back(key);
    const auto found = given_.find(key);
    return found == given_.end() ? otherwise : found->second;
  }
  unsigned number(const std::string& key, unsigned otherwise) {
    const std::string value = text(key, std::to_string(otherwise));
    char* end = nullptr;
    const unsigned long n = std::strtoul(value.c_str(), &end, 10);
    if (value.empty() || *end) throw std::runtime_error("setting `" + key + "` is no number: " + value);
    return unsigned(n);
  }
  bool yes(const std::string& key, bool otherwise) {
    const std::string value = text(key, otherwise ? "yes" : "no");
    if (value != "yes" && value != "no") throw std::runtime_error("setting `" + key + "` is neither yes nor no");
    return value == "yes";
  }
  // "256", "32x8"
  BlockShape block() {
    BlockShape shape;
    std::istringstream in(text("block", "64"));
    std::string part;
    for (unsigned axis = 0; axis < 3 && std::getline(in, part, 'x'); ++axis)
      shape.size[axis] = unsigned(std::stoul(part));
    return shape;
  }
  // "addresses order"
  uint32_t watch() {
    static const std::map<std::string, uint32_t> kBits = {{"addresses", kWatchAddresses},
                                                          {"initialisation", kWatchInitialisation},
                                                          {"order", kWatchOrder},
                                                          {"barriers", kWatchBarriers},
                                                          {"numbers", kWatchNumbers}};
    std::istringstream in(text("watch", "addresses"));
    uint32_t bits = 0;
    for (std::string word; in >> word;) {
      const auto found = kBits.find(word);
      if (found == kBits.end()) throw std::runtime_error("setting `watch`: there is no `" + word + "`");
      bits |= found->second;
    }
    return bits;
  }
  void refuse_others() const {
    for (const auto& [key, value] : given_)
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        throw std::runtime_error("the pass has no setting `" + key + "`");
  }

 private:
  const PassSettings& given_;
  std::vector<std::string> known_;
};

struct Code {
  Module& module;
  Function& first;  // with a body
  Settings& settings;
  std::string refusal;

  void each(const std::function<void(Function&)>& body) const {
    SmallVector<Function*> all;
    for (Function& f : module)
      if (!f.isDeclaration()) all.push_back(&f);
    for (Function* f : all) body(*f);
  }
};

// The functions of the text, as the regions of a block.
Regions regions_of(Code& code) {
  Regions regions;
  code.each([&](Function& f) {
    BlockRegion region;
    region.function = &f;
    for (Instruction& i : instructions(f))
      if (auto* ret = dyn_cast<ReturnInst>(&i))
        region.ends.insert(uint32_t(cast<ConstantInt>(ret->getReturnValue())->getZExtValue()) & ~kLaterWarpsInactive);
    regions.regions.push_back(std::move(region));
  });
  regions.agree = code.settings.yes("agree", true);
  regions.frame_bytes = code.settings.number("frame bytes", 0);
  regions.common_bytes = code.settings.number("common bytes", 0);
  regions.defers = code.settings.yes("defers", false);
  regions.as_scheduled = code.settings.yes("as scheduled", false);
  return regions;
}

void walk(Code& code, bool unrolls) {
  const BlockShape block = code.settings.block();
  Regions regions = regions_of(code);
  for (BlockRegion& region : regions.regions) {
    region.unrolled = unrolls && is_worth_unrolling(regions, region, block);
    region.may_skip = code.settings.yes("may skip", false);
  }
  walk_warps(code.module, regions, block, "block");
}

void vectorise_kernel(Code& code) {
  VectoriseOptions options;
  options.local_stride = code.settings.number("local bytes", 0);
  options.count = code.settings.yes("counts", false) ? Counting::Sums : Counting::None;
  const auto warp = vectorise(code.first, code.settings.block(), options);
  if (warp.ok())
    code.first.eraseFromParent();
  else
    code.refusal = warp.error().message;
}

void bind(Code& code) {
  const ThreadOptions options{code.settings.number("local bytes", 0), code.settings.yes("spins", false)};
  const auto bound = bind_thread(code.module, code.first, code.settings.block(), options);
  if (!bound.ok()) code.refusal = bound.error().message;
}

void interleave(Code& code) {
  const RegionArguments arguments{code.first.getArg(1), code.first.getArg(2), code.settings.number("frame bytes", 0)};
  const unsigned count = interleaved_warps(code.first, arguments, code.settings.block().warps());
  if (count > 1) (void)interleave_warps(code.first, arguments, count);
}

void transpose(Code& code) {
  SideBySide scatters;
  for (Instruction& i : instructions(code.first))
    if (is_mergeable_scatter(i)) scatters.push_back(cast<IntrinsicInst>(&i));
  transpose_scatters(scatters);
}

void drop_events(Code& code) {
  const BlockUniformity uniform(code.first, {code.first.getArg(1)}, BlockUniformity::Loads::Constant);
  drop_redundant_events(code.first, find_redundant_events(code.first, uniform));
}

std::unique_ptr<TargetMachine> machine_for(Settings& settings) {
  CompileOptions options;
  options.cpu = settings.text("cpu", "x86-64-v4");
  auto machine = make_target_machine(options);
  if (!machine) throw std::runtime_error("LLVM does not know this machine");
  return machine;
}

void scalarise(Code& code) {
  const auto machine = machine_for(code.settings);
  code.each([&](Function& f) {
    f.addFnAttr("target-cpu", machine->getTargetCPU());
    scalarise_masked_memory(f, machine->getTargetTransformInfo(f));
  });
}

MayAssume may_assume(Settings& settings) {
  return {settings.yes("distinct pointers", true), settings.yes("ranges", true)};
}

struct Runnable {
  Pass pass;
  void (*run)(Code&);
};

constexpr Runnable kRunnable[] = {
    {"inline_functions",
     [](Code& c) { inline_functions(c.module, c.first, [](auto& f) { return f.getInstructionCount(); }); }},
    {"promote_registers", [](Code& c) { c.each(promote_registers); }},
    {"canonical_nan", [](Code& c) { c.each(canonical_nan); }},
    {"simplify_arithmetic", [](Code& c) { simplify_arithmetic(c.first, c.settings.yes("keep places", false)); }},
    {"divide_by_powers", [](Code& c) { c.each([](Function& f) { divide_by_powers(f); }); }},
    {"wrap_addresses", [](Code& c) { c.each(wrap_addresses); }},
    {"tidy_control_flow", [](Code& c) { tidy_control_flow(c.first); }},
    {"unroll_barrier_loops", [](Code& c) { unroll_barrier_loops(c.first); }},
    {"drop_flushes", [](Code& c) { c.each([](Function& f) { drop_flushes(f, /*by_processor=*/false); }); }},
    {"drop_unreached", [](Code& c) { drop_unreached(c.module, c.first); }},
    {"log_sums", [](Code& c) { log_sums(c.first); }},
    {"privatise_sums", [](Code& c) { privatise_sums(c.first); }},
    {"version_full_blocks", [](Code& c) { version_full_blocks(c.first, c.settings.block()); }},
    {"defer_stores", [](Code& c) { defer_stores(c.module, c.first, c.settings.block(), may_assume(c.settings)); }},
    {"check_alignment", [](Code& c) { check_alignment(c.first, true); }},
    {"insert_checks",
     [](Code& c) {
       InsertedChecks checks;
       insert_checks(c.first, {c.settings.watch(), c.settings.yes("simt", true), false}, checks);
     }},
    {"insert_sync_events", [](Code& c) { insert_sync_events(c.first); }},
    {"add_stored_values", [](Code& c) { c.each(add_stored_values); }},
    {"vectorise", vectorise_kernel},
    {"hoist_into_prologue", [](Code& c) { hoist_into_prologue(c.first); }},
    {"split_at_barriers", [](Code& c) { split_at_barriers(c.first, "block"); }},
    {"drop_redundant_events", drop_events},
    {"answer_race_questions", [](Code& c) { answer_race_questions(c.first, c.settings.yes("agree", true)); }},
    {"hoist_block_reads",
     [](Code& c) {
       uint64_t bytes = c.settings.number("common bytes", 0);
       hoist_block_reads(c.first, !c.settings.yes("agree", true), bytes);
     }},
    {"interleave_warps", interleave},
    {"transpose_scatters", transpose},
    {"unroll_warps", [](Code& c) { walk(c, true); }},
    {"skip_inactive_warps", [](Code& c) { skip_inactive_warps(c.first, c.first.getArg(1), c.first.getArg(4)); }},
    {"walk_warps", [](Code& c) { walk(c, false); }},
    {"hoist_block_constants", [](Code& c) { hoist_block_constants(c.first); }},
    {"expand_events", [](Code& c) { expand_events(c.first); }},
    {"expand_counts", [](Code& c) { expand_counts(c.first); }},
    {"bind_warp", [](Code& c) { bind_warp(c.first); }},
    {"forget_flushes", [](Code& c) { forget_flushes(c.first); }},
    {"order_lanes", [](Code& c) { order_lanes(c.module, c.first, c.settings.block(), may_assume(c.settings)); }},
    {"bind_thread", bind},
    {"expand_atomics", [](Code& c) { c.each(expand_atomics); }},
    {"define_gather_addresses", [](Code& c) { c.each(define_gather_addresses); }},
    {"prefetch_strides", [](Code& c) { c.each(prefetch_strides); }},
    {"scalarise_masked_memory", scalarise},
    {"keep_constants_in_memory",
     [](Code& c) { keep_constants_in_memory(c.first, c.settings.number("many", kManyVectorConstants)); }},
};

bool is_workaround(std::string_view pass) {
  for (const llvm19::Workaround& workaround : llvm19::all_workarounds())
    if (workaround.pass.name() == pass) return true;
  return false;
}

// The others are switched off.
void run_workaround(std::string_view pass, Code& code) {
  const auto machine = machine_for(code.settings);
  CompileOptions options;
  for (const PassName& other : kPasses)
    if (other.name != pass) options.off.emplace_back(other.name);
  PassRunner passes(options);
  if (auto done = run_llvm19_workarounds(code.module, *machine, passes); !done.ok())
    throw std::runtime_error(done.error().message);
}

// `event(Collective)` stands for the number of such an event, with nothing else said of it.
std::string with_event_numbers(std::string text) {
  auto put = [&](const std::string& name, uint32_t code) {
    const std::string word = fmt::format("event({})", name);
    for (size_t at = 0; (at = text.find(word)) != text.npos;)
      text = fmt::format("{}{}{}", text.substr(0, at), code, text.substr(at + word.size()));
  };
#define EVENT(name) put(#name, pack(event::name{}));
  WARPWISE_EVENTS(EVENT)
#undef EVENT
  return text;
}

// Functions and metadata; no declarations, attributes and other lines that say nothing about the code.
std::string printed(const Module& module) {
  std::string all;
  raw_string_ostream out(all);
  module.print(out, nullptr);
  static const std::regex kSilent("^(; ModuleID|source_filename|target |declare |attributes #|; Function Attrs)");
  static const std::regex kAttributes(" #[0-9]+"), kPredecessors(" +; preds = .*$");
  std::istringstream in(all);
  std::string text;
  bool was_empty = true;
  for (std::string line; std::getline(in, line);) {
    if (std::regex_search(line, kSilent) || (line.empty() && was_empty)) continue;
    was_empty = line.empty();
    text += std::regex_replace(std::regex_replace(line, kPredecessors, ""), kAttributes, "") + "\n";
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace

bool can_run_alone(std::string_view pass) {
  if (is_workaround(pass)) return true;
  for (const Runnable& runnable : kRunnable)
    if (runnable.pass.name() == pass) return true;
  return false;
}

PassOutcome run_pass(std::string_view pass, const std::string& text, const PassSettings& given) {
  LLVMContext context;
  SMDiagnostic diagnostic;
  const std::unique_ptr<Module> module = parseAssemblyString(with_event_numbers(text), diagnostic, context);
  if (!module) {
    std::string message;
    raw_string_ostream out(message);
    diagnostic.print("input", out, /*ShowColors=*/false);
    throw std::runtime_error(message);
  }
  Function* first = nullptr;
  for (Function& f : *module)
    if (!first && !f.isDeclaration()) first = &f;
  if (!first) throw std::runtime_error("there is no function");
  Settings settings(given);
  Code code{*module, *first, settings, ""};
  PassOutcome outcome;
  outcome.before = printed(*module);
  if (is_workaround(pass)) {
    run_workaround(pass, code);
  } else {
    for (const Runnable& runnable : kRunnable)
      if (runnable.pass.name() == pass) runnable.run(code);
  }
  settings.refuse_others();
  std::string problem;
  raw_string_ostream out(problem);
  for (const Function& f : *module)
    if (!f.isDeclaration() && verifyFunction(f, &out))
      throw std::runtime_error("the pass left broken code: " + problem);
  outcome.after = printed(*module);
  outcome.refusal = code.refusal;
  return outcome;
}

}  // namespace warpwise::simt::test
