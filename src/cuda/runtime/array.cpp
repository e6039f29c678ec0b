// CUDA arrays: so far only the description of their elements.
#include "cuda/runtime/api.h"

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
