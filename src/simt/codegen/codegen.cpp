#include "simt/codegen/codegen.h"

#include <fmt/format.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/Reassociate.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <mutex>

#include "simt/codegen/define_gather_addresses.h"
#include "simt/codegen/keep_constants_in_memory.h"
#include "simt/codegen/llvm19/workarounds.h"
#include "simt/codegen/llvm_errors.h"
#include "simt/codegen/places.h"
#include "simt/codegen/prefetch_strides.h"
#include "simt/codegen/scalarise_masked_memory.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

CodeGenOptLevel level_of(Tier tier) {
  switch (tier) {
    case Tier::Quick:
      return CodeGenOptLevel::None;
    case Tier::Balanced:
      return CodeGenOptLevel::Less;
    case Tier::Optimised:
      break;
  }
  return CodeGenOptLevel::Default;
}

}  // namespace

std::unique_ptr<TargetMachine> make_target_machine(const CompileOptions& options) {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetDisassembler();
    // Scheduling after register allocation took a third of code generation on wide kernels and gains
    // nothing on processors that reorder by themselves. LLVM has no other switch for it.
    const char* arguments[] = {"warpwise", "-disable-post-ra", "-dag-maps-huge-region=400"};
    cl::ParseCommandLineOptions(3, arguments);
    handle_fatal_errors();
  });
  std::string triple = sys::getDefaultTargetTriple(), problem;
  const Target* target = TargetRegistry::lookupTarget(triple, problem);
  if (!target) return nullptr;
  SubtargetFeatures features;
  std::string cpu = options.cpu;
  if (cpu.empty()) {
    cpu = sys::getHostCPUName().str();
    for (auto& [name, on] : sys::getHostCPUFeatures()) features.AddFeature(name, on);
    llvm19_disable_features(features);
  }
  const SubtargetFeatures asked(options.features);
  for (const std::string& f : asked.getFeatures()) features.AddFeature(f);
  TargetOptions target_options;
  target_options.AllowFPOpFusion = FPOpFusion::Strict;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, cpu, features.getString(), target_options, Reloc::PIC_, CodeModel::Small, level_of(options.tier)));
}

Tier affordable_tier(const Module& module, TargetMachine& machine, Tier wanted) {
  // Beyond these numbers LLVM's passes over machine code take seconds, and times that grow with their squares: 20,000
  // multiplications by one number 28 s, and 0.2 s in the quick tier. Of the kernels that people wrote the largest had
  // 1607 blocks, 35,745 instructions in one, and 6339 uses of a value.
  constexpr size_t kMostBlocks = 2500, kMostInBlock = 100'000, kMostUses = 8000;
  auto is_too_large = [](const Function& f) {
    if (f.size() > kMostBlocks) return true;
    return any_of(f, [](const BasicBlock& bb) {
      return bb.size() > kMostInBlock || any_of(bb, [](const Instruction& i) { return i.hasNUsesOrMore(kMostUses); });
    });
  };
  if (any_of(module, is_too_large)) wanted = Tier::Quick;
  machine.setOptLevel(level_of(wanted));
  return wanted;
}

namespace {

void set_attributes(Function& f, const TargetMachine& machine) {
  // Vectors of 32 lanes are what the program is made of: use the widest registers there are.
  f.addFnAttr("prefer-vector-width", "512");
  f.addFnAttr("min-legal-vector-width", "512");
  f.addFnAttr("target-cpu", machine.getTargetCPU());
  f.addFnAttr("target-features", machine.getTargetFeatureString());
  f.addFnAttr("no-builtins");  // the object may not ask for memcpy and friends
}

FunctionPassManager llvm_passes(Tier tier) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(SimplifyCFGPass());
  if (tier == Tier::Optimised) {
    passes.addPass(InstCombinePass());
    passes.addPass(JumpThreadingPass());
    passes.addPass(SimplifyCFGPass());
    passes.addPass(LoopSimplifyPass());
    LoopPassManager loop_passes;
    loop_passes.addPass(LoopRotatePass(true));
    loop_passes.addPass(
        LICMPass(LICMOptions(/*MssaOptCap=*/100, /*NoAccForPromotionCap=*/0, /*AllowSpeculation=*/true)));
    passes.addPass(createFunctionToLoopPassAdaptor(std::move(loop_passes), /*UseMemorySSA=*/true,
                                                   /*UseBlockFrequencyInfo=*/false));
    passes.addPass(EarlyCSEPass(true));
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
  }
  passes.addPass(ADCEPass());
  return passes;
}

