#include "exec/launch/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/occupancy.h"

namespace warpwise::exec {

using device::Failure;
using device::Properties;
using device::Status;

namespace {

template <class... A>
Status refuse(Failure failure, const device::KernelInfo& kernel, fmt::format_string<A...> format, A&&... arguments) {
  return {failure, fmt::format("kernel `{}`: {}", kernel.name, fmt::format(format, std::forward<A>(arguments)...))};
}

// CUDA C++ Programming Guide, "Thread Block Clusters": 8 on any device, 16 where a kernel opts in.
constexpr uint64_t kMaxCluster = 16;
// CUDA C++ Programming Guide, technical specifications: local memory of a thread, on all devices.
constexpr uint64_t kMaxLocalBytes = 512 << 10;

}  // namespace

unsigned blocks_per_sm(const Properties& p, const device::KernelInfo& kernel, uint32_t threads,
                       uint32_t dynamic_shared_bytes) {
  if (threads > kernel.max_threads_per_block) return 0;
  return device::blocks_per_multiprocessor(p, {.threads = threads,
                                               .registers = kernel.registers,
                                               .static_shared = kernel.static_shared_bytes,
                                               .dynamic_shared = dynamic_shared_bytes,
                                               .shared_limit = p.shared_per_block_optin_bytes});
}

device::Dim3 cluster_of(const device::KernelInfo& kernel, const device::Launch& launch) {
  return kernel.required_cluster.x != 0 && launch.cluster.count() == 1 ? kernel.required_cluster : launch.cluster;
}

Status check_launch(const Properties& p, const device::KernelInfo& kernel, const device::Launch& launch,
                    uint32_t dynamic_shared_limit) {
  const uint32_t grid[3] = {launch.grid.x, launch.grid.y, launch.grid.z};
  const uint32_t block[3] = {launch.block.x, launch.block.y, launch.block.z};
  for (int d = 0; d < 3; ++d) {
    if (grid[d] == 0 || grid[d] > Properties::kMaxGrid[d])
      return refuse(Failure::InvalidConfiguration, kernel, "gridDim.{} is {}: it must be from 1 to {}", "xyz"[d],
                    grid[d], Properties::kMaxGrid[d]);
    if (block[d] == 0 || block[d] > Properties::kMaxBlock[d])
      return refuse(Failure::InvalidConfiguration, kernel, "blockDim.{} is {}: it must be from 1 to {}", "xyz"[d],
                    block[d], Properties::kMaxBlock[d]);
  }
  uint64_t threads = launch.block.count();
  if (threads > Properties::kMaxThreadsPerBlock)
    return refuse(Failure::InvalidConfiguration, kernel, "a block of {} threads: at most {} are possible", threads,
                  Properties::kMaxThreadsPerBlock);
  if (threads > kernel.max_threads_per_block)
    return refuse(Failure::TooManyResources, kernel,
                  "a block of {} threads: the kernel is compiled for at most {} (__launch_bounds__)", threads,
                  kernel.max_threads_per_block);
  if (kernel.local_bytes > kMaxLocalBytes)
    return refuse(
        Failure::TooManyResources, kernel,
        "{} bytes of local memory for each thread: at most {} are possible; put large arrays in global memory",
        kernel.local_bytes, kMaxLocalBytes);
  const device::Dim3& required = kernel.required_block;
  if (required.x != 0 && (required.x != launch.block.x || required.y != launch.block.y || required.z != launch.block.z))
    return refuse(Failure::InvalidConfiguration, kernel, "the kernel is compiled for blocks of {}x{}x{} (.reqntid)",
                  required.x, required.y, required.z);
  if (launch.dynamic_shared_bytes > dynamic_shared_limit)
    return refuse(
        Failure::InvalidValue, kernel,
        "{} bytes of dynamic shared memory: {} are allowed; more (up to {}) must be asked for with "
        "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)",
        launch.dynamic_shared_bytes, dynamic_shared_limit,
        p.shared_per_block_optin_bytes - std::min(kernel.static_shared_bytes, p.shared_per_block_optin_bytes));
  if (kernel.static_shared_bytes > p.shared_per_block_optin_bytes)
    return refuse(Failure::TooManyResources, kernel, "{} bytes of shared memory: {} has {} per block",
                  kernel.static_shared_bytes, p.name, p.shared_per_block_optin_bytes);
  if (launch.parameters.size() != kernel.parameter_bytes)
    return refuse(Failure::InvalidValue, kernel, "{} bytes of parameters where the kernel takes {}",
                  launch.parameters.size(), kernel.parameter_bytes);
  const device::Dim3 size = cluster_of(kernel, launch), &compiled = kernel.required_cluster;
  if (compiled.x != 0 && (compiled.x != size.x || compiled.y != size.y || compiled.z != size.z))
    return refuse(Failure::InvalidConfiguration, kernel,
                  "the kernel is compiled for clusters of {}x{}x{} (.reqnctapercluster)", compiled.x, compiled.y,
                  compiled.z);
  if (size.count() > kMaxCluster)
    return refuse(Failure::InvalidClusterSize, kernel, "a cluster of {} blocks: at most {} are possible", size.count(),
                  kMaxCluster);
  const uint32_t cluster[3] = {size.x, size.y, size.z};
  for (int d = 0; d < 3; ++d)
    if (cluster[d] == 0 || grid[d] % cluster[d] != 0)
      return refuse(Failure::InvalidClusterSize, kernel, "gridDim.{} is {}: not a multiple of the cluster's {}",
                    "xyz"[d], grid[d], cluster[d]);
  if (launch.cooperative) {
    unsigned resident = blocks_per_sm(p, kernel, static_cast<uint32_t>(threads), launch.dynamic_shared_bytes);
    if (launch.grid.count() > uint64_t{resident} * p.sm_count)
      return refuse(Failure::CooperativeTooLarge, kernel,
                    "a cooperative grid of {} blocks: {} holds {} at once ({} per SM)", launch.grid.count(), p.name,
                    uint64_t{resident} * p.sm_count, resident);
  }
  return Status::success();
}

}  // namespace warpwise::exec
