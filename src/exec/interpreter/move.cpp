// Moves and addresses (PTX ISA 9.7.9): mov, prmt, cvta, isspacep.
#include <algorithm>

#include "exec/interpreter/cluster.h"
#include "exec/interpreter/dispatch.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Space;
using ptx::Type;

// Step packs and unpacks {...} and takes addresses of symbols.
void run_mov(Step& s) { s.d(s.bits_in(1, s.type()), s.type()); }

namespace {

// Which byte of b:a (0 to 7, plus 8 for "its sign, eight times") byte i of the result takes: the manual's
// tables (9.7.9.7).
unsigned selector(const Step& s, uint32_t c, unsigned i) {
  unsigned n = c & 3;
  if (s.has(Mod::F4e)) return n + i;
  if (s.has(Mod::B4e)) return (n - i) & 7;
  if (s.has(Mod::Rc8)) return n;
  if (s.has(Mod::Ecl)) return std::max(n, i);
  if (s.has(Mod::Ecr)) return std::min(n, i);
  if (s.has(Mod::Rc16)) return (n & 1) * 2 + (i & 1);
  return c >> (4 * i) & 0xf;
}

}  // namespace

void run_prmt(Step& s) {
  Bits bytes = s.bits_in(1, Type::B32) | s.bits_in(2, Type::B32) << 32;
  uint32_t c = s.u32(3);
  Bits result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned which = selector(s, c, i);
    Bits byte = bytes >> (8 * (which & 7)) & 0xff;
    if (which & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  s.d(result, Type::B32);
}

namespace {

// The generic address of a space's offset 0. Global and constant addresses are generic already. A device
// function's parameters live in local memory once their address is taken.
device::Address window(const Step& s, Space space) {
  switch (space) {
    case Space::Shared:
      return s.block.shared;
    case Space::Local:
      return s.local_window();
    case Space::Param:
      return s.function().is_entry ? s.block.run.parameters : s.local_window();
    default:
      return 0;
  }
}

uint64_t address(Step& s) { return static_cast<uint64_t>(s.bits_in(1, Type::U64)); }

bool inside(uint64_t address, device::Address base, uint64_t bytes) { return address - base < bytes; }

}  // namespace

void run_cvta(Step& s) {
  if (s.has(Mod::SharedCluster))
    return s.d(Bits{s.block.cluster.to_generic(s.block, s.cluster_address(static_cast<uint32_t>(address(s))))},
               s.type());
  const uint64_t from = s.inst.space() == Space::Shared ? s.shared_offset(address(s)) : address(s);
  s.d(Bits{from + window(s, s.inst.space())}, s.type());
}
void run_cvta_to(Step& s) {
  if (s.has(Mod::SharedCluster))
    return s.d(Bits{s.seen_cluster_address(s.block.cluster.to_shared(s.block, address(s)))}, s.type());
  const uint64_t to = address(s) - window(s, s.inst.space());
  s.d(Bits{s.inst.space() == Space::Shared ? s.seen_address(to) : to}, s.type());
}

// The window of kernel parameters lies within .global (9.7.9.19), that of constants does not: an H200 says so. Ours lie
// behind the module's global variables (ptx/layout.h).
void run_isspacep(Step& s) {
  const Block& block = s.block;
  uint64_t at = address(s);
  bool shared = inside(at, block.shared, block.shared_bytes);
  if (s.has(Mod::SharedCluster)) shared = block.cluster.owner_of_shared(at, 1) != nullptr;
  bool local = inside(at, block.local, block.threads.size() * uint64_t{block.run.program.local_bytes});
  bool param = inside(at, block.run.parameters, block.run.launch.parameters.size());
  const KernelImage& image = block.run.program.image;
  bool constant = inside(at, image.globals + image.globals_layout->const_begin, image.globals_layout->const_bytes);
  bool result = false;
  switch (s.inst.space()) {
    case Space::Shared:
      result = shared;
      break;
    case Space::Local:
      result = local;
      break;
    case Space::Param:
      result = param;
      break;
    case Space::Const:
      result = constant;
      break;
    case Space::Global:
      result = !shared && !local && !constant;
      break;
    default:
      break;
  }
  s.d(Bits{result}, Type::Pred);
}

}  // namespace warpwise::exec::interpreter
