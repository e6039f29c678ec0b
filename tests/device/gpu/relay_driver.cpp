// A "driver" that runs kernels: it passes every function on to our own libcuda, which runs them on the virtual GPU. So
// whole programs can be run on src/device/gpu without a GPU:
//
//     program ─► libcudart ─► GpuDevice ─► this library ─┊─► libcuda ─► libcudart ─► VirtualDevice
//                                                        ┊   in a namespace of the loader of its own
//
// In one namespace there would be one libcudart with one device, and the circle would never end. What is proved is that
// the calls make sense to a driver that checks them, not that NVIDIA's takes them: tests/gpu says how to ask a GPU.
//
// RELAY_TO names our libcuda, RELAY_OPTIONS is its WARPWISE_OPTIONS. Without it kernels are compiled before they run:
// when the program calls exit(), the C library of the other namespace does not hear of it, and a compiler that goes on
// beside a kernel could not be stopped in time.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

// One place for each function, and code that jumps there. (The arguments stay where the caller has put them.)
#define FUNCTION(name, symbol, since, need, parameters)                \
  extern "C" __attribute__((visibility("hidden"))) void* relay_##name; \
  void* relay_##name = nullptr;                                        \
  asm(".text\n.globl " symbol "\n.type " symbol ",@function\n" symbol ":\n  jmp *relay_" #name "(%rip)\n");
#include "device/gpu/driver_api.inc"
#undef FUNCTION

namespace {

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "relay driver: %s\n", what);
  std::abort();
}

ssize_t write_here(void*, const char* text, size_t bytes) {
  return static_cast<ssize_t>(std::fwrite(text, 1, bytes, stdout));
}

// The C library of the program's namespace does not see the threads that the other one starts. While it believes that
// there is one thread, it releases mutexes that both share, the loader's among them, without waking who waits for them.
void show_a_second_thread() {
  std::thread([] {
    for (;;) pause();
  }).detach();
}

__attribute__((constructor)) void connect() {
  show_a_second_thread();
  const char* path = std::getenv("RELAY_TO");
  if (!path) give_up("RELAY_TO names no library");
  void* library = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
  if (!library) give_up(dlerror());
  // The namespace has a C library of its own, with the environment as it was when the process began.
  auto set = reinterpret_cast<int (*)(const char*, const char*, int)>(dlsym(library, "setenv"));
  const char* options = std::getenv("RELAY_OPTIONS");
  set("WARPWISE_OPTIONS", options ? options : R"({"tiers": "compiled"})", 1);
  // What kernels print there goes to the stdout of the program, in its order.
  auto open = reinterpret_cast<FILE* (*)(void*, const char*, cookie_io_functions_t)>(dlsym(library, "fopencookie"));
  auto buffer = reinterpret_cast<int (*)(FILE*, char*, int, size_t)>(dlsym(library, "setvbuf"));
  FILE* out = open(nullptr, "w", {.read = nullptr, .write = write_here, .seek = nullptr, .close = nullptr});
  buffer(out, nullptr, _IONBF, 0);
  *static_cast<FILE**>(dlsym(library, "stdout")) = out;
#define FUNCTION(name, symbol, since, need, parameters) relay_##name = dlsym(library, symbol);
#include "device/gpu/driver_api.inc"
#undef FUNCTION
}

}  // namespace
