// Variables of device code, named by the host's stand-in for them.
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/memory/copy.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

cudaError_t find_symbol(Process& process, device::Device& gpu, const void* symbol, device::SymbolInfo* out) {
  const Variable* variable = process.modules.find_variable(symbol);
  if (!variable)
    return fail(cudaErrorInvalidSymbol,
                "{} is not a variable of device code (pass the variable itself, "
                "not its name, its value or a device pointer)",
                symbol);
  return variable->module->resolve(gpu, *variable, out);
}

enum class Direction { ToSymbol, FromSymbol };

struct SymbolCopy {
  Direction direction;
  const void* symbol;
  const void* other;
  size_t count, offset;
  cudaMemcpyKind kind;
  cudaStream_t stream = nullptr;
  CopyMode mode = CopyMode::Blocking;
};

cudaError_t copy_symbol(const char* function, const SymbolCopy& request) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    bool to = request.direction == Direction::ToSymbol;
    cudaMemcpyKind against = to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    CUDA_TRY(check_kind(request.kind));
    if (request.kind == against || request.kind == cudaMemcpyHostToHost)
      return fail(cudaErrorInvalidMemcpyDirection, "the kind of copy has the wrong direction");
    device::SymbolInfo symbol;
    CUDA_TRY(find_symbol(process, gpu, request.symbol, &symbol));
    if (request.count == 0) return cudaSuccess;
    if (request.offset > symbol.size || request.count > symbol.size - request.offset)
      return process.checks.misused("C0505", reinterpret_cast<void*>(symbol.address + request.offset),
                                    fail(cudaErrorInvalidValue, "{} bytes from byte {} of a variable of {} bytes",
                                         request.count, request.offset, symbol.size));
    auto* inside = reinterpret_cast<void*>(symbol.address + request.offset);
    auto* other = const_cast<void*>(request.other);
    device::CopyShape shape{.width = request.count, .dst_pitch = request.count, .src_pitch = request.count};
    return copy(process, gpu,
                {to ? inside : other, to ? other : inside, shape, request.kind, request.stream, request.mode});
  });
}

}  // namespace

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return call("cudaGetSymbolAddress", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!pointer) return fail(cudaErrorInvalidValue, "the pointer for the address is null");
    device::SymbolInfo found;
    CUDA_TRY(find_symbol(process, gpu, symbol, &found));
    *pointer = reinterpret_cast<void*>(found.address);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return call("cudaGetSymbolSize", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!size) return fail(cudaErrorInvalidValue, "the pointer for the size is null");
    device::SymbolInfo found;
    CUDA_TRY(find_symbol(process, gpu, symbol, &found));
    *size = found.size;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyToSymbol", {Direction::ToSymbol, symbol, src, count, offset, kind});
}

cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  return copy_symbol("cudaMemcpyFromSymbol", {Direction::FromSymbol, symbol, dst, count, offset, kind});
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_symbol("cudaMemcpyToSymbolAsync",
                     {Direction::ToSymbol, symbol, src, count, offset, kind, stream, CopyMode::Async});
}

cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return copy_symbol("cudaMemcpyFromSymbolAsync",
                     {Direction::FromSymbol, symbol, dst, count, offset, kind, stream, CopyMode::Async});
}
