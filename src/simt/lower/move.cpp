// Moves and addresses (PTX ISA 9.7.9): mov, prmt, cvta, isspacep.
#include "simt/lower/dispatch.h"
#include "simt/lower/support/function_lowering.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Space;
using ptx::Type;

// Emit packs and unpacks {…} and takes addresses of symbols.
void lower_mov(Emit& e) { e.d(e.moved(1)); }

namespace {

// Which byte of b:a (0 to 7, and 8 for "its sign, eight times") byte i of the result takes.
Value selector(Emit& e, Value c, unsigned i) {
  Value n = c & 3;
  if (e.has(Mod::F4e)) return n + i;
  if (e.has(Mod::B4e)) return (n - i) & 7;
  if (e.has(Mod::Rc8)) return n;
  if (e.has(Mod::Ecl)) return umax(n, n.like(i));
  if (e.has(Mod::Ecr)) return umin(n, i);
  if (e.has(Mod::Rc16)) return (n & 1) * 2 + (i & 1);
  return (c >> (4 * i)) & 0xf;
}

}  // namespace

void lower_prmt(Emit& e) {
  Value bytes = zext(e.a(), 64) | (zext(e.b(), 64) << 32);
  Value c = e.c();
  bool default_mode = !e.has(Mod::F4e) && !e.has(Mod::B4e) && !e.has(Mod::Rc8) && !e.has(Mod::Ecl) &&
                      !e.has(Mod::Ecr) && !e.has(Mod::Rc16);
  Value result = e.i32(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value which = selector(e, c, i);
    Value byte = trunc(bytes >> (zext(which & 7, 64) * 8), 8);
    if (default_mode) byte = select((which & 8) != 0, ashr(byte, 7), byte);
    result = result | (zext(byte, 32) << (8 * i));
  }
  e.d(result);
}

namespace {

// The generic address of a space's offset 0. Global and constant addresses are generic already. A device
// function's parameters live in local memory once their address is taken (addresses.cpp).
Value window(Emit& e, Space space) {
  switch (space) {
    case Space::Shared:
      return e.call(Dialect::SharedBase);
    case Space::Local:
      return e.call(Dialect::LocalBase);
    case Space::Param:
      return e.call(e.function().ptx.is_entry ? Dialect::ParamBase : Dialect::LocalBase);
    default:
      return {};
  }
}

}  // namespace

void lower_cvta(Emit& e) {
  if (e.has(Mod::SharedCluster))
    return e.d(e.call(Dialect::ClusterToGeneric, e.cluster_address(e.wrapped(e.a(Type::U64)))));
  Value address = e.a(Type::U64), base = window(e, e.inst->space());
  if (e.inst->space() == Space::Shared) address = e.shared_offset(address);
  e.d(base ? address + base : address);
}
void lower_cvta_to(Emit& e) {
  if (e.has(Mod::SharedCluster)) return e.d(e.seen_cluster_address(e.call(Dialect::GenericToCluster, e.a(Type::U64))));
  Value address = e.a(Type::U64), base = window(e, e.inst->space());
  if (e.inst->space() == Space::Shared) return e.d(e.seen_address(address - base));
  e.d(base ? address - base : address);
}

namespace {

// Whether a generic address lies among the module's .const variables (ptx/layout.h).
Value is_constant(Emit& e, Value address) {
  const ptx::GlobalsLayout& globals = e.function().module.globals;
  if (globals.const_bytes == 0) return e.i1(false);
  return address - (e.call(Dialect::GlobalsBase) + globals.const_begin) < globals.const_bytes;
}

}  // namespace

// The window of kernel parameters lies within .global (9.7.9.19), that of constants does not, as an H200 shows. Our
// constants follow the module's global variables (ptx/layout.h).
void lower_isspacep(Emit& e) {
  Value address = e.a(Type::U64);
  if (e.has(Mod::SharedCluster)) return e.d(e.call(Dialect::RankOfAddress, address) != ~0u);
  switch (e.inst->space()) {
    case Space::Shared:
      return e.d(e.call(Dialect::IsShared, address));
    case Space::Local:
      return e.d(e.call(Dialect::IsLocal, address));
    case Space::Param:
      return e.d(e.call(Dialect::IsParam, address));
    case Space::Const:
      return e.d(is_constant(e, address));
    case Space::Global:
      return e.d(!(e.call(Dialect::IsShared, address) | e.call(Dialect::IsLocal, address) | is_constant(e, address)));
    default:
      return e.d(e.i1(false));
  }
}

}  // namespace warpwise::simt
