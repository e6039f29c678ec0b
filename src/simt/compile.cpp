// The compiler as a page: PTX in, machine code out, in five stages. Each is a function that takes and returns a struct
// and says what holds behind it. passes.inc lists the passes; a `run` below is one of them.
//
//     PTX ── lower ── scalar ── instrument ──┬── block  (SIMT mode) ─────────────────┬── codegen ── object file
//                                            ├── warp   (independent-warp mode) ─────┤
//                                            └── thread (independent-thread mode) ───┘
#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/MC/MCSubtargetInfo.h>

#include <algorithm>

#include "ptx/asynchronous.h"
#include "ptx/layout.h"
#include "simt/abi.h"
#include "simt/analysis/choose_mode.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/flushing_arithmetic.h"
#include "simt/analysis/local_layout.h"
#include "simt/block/region_passes.h"
#include "simt/codegen/codegen.h"
#include "simt/codegen/expand_atomics.h"
#include "simt/compiler.h"
#include "simt/dialect.h"
#include "simt/instrument/check_alignment.h"
#include "simt/instrument/events.h"
#include "simt/instrument/expand_counts.h"
#include "simt/instrument/expand_events.h"
#include "simt/instrument/insert_checks.h"
#include "simt/instrument/insert_sync_events.h"
#include "simt/instrument/read_sites.h"
#include "simt/instrument/shadow.h"
#include "simt/instrument/stored_values.h"
#include "simt/lower/lower.h"
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

namespace warpwise::simt {

using namespace llvm;

namespace {

constexpr const char* kEntryName = "warpwise_kernel";

#ifdef NDEBUG
constexpr bool kAssertions = false;
#else
constexpr bool kAssertions = true;
#endif

// --- what the stages pass on

// What every stage reads and none changes.
struct Job {
  const ptx::Module& ptx;
  const uint32_t index;  // of the kernel in ptx.functions
  const CompileOptions& options;
  const ptx::KernelLayout& layout;
  const BlockShape block;
  TargetMachine& machine;
  PassRunner& passes;

