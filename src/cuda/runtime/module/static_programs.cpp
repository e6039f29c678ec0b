// Programs that contain NVIDIA's runtime (nvcc's default, -cudart static).
//
// That runtime talks to NVIDIA's driver through private tables, which no other driver can offer. But the linker leaves
// the names of its functions in the program. `warpwise run` therefore loads this library first (LD_PRELOAD). Before any
// code of the program runs, the first bytes of each function that this library implements become a jump to its
// implementation here:
//
//     program:  __cudaRegisterFatBinary, cudaMalloc, cudaLaunchKernel ...   ──jmp──►   libcudart
//
// `strip` removes the names; then `warpwise run` says how to link the program again (src/cli/support/static_runtime.h).
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "base/elf_file.h"
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"

#if defined(__x86_64__)

namespace warpwise::cuda {

namespace {

// jmp *0(%rip), then the address.
struct [[gnu::packed]] Jump {
  unsigned char opcode[6] = {0xff, 0x25, 0, 0, 0, 0};
  const void* target;
};

using Functions = std::unordered_map<std::string_view, const void*>;

// The functions that programs of either version call; CUDA 13 gave a few names other parameters (versions.cpp).
Functions functions_for(bool cuda12) {
  Functions all;
#define CUDART(name, group, state, result, parameters) all.emplace(#name, reinterpret_cast<const void*>(&name));
#define CUDART_PTSZ(name, group, state, result, parameters) \
  CUDART(name, group, state, result, parameters)            \
  all.emplace(#name "_ptsz", reinterpret_cast<const void*>(&name##_ptsz));
#define CUDART_PTDS(name, group, state, result, parameters) \
  CUDART(name, group, state, result, parameters)            \
  all.emplace(#name "_ptds", reinterpret_cast<const void*>(&name##_ptds));
#define CUDART_13_ABI(name, ...) \
  if (!cuda12) all[#name] = reinterpret_cast<const void*>(&name##_cuda13);
#define CUDART_13_ABI_PTSZ(name, ...) \
  CUDART_13_ABI(name)                 \
  if (!cuda12) all[#name "_ptsz"] = reinterpret_cast<const void*>(&name##_ptsz_cuda13);
#include "cuda/runtime/api.inc"
  return all;
}

// The offset of the program's addresses.
uintptr_t load_base() {
  uintptr_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* program, size_t, void* out) {
        *static_cast<uintptr_t*>(out) = program->dlpi_addr;
        return 1;  // the program comes first
      },
      &base);
  return base;
}

bool write_code(uintptr_t at, const Jump& jump) {
  uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE)), first = at & ~(page - 1);
  auto* start = reinterpret_cast<void*>(first);
  size_t bytes = at + sizeof jump - first;
  if (mprotect(start, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  std::memcpy(reinterpret_cast<void*>(at), &jump, sizeof jump);
  return mprotect(start, bytes, PROT_READ | PROT_EXEC) == 0;
}

// Runs before the program's own constructors, which register its kernels.
__attribute__((constructor)) void redirect_static_runtime() {
  if (!std::getenv("WARPWISE_STATIC_RUNTIME")) return;
  auto program = ElfFile::open("/proc/self/exe");
  if (!program) return;
  bool carries_runtime = false, cuda12 = false;
  std::vector<ElfSymbol> symbols = program->all_symbols();
  for (const ElfSymbol& symbol : symbols) {
    if (!symbol.defined || !symbol.function) continue;
    if (symbol.name == "__cudaRegisterFatBinary") carries_runtime = true;
    if (symbol.name == "cudaGetDeviceProperties_v2") cuda12 = true;
  }
  if (!carries_runtime) return;  // a child process that runs another program
  Functions ours = functions_for(cuda12);
  uintptr_t base = load_base();
  for (const ElfSymbol& symbol : symbols) {
    auto found = ours.find(symbol.name);
    if (found == ours.end() || !symbol.defined || !symbol.function || symbol.size < sizeof(Jump)) continue;
    if (write_code(base + symbol.address, Jump{.target = found->second})) continue;
    say("the system does not let the program's copy of the CUDA runtime be replaced: link it with -cudart shared");
    std::_Exit(126);
  }
}

}  // namespace

}  // namespace warpwise::cuda

#endif
