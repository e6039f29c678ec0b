// A C++ program that contains a virtual GPU: it compiles a kernel from a string, runs it, and reads its results, its
// output, and the report of a mistake.
//
//     embed              compiles with the CUDA compiler of this machine (Clang 19, or nvcc)
//     embed kernel.ptx   takes the kernel `scale` from a file of PTX
#include <warpwise/warpwise.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr const char* kSource = R"(
#include <cstdio>
extern "C" __global__ void scale(float* data, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) printf("%d elements, %d blocks\n", n, gridDim.x);
  if (i < n) data[i] *= factor;
}
)";

int complain(const warpwise::Error& error) {
  std::fprintf(stderr, "%s: %s\n", error.code.c_str(), error.message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  warpwise::Options options;
  options.device = "a100";
  options.timeout_seconds = 10;
  std::string printed;
  options.observers.print = [&](std::string_view text) { printed += text; };
  auto device = warpwise::Device::open(options);
  if (!device) return complain(device.error());

  auto load = [&]() -> warpwise::Result<warpwise::Module> {
    if (argc < 2) return device->compile(kSource, {.name = "scale.cu"});
    std::ifstream file(argv[1]);
    return device->load(std::string(std::istreambuf_iterator<char>(file), {}), argv[1]);
  };
  auto module = load();
  if (!module) return complain(module.error());
  auto kernel = module->kernel("scale");
  if (!kernel) return complain(kernel.error());

  // Launches are submitted; download() waits for them.
  const int n = 1000;
  std::vector<float> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = static_cast<float>(i);
  auto memory = device->upload(numbers);
  if (!memory) return complain(memory.error());
  if (auto done = kernel->launch({.grid = {4}, .block = {256}}, *memory, 2.5f, n); !done) return complain(done.error());
  auto scaled = memory->download<float>();
  if (!scaled) return complain(scaled.error());
  for (int i = 0; i < n; ++i)
    if ((*scaled)[i] != numbers[i] * 2.5f) return complain({"", "a wrong result"});
  std::printf("%s: %d numbers scaled; the kernel says: %s", device->info().name.c_str(), n, printed.c_str());

  // A mistake: the kernel is told that there are more numbers than there are.
  if (auto done = kernel->launch({.grid = {4000}, .block = {256}}, *memory, 2.5f, 1'000'000); !done)
    return complain(done.error());
  auto failed = device->synchronize();
  if (failed) return complain({"", "the mistake went unnoticed"});
  std::printf("and when it is told wrong: %s: %s\n", failed.error().code.c_str(), failed.error().message.c_str());
  return 0;
}