  // Accesses keep the order that hardware gives them (unordered_accesses.md).
  bool is_ordered() const {
    return options.unordered == Unordered::HardwareLike && !ptx::uses_asynchronous_barriers(ptx);
  }
  // Code that is checked for races is wanted for both orders, by a judge above all. In the optimised tier each is worth
  // a version of its own.
  bool has_any_order() const { return options.tier == Tier::Quick && (options.watch & kWatchOrder); }
  bool is_compact() const { return options.tier != Tier::Optimised && !options.all_passes; }
  bool is_plain() const { return options.watch == 0 && options.count == Counting::None; }
  // Independent-warp mode has no checks and no counts, and its lanes are never shuffled.
  bool may_have_warps() const { return is_plain() && options.unordered == Unordered::HardwareLike; }
};

struct LoweredKernel {
  std::unique_ptr<Module> module;
  Function* kernel = nullptr;
};

struct ScalarKernel : LoweredKernel {
  ModeChoice choice;
  uint32_t local_bytes = 0;   // of a thread
  uint32_t local_stride = 0;  // from one thread's to the next one's
  bool order_sensitive = false, cancels_clusters = false, flushes_subnormals = false;  // as in CompiledKernel
  LoggedSums logged_sums = LoggedSums::None;                                           // likewise
  DeferredStores deferred;
};

struct InstrumentedKernel : ScalarKernel {
  AlignmentChecks alignment;
  InsertedChecks checks;
};

struct HostProgram {
  std::unique_ptr<Module> module;
  ModeChoice choice;  // the mode at last
  LaunchAssumptions assumed;
  uint32_t frame_bytes = 0;  // as in CompiledKernel
  bool any_order = false;    // likewise
};

// --- what the stages rely on

// Error X0001, an error of ours, unless `holds`.
Result<void> expect(bool holds, const char* what) {
  if (holds) return {};
  return Error{"X0001", fmt::format("the compiler's stages disagree: {}", what)};
}

bool uses_functions(const Module& module, StringRef prefix) {
  return std::any_of(module.begin(), module.end(), [&](const Function& f) {
    return f.isDeclaration() && f.getName().starts_with(prefix) && !f.use_empty();
  });
}

template <class Body>
void for_each_body(Module& module, Body&& body) {
  for (Function& f : module)
    if (!f.isDeclaration()) body(f);
}

// --- facts about the kernel

bool asks_for_clusters(const Module& module) {
  return std::any_of(module.begin(), module.end(), [](const Function& f) {
    return std::any_of(inst_begin(f), inst_end(f),
                       [](const Instruction& i) { return dialect_of(&i) == Dialect::ClusterTryCancel; });
  });
}

// Copies to shared memory that end at some later time.
bool copies_later(const ptx::Module& ptx) {
  return std::any_of(ptx.functions.begin(), ptx.functions.end(), [](const ptx::Function& f) {
    return std::any_of(f.instructions.begin(), f.instructions.end(),
                       [](const ptx::Instruction& i) { return i.spec().name == "cp_async"; });
  });
}

std::vector<SharedBytes> shared_variables_of(const Job& job) {
  std::vector<SharedBytes> found;
  auto add = [&](const std::vector<ptx::Variable>& variables, const std::vector<uint64_t>& offsets) {
    for (size_t v = 0; v < offsets.size(); ++v)
      if (variables[v].space == ptx::Space::Shared && variables[v].size != 0 && offsets[v] != ptx::kNotPlaced)
        found.push_back({offsets[v], variables[v].size});
  };
  add(job.ptx.variables, job.layout.module_shared);
  for (size_t f = 0; f < job.layout.function_shared.size(); ++f)
    add(job.ptx.functions[f].variables, job.layout.function_shared[f]);
  return found;
}

uint32_t local_bytes_of(const Job& job, const Function& kernel) {
  const ptx::KernelLayout& layout = job.layout;
  if (layout.recursive || layout.allocates || (layout.indirect_calls && has_calls(kernel)))
    return layout.local_bytes + job.options.stack_bytes;
  // The margin lies between this thread's and the next one's.
  return layout.local_bytes == 0 ? 0 : layout.local_bytes + layout.margin;
}

// The mode that the kernel needs, or the one that was asked for where it can have it.
ModeChoice choose_mode_for(const Job& job, Function& kernel, uint32_t local_stride) {
  ModeChoice choice = choose_mode(kernel, job.block, local_stride);
  const bool may_have_warps = job.may_have_warps() && job.passes.is_on("bind_warp");
  if (choice.mode == Mode::Warps && !may_have_warps) choice.mode = Mode::Independent;
  if (job.options.mode == Mode::Independent && choice.mode != Mode::Independent)
    choice = {Mode::Independent, true, "asked for"};
  if (job.options.mode == Mode::Simt && !has_calls(kernel)) choice.mode = Mode::Simt;
  if (job.options.mode == Mode::Warps && choice.mode == Mode::Simt && !choice.spins && may_have_warps)
    choice = {Mode::Warps, false, "asked for"};
  return choice;
}

FunctionSize sizes_in_ptx(const ptx::Module& ptx) {
  return [&ptx](const Function& f) {
    for (const ptx::Function& function : ptx.functions)
      if (StringRef(function.name.data(), function.name.size()) == f.getName()) return function.instructions.size();
    return size_t{0};
  };
}

// --- the stages

// PTX becomes the scalar program of one thread: the dialect (dialect.h), with an alloca for each register.
// Behind it: nothing knows PTX. `kernel` is a function of the module, beside those that it can reach.
Result<LoweredKernel> lower_stage(const Job& job, LLVMContext& context) {
  const CompileOptions& options = job.options;
  LoweredKernel result;
  job.passes.begin();
  result.module = TRY(lower(context, job.ptx, job.index, job.layout, options.block, options.count,
                            options.watch & (kWatchAddresses | kWatchInitialisation | kWatchOrder | kWatchNumbers),
                            options.clocks, options.values));
  // Address 0 is an address like any other until the engine says otherwise (and 0 is where shared memory
  // begins): accesses through it fault or work, they are never undefined.
  for (Function& f : *result.module) f.addFnAttr(Attribute::NullPointerIsValid);
  TRY(job.passes.end("lower", *result.module));
  const std::string_view name = job.ptx.functions[job.index].name;
  result.kernel = result.module->getFunction(StringRef(name.data(), name.size()));
  TRY(expect(result.kernel != nullptr, "lowering lost the kernel"));
  result.module->setTargetTriple(job.machine.getTargetTriple().str());
  result.module->setDataLayout(job.machine.createDataLayout());
  TRY(job.passes.end_stage(PassStage::Lower, *result.module));
  return result;
}

// The scalar program in its simplest form, and the mode that it runs in.
// Behind it: registers are SSA values, and no ww.canonical.* is left. Control flow is tidy (tidy_control_flow.h). Each
// function can be reached from the kernel; in SIMT mode there is no other than the kernel. Stores that another warp's
// load may conflict with are marked by events.
Result<ScalarKernel> scalar_stage(const Job& job, LoweredKernel lowered) {
  ScalarKernel result{std::move(lowered)};
  Module& module = *result.module;
  Function& kernel = *result.kernel;
  const bool keeps_places = job.options.watch != 0;
  auto run = [&](Pass pass, auto&& body) { return job.passes.run(pass, module, body); };

  TRY(run("inline_functions", [&] { inline_functions(module, kernel, sizes_in_ptx(job.ptx)); }));
  TRY(run("promote_registers", [&] { for_each_body(module, promote_registers); }));
  TRY(run("drop_flushes", [&] {
    result.flushes_subnormals = flushes_all_subnormals(job.ptx, job.index);
    if (result.flushes_subnormals) mark_as_flushing(module);
    bool dropped = false;
    for_each_body(module, [&](Function& f) { dropped |= drop_flushes(f, result.flushes_subnormals); });
    result.flushes_subnormals &= dropped;
    return dropped;
  }));
  TRY(run("canonical_nan", [&] { for_each_body(module, canonical_nan); }));
  TRY(expect(!uses_functions(module, "ww.canonical."), "a mark of a NaN is left"));
  TRY(run("simplify_arithmetic",
          [&] { for_each_body(module, [&](Function& f) { simplify_arithmetic(f, keeps_places); }); }));
  TRY(run("divide_by_powers", [&] { for_each_body(module, [](Function& f) { divide_by_powers(f); }); }));
  TRY(run("wrap_addresses", [&] { for_each_body(module, wrap_addresses); }));
  TRY(run("tidy_control_flow", [&] { tidy_control_flow(kernel); }));
  // Not where it is checked: copies would be places of their own, so that findings would depend on the tier, and their
  // checks take longer to compile than to run.
  TRY(run("unroll_barrier_loops", [&] {
    if (job.options.watch != 0 || !unroll_barrier_loops(kernel)) return false;
    simplify_arithmetic(kernel, keeps_places);
    wrap_addresses(kernel);
    tidy_control_flow(kernel);
    return true;
  }));
  TRY(run("drop_unreached", [&] { drop_unreached(module, kernel); }));

  result.local_bytes = local_bytes_of(job, kernel);
  result.local_stride = uint32_t(alignTo(result.local_bytes, 16));
  result.choice = choose_mode_for(job, kernel, result.local_stride);
  result.order_sensitive = is_order_sensitive(kernel);
  result.cancels_clusters = asks_for_clusters(module);

  const bool may_version = result.choice.mode == Mode::Simt && !result.choice.spins;
  // What checks memory, values and so on looks at what an atomic finds there.
  const bool may_log = (job.options.watch & ~uint32_t{kWatchOrder}) == 0 && job.options.count == Counting::None;
  if (may_version && may_log) TRY(run("log_sums", [&] { result.logged_sums = log_sums(kernel); }));
  // Not where every access is an event: most of the time is theirs. One kind of pending sums in a kernel is enough.
  if (may_version && !(job.options.watch & kWatchEvery) && result.logged_sums == LoggedSums::None)
    TRY(run("privatise_sums", [&] { privatise_sums(kernel); }));
  if (may_version && job.is_plain())
    TRY(run("version_full_blocks", [&] { return version_full_blocks(kernel, job.block); }));
  if (job.is_ordered())
    TRY(run("defer_stores",
            [&] { result.deferred = defer_stores(module, kernel, job.block, job.options.may_assume); }));
  return result;
}

// The program checks itself: its addresses' alignment always, the rest where that is asked for. The mode has been
// chosen without the checks. Behind it: code without checks is what it was before.
Result<InstrumentedKernel> instrument_stage(const Job& job, ScalarKernel scalar) {
  InstrumentedKernel result{std::move(scalar)};
  Module& module = *result.module;
  // Where addresses are checked, such an access is a finding, and the kernel goes on.
  if (!(job.options.watch & kWatchAddresses))
    TRY(job.passes.run("check_alignment", module, [&] {
      for_each_body(module, [&](Function& f) {
        result.alignment.add(check_alignment(f, &f == result.kernel && job.options.may_assume.alignments));
      });
    }));
  const CheckOptions options{
      job.options.watch,   result.choice.mode == Mode::Simt, copies_later(job.ptx), result.kernel, job.block,
      result.local_stride, shared_variables_of(job)};
  if (job.options.watch != 0)
    TRY(job.passes.run("insert_checks", module,
                       [&] { for_each_body(module, [&](Function& f) { insert_checks(f, options, result.checks); }); }));
  if (job.options.watch & kWatchBarriers)
    TRY(job.passes.run("insert_sync_events", module, [&] { for_each_body(module, insert_sync_events); }));
  if (job.is_ordered())
    TRY(job.passes.run("add_stored_values", module, [&] { for_each_body(module, add_stored_values); }));
  TRY(job.passes.end_stage(PassStage::Instrument, module));
  return result;
}

// The program of a warp. `kernel` is consumed, unless it has no vector form: then the result is null, and kernel.choice
// says why.
Result<Function*> vectorised(const Job& job, InstrumentedKernel& kernel) {
  const MCSubtargetInfo& host = *job.machine.getMCSubtargetInfo();
  const bool avx512 = host.checkFeatures("+avx512f");
  // What a single thread has in a few lines of cache would lie in 32 times as many.
  const bool whole_warps = job.block.threads() >= kLanes;
  const VectoriseOptions options{
      .local_stride = kernel.local_stride,
      .local_unit = whole_warps && job.is_plain() ? interleaved_unit(*kernel.kernel) : 0,
      .range_instructions = host.checkFeatures("+avx512dq"),
      .picks_of_two_registers = avx512,
      .indexed_gathers = avx512,
      .masked_loads = avx512,
      .compact = job.is_compact(),
      .count = job.options.count,
      .warps_wait = kernel.choice.mode == Mode::Warps,
  };
  Function* warp = nullptr;
  TRY(job.passes.run("vectorise", *kernel.module, [&] {
    auto made = vectorise(*kernel.kernel, job.block, options);
    if (!made.ok()) {
      kernel.choice = {Mode::Independent, true, made.error().message};
      return false;
    }
    kernel.kernel->eraseFromParent();
    warp = *made;
    return true;
  }));
  return warp;
}

// SIMT mode: the program of a block, warp by warp. Nothing where the kernel has no vector form.
// Behind it: the function kEntryName is a KernelEntry (abi.h), and no function of the dialect is called.
Result<std::optional<HostProgram>> block_stage(const Job& job, InstrumentedKernel& kernel) {
  Module& module = *kernel.module;
  Function* warp = TRY(vectorised(job, kernel));
  if (!warp) return std::optional<HostProgram>();

  const bool any_order = job.has_any_order();
  const RegionOptions regions{job.options.watch, kernel.deferred.any,
                              any_order || job.options.unordered == Unordered::AsScheduled};
  const BlockFunction block = TRY(run_region_passes(*warp, job.block, kEntryName, regions, job.passes));
  if (job.options.watch != 0 || kernel.deferred.any || kernel.alignment.any)
    TRY(job.passes.run("expand_events", module, [&] { expand_events(*block.function); }));
  if (job.options.count != Counting::None)
    TRY(job.passes.run("expand_counts", module, [&] { expand_counts(*block.function); }));
  TRY(expect(!uses_functions(module, "ww."), "a function of the dialect is left in the program of a block"));
  LaunchAssumptions assumed = kernel.deferred.assumed;
  assumed.alignments.add(kernel.alignment.assumed);
  return std::optional(
      HostProgram{std::move(kernel.module), kernel.choice, std::move(assumed), block.frame_bytes, any_order});
}

// Independent-warp mode: the program of a warp as the code of a fiber. Nothing where the kernel has no vector form.
// Behind it: the function kEntryName is a ThreadEntry (abi.h), and no function of the dialect is called.
Result<std::optional<HostProgram>> warp_stage(const Job& job, InstrumentedKernel& kernel) {
  Module& module = *kernel.module;
  Function* warp = TRY(vectorised(job, kernel));
  if (!warp) return std::optional<HostProgram>();
  if (kernel.alignment.any || kernel.deferred.any)
    TRY(job.passes.run("expand_events", module, [&] { expand_events(*warp); }));
  TRY(job.passes.run("bind_warp", module, [&] { bind_warp(*warp)->setName(kEntryName); }));
  TRY(expect(!uses_functions(module, "ww."), "a function of the dialect is left in the program of a warp"));
  LaunchAssumptions assumed = kernel.deferred.assumed;
  assumed.alignments.add(kernel.alignment.assumed);
  return std::optional(HostProgram{std::move(kernel.module), kernel.choice, std::move(assumed)});
}

// Independent-thread mode: the program of a thread, bound to its context.
// Behind it: the function kEntryName is a ThreadEntry (abi.h), and no function of the dialect is called.
Result<HostProgram> thread_stage(const Job& job, InstrumentedKernel kernel) {
  Module& module = *kernel.module;
  TRY(job.passes.run("forget_flushes", module, [&] { return forget_flushes(*kernel.kernel); }));
  LaunchAssumptions assumed = kernel.deferred.assumed;
  assumed.alignments.add(kernel.alignment.assumed);
  if (job.is_ordered())
    TRY(job.passes.run("order_lanes", module,
                       [&] { assumed.add(order_lanes(module, *kernel.kernel, job.block, job.options.may_assume)); }));
  job.passes.begin();
  Function* entry = TRY(bind_thread(module, *kernel.kernel, job.block, {kernel.local_stride, kernel.choice.spins}));
  entry->setName(kEntryName);
  TRY(job.passes.end("bind_thread", module));
  TRY(expect(!uses_functions(module, "ww."), "a function of the dialect is left in the program of a thread"));
  return HostProgram{std::move(kernel.module), kernel.choice, std::move(assumed)};
}

// Machine code. Error X0002: LLVM gives up. Then the module, its context and the machine must never be deleted, and
// `program` still has the module.
// Behind it: the object file has no undefined symbols.
Result<EmittedObject> codegen_stage(const Job& job, HostProgram& program) {
  Module& module = *program.module;
  TRY(job.passes.run("expand_atomics", module, [&] { for_each_body(module, expand_atomics); }));
  TRY(job.passes.end_stage(PassStage::Codegen, module));
  const Tier tier = affordable_tier(module, job.machine, job.options.tier);
  TRY(optimise(module, job.machine, tier, job.passes));
  TRY(job.passes.end_stage(PassStage::Codegen, module));
  job.passes.begin();
  EmittedObject object = TRY(emit_object(module, job.machine));
  TRY(job.passes.end("emit", module, /*changed=*/false));  // nothing reads the module behind it
  return object;
}

class SimtCompiler : public Compiler {
 public:
  Result<CompiledKernel> compile(const ptx::Module& ptx, uint32_t index, const CompileOptions& options) override {
    for (const std::string& pass : options.off) TRY(check_off(pass));
    const bool by_stages = options.tier != Tier::Optimised && !options.all_passes && !kAssertions;
    auto made = compile_once(ptx, index, options, by_stages ? Verified::EachStage : Verified::EachPass);
    // Once more, to name the pass.
    if (by_stages && !made && made.error().code == "X0001")
      return compile_once(ptx, index, options, Verified::EachPass);
    return made;
  }

