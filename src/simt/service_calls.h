// Calls of services in LLVM's code, and how each mode serves the functions of the dialect (services.inc).
//
//     SmallVector<Value*, 16> values = service_arguments(b, served_in_simt_mode(which), arguments, role);
//     call_service(b, table, Service::poll, values)
//
//     %table = load ptr, ptr (block + offsetof(BlockContext, services))
//     %poll  = load ptr, ptr (%table + service_offset(Service::poll))
//     call void %poll(ptr %block, i32 %warp, i32 17)
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include "simt/analysis/dialect_calls.h"
#include "simt/services.h"

namespace warpwise::simt {

// How a mode serves a function of the dialect. For the classes Thread and Block: own code.
const ServedBy& served_in_simt_mode(Dialect function);
const ServedBy& served_by_thread(Dialect function);
const ServedBy& served_in_warp_mode(Dialect function);  // independent-warp mode

llvm::FunctionType* service_type(Service service, llvm::LLVMContext& context);

// The address of a service. `table`: BlockContext::services.
llvm::LoadInst* load_service(llvm::IRBuilderBase& b, llvm::Value* table, Service service);

// The same at the beginning of a function whose first argument is the BlockContext: loaded once, for all its calls.
llvm::LoadInst* load_service_at_entry(llvm::Function& function, Service service);

// `arguments` must have the types of the service.
llvm::CallInst* call_service(llvm::IRBuilderBase& b, llvm::Value* table, Service service,
                             llvm::ArrayRef<llvm::Value*> arguments);

// The values to call a service with: `arguments` are those of the dialect's call, and `role` gives the value of a
// parameter with a role. An i1 becomes the i32 that the service takes.
llvm::SmallVector<llvm::Value*, 16> service_arguments(llvm::IRBuilderBase& b, const ServedBy& served,
                                                      llvm::ArrayRef<llvm::Value*> arguments,
                                                      llvm::function_ref<llvm::Value*(Role)> role);

}  // namespace warpwise::simt
