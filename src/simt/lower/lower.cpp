// The frame of lowering: the module, its functions, their blocks. What single instructions mean is in
// the chapters.
#include "simt/lower/lower.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Local.h>

#include "ptx/shapes/tcgen05.h"
#include "simt/instrument/count_slow_ways.h"
#include "simt/instrument/counts.h"
#include "simt/instrument/lower_checks.h"
#include "simt/instrument/lower_counts.h"
#include "simt/lower/control.h"
#include "simt/lower/dispatch.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

namespace {

llvm::Function* declare_function(ModuleLowering& module, uint32_t index) {
  const ptx::Function& ptx = module.ptx.functions[index];
  llvm::LLVMContext& context = module.llvm.getContext();
  llvm::SmallVector<llvm::Type*> arguments;
  if (!ptx.is_entry) {
    arguments.push_back(llvm::Type::getInt64Ty(context));  // %lsp
    arguments.append(ptx.parameters.size() + ptx.returns.size(), llvm::PointerType::get(context, 0));
  }
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), arguments, false);
  auto linkage = ptx.is_entry ? llvm::Function::ExternalLinkage : llvm::Function::InternalLinkage;
  auto* function = llvm::Function::Create(type, linkage, llvm::StringRef(ptx.name), module.llvm);
  function->setDoesNotThrow();
  return function;
}

// The "file" of a function is its index in ptx::Module::functions, and lines are its instructions. The line table of
// the object then says where in the PTX a piece of machine code comes from.
llvm::DISubprogram* describe(ModuleLowering& module, llvm::StringRef name, uint32_t index) {
  auto* type = module.debug.createSubroutineType(module.debug.getOrCreateTypeArray({}));
  llvm::DIFile* file = module.debug.createFile(std::to_string(index), "");
  return module.debug.createFunction(file, name, name, file, 1, type, 1, llvm::DINode::FlagZero,
                                     llvm::DISubprogram::SPFlagDefinition);
}

// What a register holds before it is written, in the register's type.
llvm::Value* as_register(Builder& builder, Value undefined, llvm::Type* type) {
  llvm::Value* bits = builder.CreateSExtOrTrunc(undefined.get(), builder.getIntNTy(type->getPrimitiveSizeInBits()));
  return builder.CreateBitCast(bits, type);
}

}  // namespace

FunctionLowering::FunctionLowering(ModuleLowering& module, uint32_t index)
    : module(module),
      ptx(module.ptx.functions[index]),
      index(index),
      function(module.functions[index]),
      builder(module.llvm.getContext()),
      e(*this, builder) {}

void FunctionLowering::fail(const char* code, std::string message) {
  if (!module.error) module.error = Error{code, std::move(message)};
}

llvm::AllocaInst* FunctionLowering::entry_alloca(llvm::Type* type, const llvm::Twine& name) {
  llvm::BasicBlock& entry = function->getEntryBlock();
  Builder at_entry(&entry, entry.getFirstInsertionPt());
  return at_entry.CreateAlloca(type, nullptr, name);
}

Value FunctionLowering::frame() { return ptx.is_entry ? e.i64(0) : Value(builder, function->getArg(0)); }

Value FunctionLowering::free_local() {
  if (stack_pointer) return Value(builder, builder.CreateLoad(builder.getInt64Ty(), stack_pointer));
  return frame() + module.layout.frame_bytes[index];
}

void FunctionLowering::jump(llvm::BasicBlock* target) {
  if (!builder.GetInsertBlock()->getTerminator()) builder.CreateBr(target);
}

void FunctionLowering::choose_registers() {
  std::vector<llvm::Type*> types = register_types(ptx, builder.getContext());
  for (size_t r = 0; r < types.size(); ++r) {
    RegisterSlot slot;
    slot.type = types[r];
    for (unsigned part = 0; part < ptx.registers[r].vector; ++part) {
      slot.parts[part] = builder.CreateAlloca(types[r], nullptr, llvm::StringRef(ptx.registers[r].name));
    }
    registers.push_back(slot);
  }
  if (!(module.watch & kWatchInitialisation)) return;
  for (size_t r = 0; r < registers.size(); ++r) {
    Value undefined = e.call(Dialect::Undefined, e.i64(uint64_t{index} << 32 | r));
    for (unsigned part = 0; part < ptx.registers[r].vector; ++part)
      builder.CreateStore(as_register(builder, undefined, types[r]), registers[r].parts[part]);
  }
}

// A block for each label that marks a place, and one to leave through.
void FunctionLowering::make_blocks() {
  for (const ptx::Label& label : ptx.labels) {
    bool is_place = label.targets.empty();
    label_blocks.push_back(is_place ? e.new_block(label.name) : nullptr);
  }
  return_block = llvm::BasicBlock::Create(builder.getContext(), "return", function);
}

// Frames that the call graph bounds fit by construction (ptx/layout.h). All others must check before they are written
// to.
void FunctionLowering::check_stack() {
  if (ptx.is_entry || !module.layout.needs_stack()) return;
  builder.SetCurrentDebugLocation(llvm::DILocation::get(builder.getContext(), 1, 0, function->getSubprogram()));
  e.call(Dialect::StackCheck, frame() + module.layout.frame_bytes[index]);
  builder.SetCurrentDebugLocation({});
}