  std::string fingerprint(const CompileOptions& options) const override {
    auto machine = make_target_machine(options);
    if (!machine) return "none";
    return fmt::format("llvm " LLVM_VERSION_STRING " abi {} {} {}", kAbiVersion, machine->getTargetCPU().str(),
                       machine->getTargetFeatureString().str());
  }

 private:
  static Result<CompiledKernel> compile_once(const ptx::Module& ptx, uint32_t index, const CompileOptions& options,
                                             Verified verified) {
    const ptx::KernelLayout layout = ptx::lay_out_kernel(ptx, index, variable_margin(options.watch));
    std::unique_ptr<TargetMachine> machine = make_target_machine(options);
    if (!machine) return Error{"X0001", "LLVM does not know this machine"};
    auto context = std::make_unique<LLVMContext>();
    PassRunner passes(options, verified);
    const Job job{ptx, index, options, layout, {options.block, options.small_grid}, *machine, passes};

    LoweredKernel lowered = TRY(lower_stage(job, *context));
    ScalarKernel scalar = TRY(scalar_stage(job, std::move(lowered)));
    InstrumentedKernel kernel = TRY(instrument_stage(job, std::move(scalar)));
    CompiledKernel result = facts_of(job, kernel);
    std::optional<HostProgram> program;
    if (kernel.choice.mode == Mode::Simt) program = TRY(block_stage(job, kernel));
    if (kernel.choice.mode == Mode::Warps) program = TRY(warp_stage(job, kernel));
    if (!program) program = TRY(thread_stage(job, std::move(kernel)));
    if (result.flushes_subnormals) mark_as_flushing(*program->module);
    auto object = codegen_stage(job, *program);
    if (!object.ok()) {
      if (object.error().code == "X0002")
        (void)program->module.release(), (void)machine.release(), (void)context.release();
      return object.error();
    }

    result.mode = program->choice.mode;
    result.spins = program->choice.spins;
    result.assumed = std::move(program->assumed);
    if (result.mode != Mode::Simt) {
      result.why_independent = program->choice.why;
      result.logged_sums = LoggedSums::None;
    }
    result.frame_bytes = program->frame_bytes;
    result.any_order = program->any_order;
    result.native_frame_bytes = object->frame_bytes;
    result.entry = kEntryName;
    result.object = std::move(object->bytes);
    result.sites = read_sites(result.object, options.watch != 0 ? &result.inlined_calls : nullptr);
    return result;
  }

