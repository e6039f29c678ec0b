// The compiler as a page: PTX in, machine code out. Each step says what holds after it.
#include <fmt/format.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/MCSubtargetInfo.h>

#include <algorithm>
#include <ctime>

#include "ptx/asynchronous.h"
#include "ptx/layout.h"
#include "simt/abi.h"
#include "simt/analysis/choose_mode.h"
#include "simt/block/split_at_barriers.h"
#include "simt/codegen/codegen.h"
#include "simt/codegen/expand_atomics.h"
#include "simt/compiler.h"
#include "simt/instrument/events.h"
#include "simt/instrument/expand_counts.h"
#include "simt/instrument/expand_events.h"
#include "simt/instrument/insert_checks.h"
#include "simt/instrument/insert_sync_events.h"
#include "simt/instrument/read_sites.h"
#include "simt/instrument/shadow.h"
#include "simt/lower/lower.h"
#include "simt/pass_names.h"
#include "simt/scalar/canonical_nan.h"
#include "simt/scalar/defer_stores.h"
#include "simt/scalar/inline_functions.h"
#include "simt/scalar/privatise_sums.h"
#include "simt/scalar/promote_registers.h"
#include "simt/scalar/simplify_arithmetic.h"
#include "simt/scalar/tidy_control_flow.h"
#include "simt/scalar/unroll_barrier_loops.h"
#include "simt/scalar/version_full_blocks.h"
#include "simt/thread/bind_thread.h"
#include "simt/vectorise/vectoriser.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Milliseconds of processor time that this thread has used: what else the machine does is no pass's fault.
double milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

// After every pass: the dump that was asked for, the verifier, the clock.
class Stages {
 public:
  explicit Stages(const CompileOptions& options) : options_(options) { start(); }

  // Call when pass `name` is done; false when the IR is broken (an error of ours).
  bool done(Pass pass, Module& module) {
    const double took = milliseconds() - begun_;
    if (options_.on_dump && std::any_of(options_.dump_after.begin(), options_.dump_after.end(),
                                        [&](const std::string& d) { return d == pass.name || d == "all"; })) {
      std::string text;
      raw_string_ostream out(text);
      module.print(out, nullptr);
      options_.on_dump(pass.name, text);
    }
    if (options_.time_passes && options_.on_dump)
      options_.on_dump("time", fmt::format("{:20} {:8.3f} ms\n", pass.name, took));
    std::string problem;
    raw_string_ostream out(problem);
    if (verifyModule(module, &out)) {
      error_ = Error{"X0001", fmt::format("pass {} left broken code: {}", pass.name, problem)};
      return false;
    }
    start();
    return true;
  }
  Error error() const { return error_; }
  void start() { begun_ = milliseconds(); }

 private:
  const CompileOptions& options_;
  double begun_ = 0;
  Error error_;
};

// Does the order of blocks change the answer? (compiler.h, order_sensitive)
bool is_order_sensitive(Function& kernel) {
  for (Instruction& i : instructions(kernel)) {
    if (auto* rmw = dyn_cast<AtomicRMWInst>(&i)) {
      unsigned space = rmw->getPointerAddressSpace();
      if (space != kShared && space != kLocal && (rmw->getType()->isFloatingPointTy() || !rmw->use_empty()))
        return true;
    }
    if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&i); exchange && exchange->getPointerAddressSpace() != kShared)
      return true;
  }
  return false;
}

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

