// One function on its way from PTX to the dialect: its registers, blocks and places in memory.
#pragma once

#include <llvm/IR/DIBuilder.h>

#include <array>
#include <optional>
#include <vector>

#include "base/result.h"
#include "ptx/layout.h"
#include "simt/instrument/counts.h"
#include "simt/instrument/modelled_clocks.h"
#include "simt/lower/support/emit.h"

namespace warpwise::simt {

// What the functions of one kernel share.
struct ModuleLowering {
  const ptx::Module& ptx;
  const ptx::KernelLayout& layout;
  const ptx::GlobalsLayout globals;
  std::array<uint32_t, 3> block;
  llvm::Module& llvm;
  std::vector<llvm::Function*> functions;  // by ptx function index; null: not reachable or a service
  llvm::DIBuilder& debug;
  llvm::DIFile* file = nullptr;
  std::vector<uint32_t> cells;   // counts.h, by function; empty when nothing is counted
  bool count_slow_ways = false;  // instrument/count_slow_ways.h
  uint32_t watch = 0;            // bits of Watch (events.h) that lowering serves
  const ModelledClocks& clocks;
  const ReportedValues& values;
  const bool pairs;            // ptx::works_for_pairs: how addresses in shared memory look
  std::optional<Error> error;  // the first one; lowering goes on and its result is dropped
};

// How a value of PTX registers is typed: see registers.cpp.
struct RegisterSlot {
  std::array<llvm::AllocaInst*, 4> parts{};  // one, or one per component of a vector register
  llvm::Type* type = nullptr;
};

class FunctionLowering {
 public:
  FunctionLowering(ModuleLowering& module, uint32_t index);
  void run();

  ModuleLowering& module;
  const ptx::Function& ptx;
  const uint32_t index;
  llvm::Function* const function;
  Builder builder;
  Emit e;

  std::vector<RegisterSlot> registers;
  std::vector<llvm::BasicBlock*> label_blocks;     // by label
  std::vector<llvm::AllocaInst*> param_variables;  // by Function::variables; .param ones, which calls pass
  std::vector<llvm::Value*> parameters, returns;   // of a device function: the pointers that it was given
  // By parameter: where in the frame the copy of one lies whose address is taken; kNotPlaced for the others.
  std::vector<uint64_t> parameter_copies;
  llvm::BasicBlock* return_block = nullptr;
  llvm::AllocaInst* stack_pointer = nullptr;  // functions with `alloca`: the free part of local memory
  llvm::AllocaInst* passed = nullptr;         // clocks that have passed, where they are modelled
  llvm::AllocaInst* carry = nullptr;          // CC.CF, once something uses it
  std::optional<Value> guard;                 // set while a guarded instruction is lowered to selects

  llvm::AllocaInst* entry_alloca(llvm::Type* type, const llvm::Twine& name);
  // An i64: the offset in local memory of this function's frame, and of the first byte after it.
  Value frame();
  Value free_local();
  void check_stack();
  // Ends the current block with a branch, unless it has an end already.
  void jump(llvm::BasicBlock* target);
  void fail(const char* code, std::string message);

 private:
  void choose_registers();
  void make_blocks();
  void pass_clocks(uint32_t index);
  void lower_instruction(uint32_t index);
  void lower_instrumented();
};

// The LLVM type of each register, by use (registers.cpp).
std::vector<llvm::Type*> register_types(const ptx::Function& function, llvm::LLVMContext& context);

}  // namespace warpwise::simt