  // What the engine must know of the kernel, as far as the scalar program says it. Takes the checks' sites.
  static CompiledKernel facts_of(const Job& job, InstrumentedKernel& kernel) {
    CompiledKernel result;
    result.abi_version = kAbiVersion;
    result.static_shared_bytes = job.layout.static_shared_bytes;
    result.local_bytes = kernel.local_bytes;
    result.order_sensitive = kernel.order_sensitive;
    result.logged_sums = kernel.logged_sums;
    result.cancels_clusters = kernel.cancels_clusters;
    result.flushes_subnormals = kernel.flushes_subnormals;
    if (job.options.watch != 0) {
      result.written_pointers = kernel.checks.written_pointers;
      result.accessed_pointers = kernel.checks.accessed_pointers;
      result.plain_pointers = kernel.checks.plain_pointers;
      result.apart_accesses = std::move(kernel.checks.apart);
      result.race_sites = std::move(kernel.checks.sites);
      result.inlined_calls = std::move(kernel.checks.calls);
    }
    return result;
  }
};

}  // namespace
}  // namespace warpwise::simt

extern "C" __attribute__((visibility("default"))) warpwise::simt::Compiler* warpwise_simt_compiler() {
  static warpwise::simt::SimtCompiler compiler;
  return &compiler;
}
