// Published copies on an H100 (github.com/yencal/gpu-bandwidth-benchmark, whose figure has the bandwidths), for comparison with the model:
// scripts/model_table.py copy. The kernel is ours, after the description.
//
//   copy<Word>   a thread copies one word of 1 to 16 bytes; blocks of 1024 threads
//
//     warpwise profile --device=h100 kernels/published/copy.cu [bytes]        2^30 in the published figure
#include "../../examples/common.h"

template <class Word>
__global__ void copy(const Word* __restrict__ in, Word* __restrict__ out, size_t n) {
  size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

int main(int argc, char** argv) {
  const size_t bytes = argument(argc, argv, 1, 1 << 24) / 16 * 16;
  std::vector<unsigned char> host(bytes);
  for (size_t i = 0; i < bytes; ++i) host[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  DeviceArray<unsigned char> in(host), out(bytes);
  Verdict verdict;
  auto step = [&]<class Word>(const char* name, Word) {
    out.clear();
    const size_t n = bytes / sizeof(Word);
    copy<<<unsigned((n + 1023) / 1024), 1024>>>(reinterpret_cast<const Word*>(in.data), reinterpret_cast<Word*>(out.data), n);
    check_kernel();
    verdict.check(name, out.to_host() == host);
  };
  step("1 byte", static_cast<unsigned char>(0));
  step("2 bytes", static_cast<unsigned short>(0));
  step("4 bytes", 0u);
  step("8 bytes", uint2());
  step("16 bytes", uint4());
  return verdict.finish("copy");
}
