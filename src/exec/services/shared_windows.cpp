#include "exec/services/shared_windows.h"

#include "exec/fibers/cluster.h"

namespace warpwise::exec {

namespace {

device::Address start_of(const BlockRun& run) { return run.context.shared - simt::kAliasOffset; }

bool holds(const BlockRun& run, device::Address address, size_t bytes) {
  uint64_t offset = address - start_of(run), size = run.context.total_shared_bytes;
  return offset <= size && bytes <= size - offset;
}

}  // namespace

const BlockRun* owner_of_shared(const BlockRun& run, device::Address address, size_t bytes) {
  if (holds(run, address, bytes)) return &run;
  for (uint32_t rank = 0; run.cluster && rank < run.cluster->size(); ++rank)
    if (holds(run.cluster->block(rank), address, bytes)) return &run.cluster->block(rank);
  return nullptr;
}

std::optional<device::Address> cluster_to_generic(const BlockRun& run, uint64_t address) {
  uint64_t rank = address >> simt::kClusterRankBit, offset = address & simt::kClusterOffsetMask;
  if (rank == 0) return start_of(run) + offset;
  if (!run.cluster || rank > run.cluster->size()) return std::nullopt;
  return start_of(run.cluster->block(static_cast<uint32_t>(rank - 1))) + offset;
}

std::optional<uint64_t> generic_to_cluster(const BlockRun& run, device::Address address) {
  if (holds(run, address, 0)) return address - start_of(run);
  for (uint32_t rank = 0; run.cluster && rank < run.cluster->size(); ++rank) {
    const BlockRun& block = run.cluster->block(rank);
    if (holds(block, address, 0)) return (uint64_t{rank} + 1) << simt::kClusterRankBit | (address - start_of(block));
  }
  return std::nullopt;
}

}  // namespace warpwise::exec
