// clusterlaunchcontrol (PTX ISA 9.7.13.17, 9.7.13.18): a cluster asks for the work of one that has not started. The
// answer is 16 bytes that only the query may interpret; simt/abi.h defines ours.
#include "simt/abi.h"
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Type;

namespace {

Value word(Emit& e, unsigned index) { return trunc(e.in(1, Type::B128) >> (32 * index), 32); }

}  // namespace

void lower_clusterlaunchcontrol_try_cancel(Emit& e) {
  const ptx::Space space = e.inst->space();
  e.call(Dialect::ClusterTryCancel, e.generic_address(0, space), e.generic_address(1, space),
         e.i32(e.has(Mod::MulticastClusterAll)));
}

void lower_clusterlaunchcontrol_is_canceled(Emit& e) { e.d(word(e, kCanceledWord) != 0); }
void lower_clusterlaunchcontrol_first_ctaid(Emit& e) {
  for (unsigned n = 0; n < kCancelWords; ++n) e.out(e.operand(0).elements[n], word(e, n));
}
void lower_clusterlaunchcontrol_first_ctaid_one(Emit& e) {
  e.d(word(e, e.has(Mod::GetFirstCtaidX) ? 0 : e.has(Mod::GetFirstCtaidY) ? 1 : 2));
}

}  // namespace warpwise::simt
