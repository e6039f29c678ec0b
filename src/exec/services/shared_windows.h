// Which shared memory an address means: that of the own block, or of another one of the cluster.
//
// Every block's shared memory lies somewhere in the arena, so a generic address names it for every block.
// .shared::cluster addresses (simt/abi.h, kClusterRankBit) are the short form that mapa makes.
#pragma once

#include <cstddef>
#include <optional>

#include "exec/launch/block_run.h"

namespace warpwise::exec {

// The block of `run`'s cluster whose shared memory holds [address, address + bytes), or null.
const BlockRun* owner_of_shared(const BlockRun& run, device::Address address, size_t bytes);

// Nothing where no block of the cluster is meant.
std::optional<device::Address> cluster_to_generic(const BlockRun& run, uint64_t address);
std::optional<uint64_t> generic_to_cluster(const BlockRun& run, device::Address address);

}  // namespace warpwise::exec