class SimtCompiler : public Compiler {
 public:
  Result<CompiledKernel> compile(const ptx::Module& ptx, uint32_t index, const CompileOptions& options) override {
    const ptx::Function& function = ptx.functions[index];
    const ptx::KernelLayout layout = ptx::lay_out_kernel(ptx, index, variable_margin(options.watch));
    BlockShape block{options.block, options.small_grid};
    CompiledKernel result;
    result.abi_version = kAbiVersion;
    result.static_shared_bytes = layout.static_shared_bytes;

    std::unique_ptr<TargetMachine> machine = make_target_machine(options);
    if (!machine) return Error{"X0001", "LLVM does not know this machine"};
    auto context_owner = std::make_unique<LLVMContext>();
    LLVMContext& context = *context_owner;

    Stages stages(options);
    auto wanted = [&](Pass pass) {
      return std::find(options.off.begin(), options.off.end(), pass.name) == options.off.end();
    };

    // PTX becomes the scalar program of one thread: the dialect. Nothing below knows PTX.
    std::unique_ptr<Module> module = TRY(
        lower(context, ptx, index, layout, options.block, options.count != Counting::None,
              options.watch & (kWatchAddresses | kWatchInitialisation | kWatchOrder | kWatchNumbers), options.clocks));
    // Address 0 is an address like any other until the engine says otherwise (and 0 is where shared memory
    // begins): accesses through it fault or work, they are never undefined.
    for (Function& f : *module) f.addFnAttr(Attribute::NullPointerIsValid);
    if (!stages.done("lower", *module)) return stages.error();
    Function* kernel = module->getFunction(StringRef(function.name.data(), function.name.size()));
    if (!kernel) return Error{"X0001", "lowering lost the kernel"};
    module->setTargetTriple(machine->getTargetTriple().str());
    module->setDataLayout(machine->createDataLayout());

    // One function, unless it recurses or is called through a pointer.
    inline_functions(*module, *kernel);
    if (!stages.done("inline_functions", *module)) return stages.error();

    // Registers are SSA values from here on.
    for (Function& f : *module)
      if (!f.isDeclaration()) promote_registers(f);
    if (!stages.done("promote_registers", *module)) return stages.error();

    // Observable NaNs have the bits that PTX says; no ww.canonical.* is left.
    for (Function& f : *module)
      if (!f.isDeclaration()) canonical_nan(f);
    if (!stages.done("canonical_nan", *module)) return stages.error();

    for (Function& f : *module)
      if (!f.isDeclaration()) simplify_arithmetic(f, options.watch != 0);
    if (!stages.done("simplify_arithmetic", *module)) return stages.error();

    // Converged or split? Only the converged passes need tidy control flow; it does no harm to the other.
    result.local_bytes = layout.local_bytes;
    if (layout.recursive || layout.allocates || (layout.indirect_calls && has_calls(*kernel)))
      result.local_bytes += options.stack_bytes;
    else if (result.local_bytes != 0)
      result.local_bytes += layout.margin;  // between this thread's and the next one's
    const uint32_t local_stride = uint32_t(alignTo(result.local_bytes, 16));
    tidy_control_flow(*kernel);
    if (!stages.done("tidy_control_flow", *module)) return stages.error();
    // The steps of trees and scans: a region each.
    if (wanted("unroll_barrier_loops") && unroll_barrier_loops(*kernel)) {
      simplify_arithmetic(*kernel, options.watch != 0);
      tidy_control_flow(*kernel);
      if (!stages.done("unroll_barrier_loops", *module)) return stages.error();
    }
    // What is left is bound or vectorised; a recursive function without a caller would be neither.
    drop_unreached(*module, *kernel);
    ModeChoice choice = choose_mode(*kernel, block, local_stride);
    if (options.mode == Mode::Independent && !choice.independent) choice = {true, true, "asked for"};
    if (options.mode == Mode::Simt && !has_calls(*kernel)) choice.independent = false;
    result.order_sensitive = is_order_sensitive(*kernel);
    result.cancels_clusters = asks_for_clusters(*module);
    result.spins = choice.spins;
    stages.start();

    // Sums whose result is not used may happen later, and several as one; not where the order of accesses is checked.
    const bool privatises =
        !choice.independent && !choice.spins && !(options.watch & kWatchOrder) && wanted("privatise_sums");
    if (privatises) {
      privatise_sums(*kernel);
      if (!stages.done("privatise_sums", *module)) return stages.error();
    }

    const bool is_plain = options.watch == 0 && options.count == Counting::None;
    // Blocks whose threads all stay, apart from those at the edge of the grid: for speed.
    if (is_plain && !choice.independent && !choice.spins && wanted("version_full_blocks") &&
        version_full_blocks(*kernel, block)) {
      if (!stages.done("version_full_blocks", *module)) return stages.error();
    }

    // Plain stores that another warp's load may conflict with are seen by other warps at the next synchronisation.
    DeferredStores deferred;
    const bool ordered = options.unordered == Unordered::HardwareLike && !ptx::uses_asynchronous_barriers(ptx);
    if (ordered) {
      deferred = defer_stores(*module, *kernel, block, options.distinct_pointers);
      result.assumes_distinct_pointers = deferred.assumes_distinct_pointers;
      if (!stages.done("defer_stores", *module)) return stages.error();
    }

    // From here on the code watches itself; how it is run has been decided without that.
    if (options.watch != 0) {
      InsertedChecks inserted;
      for (Function& f : *module)
        if (!f.isDeclaration()) {
          insert_checks(f, {options.watch, !choice.independent, copies_later(ptx)}, inserted);
          if (options.watch & kWatchBarriers) insert_sync_events(f);
        }
      result.written_pointers = inserted.written_pointers;
      result.watched_sites = std::move(inserted.sites);
      result.inlined_calls = std::move(inserted.calls);
      if (!stages.done("insert_checks", *module)) return stages.error();
    }

    Function* entry = nullptr;
    if (!choice.independent) {
      // A warp: vectors, masks, linearised control flow.
      const MCSubtargetInfo& host = *machine->getMCSubtargetInfo();
      auto warp =
          vectorise(*kernel, block,
                    {local_stride, host.checkFeatures("+avx512dq"), host.checkFeatures("+avx512f"), options.count});
      if (warp.ok()) {
        kernel->eraseFromParent();
        if (!stages.done("vectorise", *module)) return stages.error();
        // A block: regions between barriers, each looping over the warps.
        std::string name = kEntryName;
        BlockFunction whole = split_at_barriers(
            **warp, block, name, {options.watch, deferred.any, options.unordered == Unordered::AsScheduled});
        result.frame_bytes = whole.frame_bytes;
        entry = whole.function;
        if (!stages.done("split_at_barriers", *module)) return stages.error();
        if (options.watch != 0 || deferred.any) {
          expand_events(*entry);
          if (!stages.done("expand_events", *module)) return stages.error();
        }
        if (options.count != Counting::None) {
          expand_counts(*entry);
          if (!stages.done("expand_counts", *module)) return stages.error();
        }
      } else {
        choice = {true, true, warp.error().message};
        forget_privatised_sums(*kernel);
      }
    }
    if (choice.independent) {
      if (ordered) order_lanes(*module, *kernel, block, options.distinct_pointers);
      entry = TRY(bind_thread(*module, *kernel, block, {local_stride, choice.spins}));
      entry->setName(kEntryName);
      result.spins = choice.spins;
      result.why_independent = choice.why;
      if (!stages.done("bind_thread", *module)) return stages.error();
    }
    result.mode = choice.independent ? Mode::Independent : Mode::Simt;
    result.entry = kEntryName;

    // Sums that flush denormals become compare-and-swap loops.
    for (Function& f : *module) expand_atomics(f);
    if (!stages.done("expand_atomics", *module)) return stages.error();

    const Tier tier = affordable_tier(*module, *machine, options.tier);
    optimise(*module, *machine, tier);
    if (!stages.done("optimise", *module)) return stages.error();
    auto object = emit_object(*module, *machine);
    if (!object.ok()) {
      (void)module.release(), (void)machine.release(), (void)context_owner.release();
      return object.error();
    }
    result.object = std::move(object->bytes);
    result.native_frame_bytes = object->frame_bytes;
    if (!stages.done("emit", *module)) return stages.error();
    result.sites = read_sites(result.object, options.watch != 0 ? &result.inlined_calls : nullptr);
    return result;
  }

  std::string fingerprint(const CompileOptions& options) const override {
    auto machine = make_target_machine(options);
    if (!machine) return "none";
    return fmt::format("llvm " LLVM_VERSION_STRING " abi {} {} {}", kAbiVersion, machine->getTargetCPU().str(),
                       machine->getTargetFeatureString().str());
  }

 private:
  static constexpr const char* kEntryName = "warpwise_kernel";
};

}  // namespace
}  // namespace warpwise::simt

extern "C" __attribute__((visibility("default"))) warpwise::simt::Compiler* warpwise_simt_compiler() {
  static warpwise::simt::SimtCompiler compiler;
  return &compiler;
}