void FunctionLowering::run() {
  auto* subprogram = describe(module, function->getName(), index);
  function->setSubprogram(subprogram);
  builder.SetInsertPoint(llvm::BasicBlock::Create(builder.getContext(), "entry", function));
  check_stack();
  choose_registers();
  bind_parameters(*this);
  make_blocks();

  // Labels by the instruction they stand before; several may share one.
  std::vector<std::vector<llvm::BasicBlock*>> starts(ptx.instructions.size() + 1);
  for (size_t l = 0; l < label_blocks.size(); ++l) {
    if (label_blocks[l]) starts[ptx.labels[l].instruction].push_back(label_blocks[l]);
  }
  const std::vector<uint32_t> block_start = module.cells.empty() ? std::vector<uint32_t>() : block_starts(ptx);
  for (size_t i = 0; i <= ptx.instructions.size(); ++i) {
    for (llvm::BasicBlock* block : starts[i]) {
      jump(block);
      builder.SetInsertPoint(block);
    }
    if (i == ptx.instructions.size()) break;
    if (builder.GetInsertBlock()->getTerminator()) builder.SetInsertPoint(e.new_block("after"));
    builder.SetCurrentDebugLocation(llvm::DILocation::get(builder.getContext(), i + 1, 0, subprogram));
    if (!module.cells.empty() && block_start[i] == i) {
      size_t end = i + 1;
      while (end < block_start.size() && block_start[end] == i) ++end;
      count_block(*this, uint32_t(i), uint32_t(end));
    }
    pass_clocks(uint32_t(i));
    lower_instruction(uint32_t(i));
  }
  jump(return_block);
  builder.SetInsertPoint(return_block);
  finish_return(*this);
  llvm::removeUnreachableBlocks(*function);
}

void FunctionLowering::pass_clocks(uint32_t i) {
  if (module.clocks.empty() || module.clocks.before[index].empty()) return;
  if (!passed) {
    passed = entry_alloca(builder.getInt64Ty(), "passed");
    Builder(passed->getNextNode()).CreateStore(builder.getInt64(0), passed);
  }
  const uint32_t clocks = module.clocks.before[index][i];
  if (clocks != 0)
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), passed), builder.getInt64(clocks)),
                        passed);
}

void FunctionLowering::lower_instrumented() {
  if (module.watch == 0) return dispatch(e);
  InstructionChecks checks(e, module.watch);
  dispatch(e);
  checks.finish();
}

void FunctionLowering::lower_instruction(uint32_t index) {
  const ptx::Instruction& inst = ptx.instructions[index];
  const bool counts = !module.cells.empty();
  e.inst = &inst;
  if (!inst.guard.present) {
    if (counts) count_access(e, index);
    if (module.count_slow_ways) count_slow_way(e, index);
    lower_instrumented();
    if (counts) count_values(*this, index);
    return;
  }

  const RegisterSlot& slot = registers[inst.guard.reg];
  Value guard_value(builder, builder.CreateLoad(slot.type, slot.parts[0]));
  if (inst.guard.negated) guard_value = !guard_value;
  if (counts) count_guard(*this, index, guard_value);
  if (is_pure(inst)) {
    guard = guard_value;
    lower_instrumented();
    guard.reset();
    if (counts) count_values(*this, index);
    return;
  }
  llvm::BasicBlock* taken = e.new_block("guarded");
  llvm::BasicBlock* next = e.new_block("next");
  builder.CreateCondBr(guard_value.get(), taken, next);
  builder.SetInsertPoint(taken);
  if (counts) count_access(e, index);
  lower_instrumented();
  if (counts) count_values(*this, index);
  jump(next);
  builder.SetInsertPoint(next);
}

Result<std::unique_ptr<llvm::Module>> lower(llvm::LLVMContext& context, const ptx::Module& ptx, uint32_t kernel,
                                            const ptx::KernelLayout& layout, const std::array<uint32_t, 3>& block,
                                            Counting count, uint32_t watch, const ModelledClocks& clocks,
                                            const ReportedValues& values) {
  const ptx::Function& entry = ptx.functions[kernel];
  auto llvm_module = std::make_unique<llvm::Module>(llvm::StringRef(entry.name), context);
  llvm_module->addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  llvm::DIBuilder debug(*llvm_module);
  llvm::DIFile* file = debug.createFile("kernel.ptx", "");
  debug.createCompileUnit(llvm::dwarf::DW_LANG_C, file, "warpwise", false, "", 0, "",
                          llvm::DICompileUnit::LineTablesOnly);

  ModuleLowering module{ptx,
                        layout,
                        ptx::lay_out_globals(ptx, layout.margin),
                        block,
                        *llvm_module,
                        {},
                        debug,
                        file,
                        {},
                        count == Counting::Sums || count == Counting::Accesses,
                        watch,
                        clocks,
                        values,
                        ptx::works_for_pairs(ptx),
                        {}};
  if (count != Counting::None) module.cells = lay_out_cells(ptx, layout);
  module.functions.resize(ptx.functions.size());
  for (uint32_t f = 0; f < ptx.functions.size(); ++f) {
    const ptx::Function& function = ptx.functions[f];
    if (!layout.reachable[f] || is_service(function)) continue;
    if (function.is_declaration) {
      return Error{"P0901", fmt::format("`{}` is declared .extern and no module defines it; `{}` may call it",
                                        function.name, entry.name)};
    }
    module.functions[f] = declare_function(module, f);
  }
  for (uint32_t f = 0; f < ptx.functions.size(); ++f) {
    if (module.functions[f]) FunctionLowering(module, f).run();
  }
  debug.finalize();
  if (module.error) return *module.error;

  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*llvm_module, &stream)) {
    return Error{"X0001", fmt::format("lowering `{}` made invalid IR: {}", entry.name, stream.str())};
  }
  return llvm_module;
}

}  // namespace warpwise::simt