void run_llvm_passes(Module& module, TargetMachine& machine, Tier tier) {
  PassBuilder builder(&machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager sccs;
  ModuleAnalysisManager modules;
  functions.registerPass([&] { return TargetLibraryAnalysis(TargetLibraryInfoImpl(machine.getTargetTriple())); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  FunctionPassManager passes = llvm_passes(tier);
  for (Function& f : module)
    if (!f.isDeclaration()) passes.run(f, functions);
}

}  // namespace

Result<void> optimise(Module& module, TargetMachine& machine, Tier tier, PassRunner& passes) {
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  auto each = [&](auto&& body) {
    for (Function& f : module)
      if (!f.isDeclaration()) body(f);
  };
  each([&](Function& f) { set_attributes(f, machine); });
  TRY(passes.run("optimise", module, [&] {
    each(remember_places);
    run_llvm_passes(module, machine, tier);
    each(restore_places);
  }));
  TRY(run_llvm19_workarounds(module, machine, passes));
  TRY(passes.run("define_gather_addresses", module, [&] { each(define_gather_addresses); }));
  TRY(passes.run("prefetch_strides", module, [&] {
    bool changed = false;
    each([&](Function& f) { changed |= prefetch_strides(f); });
    return changed;
  }));
  TRY(passes.run("scalarise_masked_memory", module,
                 [&] { each([&](Function& f) { scalarise_masked_memory(f, machine.getTargetTransformInfo(f)); }); }));
  TRY(passes.run("keep_constants_in_memory", module, [&] {
    bool changed = false;
    if (tier == Tier::Quick) each([&](Function& f) { changed |= keep_constants_in_memory(f); });
    return changed;
  }));
  return {};
}

namespace {

// LLVM reports the size of a function's frame as a warning that can be asked for.
class FrameSizes {
 public:
  explicit FrameSizes(Module& module) : context_(module.getContext()), before_(context_.getDiagnosticHandler()) {
    for (Function& f : module)
      if (!f.isDeclaration()) f.addFnAttr("warn-stack-size", "0");
    context_.setDiagnosticHandler(std::make_unique<Adder>(bytes_));
  }
  ~FrameSizes() { context_.setDiagnosticHandler(std::move(before_)); }
  uint64_t bytes() const { return bytes_; }

 private:
  struct Adder : DiagnosticHandler {
    explicit Adder(uint64_t& bytes) : bytes(bytes) {}
    bool handleDiagnostics(const DiagnosticInfo& info) override {
      auto* size = dyn_cast<DiagnosticInfoStackSize>(&info);
      if (size) bytes += size->getStackSize();
      return size != nullptr;
    }
    uint64_t& bytes;
  };
  LLVMContext& context_;
  std::unique_ptr<DiagnosticHandler> before_;
  uint64_t bytes_ = 0;
};

// In a block of more instructions of LLVM's some passes over machine code take time with their square, and only make
// code somewhat faster: of 15,000 multiplications of 64 bits Live Range Shrink took 25 s of 33, and Machine
// InstCombiner, without AVX-512, 20 s of 45.
//
// The scheduler stays: without it register allocation takes longer by what it took.
constexpr size_t kMostInBlock = 4'000;

bool has_long_block(const Module& module) {
  return any_of(module, [](const Function& f) {
    return any_of(f, [](const BasicBlock& bb) { return bb.size() > kMostInBlock; });
  });
}

// What addPassesToEmitFile does, which has no way to leave passes out. False where this machine has no object files.
bool add_emission(legacy::PassManager& passes, raw_pwrite_stream& out, LLVMTargetMachine& machine, bool long_block) {
  auto* machine_code = new MachineModuleInfoWrapperPass(&machine);
  TargetPassConfig* config = machine.createPassConfig(passes);
  config->setDisableVerify(true);
  config->disablePass(&LiveDebugValuesID);  // of variables, which kernels have none of
  if (long_block)
    for (AnalysisID slow : {&LiveRangeShrinkID, &MachineCombinerID}) config->disablePass(slow);
  passes.add(config);
  passes.add(machine_code);
  if (config->addISelPasses()) return false;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, out, nullptr, CodeGenFileType::ObjectFile, machine_code->getMMI().getContext()))
    return false;
  passes.add(createFreeMachineFunctionPass());
  return true;
}

}  // namespace

Result<EmittedObject> emit_object(Module& module, TargetMachine& machine) {
  // On the heap, all of it: where LLVM gives up, it is left as it is (llvm_errors.h).
  struct Emission {
    SmallVector<char, 0> buffer;
    raw_svector_ostream stream{buffer};
    legacy::PassManager passes;
  };
  auto emission = std::make_unique<Emission>();
  auto frames = std::make_unique<FrameSizes>(module);
  // Every target with machine code is one of these.
  if (!add_emission(emission->passes, emission->stream, static_cast<LLVMTargetMachine&>(machine),
                    has_long_block(module)))
    return Error{"X0001", "LLVM cannot emit object files for this machine"};
  const std::optional<std::string> reason = run_until_fatal([&] { emission->passes.run(module); });
  if (reason) {
    (void)emission.release(), (void)frames.release();
    return Error{"X0002", fmt::format("LLVM cannot compile it: {}", StringRef(*reason).split('\n').first.str())};
  }
  auto* bytes = reinterpret_cast<const std::byte*>(emission->buffer.data());
  return EmittedObject{std::vector<std::byte>(bytes, bytes + emission->buffer.size()),
                       uint32_t(std::min<uint64_t>(frames->bytes(), ~0u))};
}

}  // namespace warpwise::simt
