// Loading device code that the program supplies. A CUmodule, a CUlibrary and a cudaLibrary_t are all a Module here.
#pragma once

#include <string>

#include "cuda/runtime/module/jit_options.h"
#include "cuda/runtime/module/modules.h"

namespace warpwise::cuda {

// PTX, a fat binary, or a wrapper around one. Errors are also written to the options' log.
cudaError_t load_image(Process& process, device::Device& gpu, const void* image, const JitOptions& options,
                       Module** out);
cudaError_t read_file(const char* path, std::string* out);

// cudaErrorInvalidResourceHandle for a handle that is not a module.
cudaError_t check_module(Process& process, const void* handle, Module** out);
// A variable and a kernel of a module; cudaErrorSymbolNotFound.
cudaError_t find_global(device::Device& gpu, Module& module, const char* name, device::SymbolInfo* out);
cudaError_t find_function(Module& module, const char* name, Kernel** out);

}  // namespace warpwise::cuda
