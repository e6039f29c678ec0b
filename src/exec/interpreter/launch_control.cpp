// clusterlaunchcontrol (PTX ISA 9.7.13.17, 9.7.13.18): a cluster asks for the work of one that has not started. Which
// one it gets, and that it gets one, is decided when it asks; the answer arrives as late as other copies do.
#include <cstring>

#include "exec/interpreter/cluster.h"
#include "exec/interpreter/dispatch.h"
#include "exec/memory/arena.h"

namespace warpwise::exec::interpreter {

using device::Address;
using device::Failure;
using ptx::Mod;
using ptx::Type;

namespace {

uint32_t word(Step& s, unsigned index) { return static_cast<uint32_t>(s.bits_in(1, Type::B128) >> (32 * index)); }

}  // namespace

void run_clusterlaunchcontrol_try_cancel(Step& s) {
  Cluster& cluster = s.block.cluster;
  const Address to = s.generic_address(s.operand(0), s.inst.space()), mbarrier = s.mbarrier(1);
  if (mbarrier == 0) return;
  const Block* of = cluster.owner_of_shared(to, simt::kCancelBytes);
  const Block* told = cluster.owner_of_shared(mbarrier, sizeof(uint64_t));
  if (!of)
    return s.fail(Failure::IllegalAddress, "clusterlaunchcontrol.try_cancel to an address outside shared memory", to);
  if (to % simt::kCancelBytes != 0)
    return s.fail(Failure::MisalignedAddress,
                  "clusterlaunchcontrol.try_cancel to an address that is not aligned to 16 bytes", to);
  const std::array<uint32_t, simt::kCancelWords> answer = cluster.take_another();
  auto launch = [&](Address there, Address hears) {
    cluster.launch({hears, [&cluster, answer, there, hears] {
                      std::memcpy(engine_view(there), answer.data(), simt::kCancelBytes);
                      cluster.land(simt::MbarrierOp::CompleteTx, hears, simt::kCancelBytes);
                    }});
  };
  if (!s.has(Mod::MulticastClusterAll)) return launch(to, mbarrier);
  for (const auto& block : cluster.blocks)
    launch(to - of->shared + block->shared, mbarrier - told->shared + block->shared);
}

void run_clusterlaunchcontrol_is_canceled(Step& s) { s.d(Bits{word(s, simt::kCanceledWord) != 0}, Type::Pred); }
void run_clusterlaunchcontrol_first_ctaid(Step& s) {
  // All at once: the response may be named by none of them, but a register may stand twice.
  const uint32_t words[] = {word(s, 0), word(s, 1), word(s, 2), word(s, 3)};
  for (unsigned n = 0; n < simt::kCancelWords; ++n) s.out(s.operand(0).elements[n], words[n], Type::B32);
}
void run_clusterlaunchcontrol_first_ctaid_one(Step& s) {
  s.d(Bits{word(s, s.has(Mod::GetFirstCtaidX) ? 0 : s.has(Mod::GetFirstCtaidY) ? 1 : 2)}, Type::B32);
}

}  // namespace warpwise::exec::interpreter
