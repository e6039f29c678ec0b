#include "selected_code.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

#include <optional>
#include <stdexcept>

#include "simt/codegen/codegen.h"
#include "simt/codegen/define_gather_addresses.h"
#include "simt/codegen/llvm19/workarounds.h"
#include "simt/codegen/scalarise_masked_memory.h"

namespace warpwise::simt::test {

using namespace llvm;

struct SelectedCode::State {
  std::unique_ptr<LLVMContext> context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module;
  unsigned shuffles = 0, with_constants = 0, masked_accesses = 0, half_operations = 0;
  std::unique_ptr<orc::LLJIT> jit;
};

SelectedCode::SelectedCode(const std::string& text, const std::string& cpu) : state_(std::make_unique<State>()) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  SMDiagnostic diagnostic;
  state_->module = parseAssemblyString(text, diagnostic, *state_->context);
  if (!state_->module) throw std::runtime_error(diagnostic.getMessage().str());

  std::string error;
  const Target* target = TargetRegistry::lookupTarget("x86_64-unknown-linux-gnu", error);
  if (!target) throw std::runtime_error(error);
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine("x86_64-unknown-linux-gnu", cpu, "", TargetOptions(), std::nullopt));
  Function& f = *state_->module->getFunction("f");
  const CompileOptions options;
  PassRunner passes(options);
  if (auto done = run_llvm19_workarounds(*state_->module, *machine, passes); !done.ok())
    throw std::runtime_error(done.error().message);
  define_gather_addresses(f);
  scalarise_masked_memory(f, machine->getTargetTransformInfo(f));
  for (Instruction& i : instructions(f)) {
    auto* called = dyn_cast<IntrinsicInst>(&i);
    state_->masked_accesses += called && called->getCalledFunction()->getName().starts_with("llvm.masked.");
    auto* compare = dyn_cast<FCmpInst>(&i);
    const Type* computed = compare ? compare->getOperand(0)->getType() : i.getType();
    const bool computes = compare || isa<SelectInst>(i) || isa<UnaryOperator>(i) || called;
    state_->half_operations += computes && computed->getScalarType()->is16bitFPTy();
    auto* shuffle = dyn_cast<ShuffleVectorInst>(&i);
    if (!shuffle) continue;
    ++state_->shuffles;
    for (Value* operand : shuffle->operands())
      state_->with_constants += isa<Constant>(operand) && !isa<UndefValue>(operand);
  }
}

SelectedCode::~SelectedCode() = default;

unsigned SelectedCode::shuffles() const { return state_->shuffles; }
unsigned SelectedCode::masked_accesses() const { return state_->masked_accesses; }
unsigned SelectedCode::half_operations() const { return state_->half_operations; }
unsigned SelectedCode::shuffles_with_constants() const { return state_->with_constants; }

uint32_t SelectedCode::run(uint32_t in) {
  if (!state_->jit) {
    state_->jit = cantFail(orc::LLJITBuilder().create());
    cantFail(state_->jit->addIRModule(orc::ThreadSafeModule(std::move(state_->module), std::move(state_->context))));
  }
  auto f = cantFail(state_->jit->lookup("f")).toPtr<void (*)(const uint32_t*, uint32_t*)>();
  uint32_t out = 0;
  f(&in, &out);
  return out;
}

namespace {

struct Emission {
  explicit Emission(const std::string& text) {
    SMDiagnostic diagnostic;
    module = parseAssemblyString(text, diagnostic, *context);
    if (!module) throw std::runtime_error(diagnostic.getMessage().str());
    machine = make_target_machine({});
    const CompileOptions options;
    PassRunner passes(options);
    if (auto done = optimise(*module, *machine, Tier::Optimised, passes); !done.ok())
      throw std::runtime_error(done.error().message);
    object.emplace(emit_object(*module, *machine));
    if (!object->ok()) (void)module.release(), (void)machine.release(), (void)context.release();  // as codegen.h asks
  }
  std::unique_ptr<LLVMContext> context = std::make_unique<LLVMContext>();
  std::unique_ptr<Module> module;
  std::unique_ptr<TargetMachine> machine;
  std::optional<Result<EmittedObject>> object;
};

}  // namespace

std::string emission_error(const std::string& text) {
  const Emission emission(text);
  return emission.object->ok() ? "" : emission.object->error().code + ": " + emission.object->error().message;
}

uint32_t emitted_frame_bytes(const std::string& text) { return Emission(text).object->value().frame_bytes; }

}  // namespace warpwise::simt::test
