// Clusters: their barrier, and addresses in the shared memory of their blocks (PTX ISA 9.7.9.23, 9.7.9.24,
// 9.7.13.3). simt/abi.h defines the form of such addresses.
#include "simt/abi.h"
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Type;

void lower_barrier_cluster_arrive(Emit& e) { e.call(Dialect::ClusterArrive); }
void lower_barrier_cluster_wait(Emit& e) { e.call(Dialect::ClusterWait); }

// The same place in the block of rank b.
void lower_mapa(Emit& e) {
  Value rank = zext(e.call(Dialect::ClusterRankBits, e.b(Type::U32)), 64), address = e.a(Type::U64);
  auto there = [&](Value a) { return (a & kClusterOffsetMask) | rank; };
  if (!e.has(Mod::SharedCluster))
    return e.d(e.call(Dialect::ClusterToGeneric, there(e.call(Dialect::GenericToCluster, address))));
  e.d(trunc(e.seen_cluster_address(there(address)), ptx::bits_of(e.type())));
}

void lower_getctarank(Emit& e) {
  Value address = e.a(Type::U64);
  if (e.has(Mod::SharedCluster)) address = e.call(Dialect::ClusterToGeneric, e.cluster_address(e.wrapped(address)));
  e.d(e.call(Dialect::RankOfAddress, address));
}

// Registers are not limited here, and a grid starts only when the one before it has ended.
void lower_setmaxnreg(Emit&) {}
void lower_griddepcontrol(Emit&) {}

}  // namespace warpwise::simt
