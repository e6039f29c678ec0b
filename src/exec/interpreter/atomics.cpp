// Atomic operations (PTX ISA 9.7.13.6 atom, 9.7.13.7 red). Threads take turns between instructions, so a
// read and a write are enough. red is atom without a result.
#include <cstring>

#include "exec/interpreter/choices.h"
#include "exec/interpreter/cluster.h"
#include "exec/interpreter/dispatch.h"
#include "exec/interpreter/floating.h"
#include "exec/interpreter/reduce.h"

namespace warpwise::exec::interpreter {

using ptx::Mod;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

bool is_red(const Step& s) { return s.inst.spec().opcode == "red"; }
unsigned address_index(const Step& s) { return is_red(s) ? 0 : 1; }
unsigned b_index(const Step& s) { return address_index(s) + 1; }

// *at = f(*at), `bytes` wide; the old value.
template <class F>
Bits update(std::byte* at, unsigned bytes, F f) {
  Bits old = 0;
  std::memcpy(&old, at, bytes);
  Bits desired = f(old);
  std::memcpy(at, &desired, bytes);
  return old;
}

// The whole instruction: d = *a; *a = f(*a, b), with both as bits of the instruction's type.
template <class F>
void atomic(Step& s, F f) {
  Type type = s.type();
  Bits b = s.bits_in(b_index(s), type);
  std::byte* at = s.memory(address_index(s), s.inst.space(), ptx::bytes_of(type));
  if (!at) return;
  s.block.commit_stores(s.thread);
  s.thread.polls = true;
  Bits old = update(at, ptx::bytes_of(type), [&](Bits value) { return f(value, b); });
  if (!is_red(s)) s.d(old, type);
}

// The same on numbers of the instruction's type.
template <class F>
void arithmetic(Step& s, F f) {
  Type type = s.type();
  atomic(s, [&](Bits old, Bits b) { return static_cast<Bits>(f(number_of(old, type), number_of(b, type))); });
}

// atom.add.f32 on global memory flushes what comes in and what goes out (9.7.13.6).
Bits add_f32_flushed(Bits old, Bits b) { return bits_of(canonical(flush(flush(float_of(old)) + flush(float_of(b))))); }
Bits add_f32(const Step& s, Bits old, Bits b) {
  return s.inst.space() == Space::Global ? add_f32_flushed(old, b) : bits_of(canonical(float_of(old) + float_of(b)));
}
Bits add_f64(Bits old, Bits b) { return bits_of(double_of(old) + double_of(b)); }

Bits logic(const Step& s, Bits old, Bits b) { return s.has(Mod::And) ? old & b : s.has(Mod::Or) ? old | b : old ^ b; }

// .add, .min and .max on each 16-bit number of a word.
Bits half_operation(const Step& s, Bits old, Bits b) {
  Format format = format_of(s.type());
  Bits result = 0;
  for (unsigned at = 0; at < s.bits(); at += 16) {
    double x = read(format, static_cast<uint64_t>(old >> at & 0xffff)),
           y = read(format, static_cast<uint64_t>(b >> at & 0xffff));
    double value = s.has(Mod::Add) ? to_odd([=] { return x + y; }) : min_max(s, x, y, s.has(Mod::Max));
    result |= Bits{round_to(format, value, Round::Nearest)} << at;
  }
  return result;
}

// Element by element: the manual promises atomicity of each alone.
template <class F>
void vector(Step& s, F f) {
  const std::vector<Operand>& values = s.operand(b_index(s)).elements;
  unsigned bytes = ptx::bytes_of(s.type());
  std::byte* at = s.memory(address_index(s), Space::Global, bytes * static_cast<unsigned>(values.size()));
  if (!at) return;
  s.block.commit_stores(s.thread);
  s.thread.polls = true;
  std::vector<Bits> old;
  for (size_t k = 0; k < values.size(); ++k) {
    Bits b = s.bits_in(values[k], s.type());
    old.push_back(update(at + k * bytes, bytes, [&](Bits value) { return f(value, b); }));
  }
  if (is_red(s)) return;
  for (size_t k = 0; k < old.size(); ++k) s.out(s.operand(0).elements[k], old[k], s.type());
}

}  // namespace

Bits reduced(const Step& s, Bits old, Bits b) {
  const Type type = s.type();
  switch (type) {
    case Type::F32:
      return add_f32_flushed(old, b);
    case Type::F64:
      return add_f64(old, b);
    case Type::F16:
    case Type::F16x2:
    case Type::BF16:
    case Type::BF16x2:
      return half_operation(s, old, b);
    default:
      break;
  }
  if (s.has(Mod::Add)) return old + b;
  if (s.has(Mod::Min) || s.has(Mod::Max))
    return (number_of(old, type) < number_of(b, type)) == s.has(Mod::Min) ? old : b;
  return logic(s, old, b);
}

void run_atom_logic(Step& s) {
  atomic(s, [&](Bits old, Bits b) { return logic(s, old, b); });
}
void run_atom_exch(Step& s) {
  atomic(s, [](Bits, Bits b) { return b; });
}
void run_atom_cas(Step& s) {
  Bits desired = s.bits_in(3, s.type());
  atomic(s, [&](Bits old, Bits expected) { return old == expected ? desired : old; });
}
void run_atom_add_int(Step& s) {
  arithmetic(s, [](Number old, Number b) { return old + b; });
}
// inc: past b back to 0. dec: from 0, or from beyond b, to b.
void run_atom_inc_dec(Step& s) {
  arithmetic(s, [&](Number old, Number b) {
    if (s.has(Mod::Inc)) return old >= b ? Number{0} : old + 1;
    return old == 0 || old > b ? b : old - 1;
  });
}
void run_atom_min_max(Step& s) {
  arithmetic(s, [&](Number old, Number b) { return s.has(Mod::Min) ? std::min(old, b) : std::max(old, b); });
}
void run_atom_add_f32(Step& s) {
  atomic(s, [&](Bits old, Bits b) { return add_f32(s, old, b); });
}
void run_atom_add_f64(Step& s) { atomic(s, add_f64); }
void run_atom_add_f16(Step& s) {
  atomic(s, [&](Bits old, Bits b) { return half_operation(s, old, b); });
}
void run_atom_add_bf16(Step& s) { run_atom_add_f16(s); }
void run_atom_vec_f32(Step& s) {
  vector(s, [&](Bits old, Bits b) { return add_f32(s, old, b); });
}
void run_atom_vec_half(Step& s) {
  vector(s, [&](Bits old, Bits b) { return half_operation(s, old, b); });
}

void run_red_logic(Step& s) { run_atom_logic(s); }
void run_red_add_int(Step& s) { run_atom_add_int(s); }
void run_red_inc_dec(Step& s) { run_atom_inc_dec(s); }
void run_red_min_max(Step& s) { run_atom_min_max(s); }
void run_red_add_f32(Step& s) { run_atom_add_f32(s); }
void run_red_add_f64(Step& s) { run_atom_add_f64(s); }
void run_red_add_f16(Step& s) { run_atom_add_f16(s); }
void run_red_add_bf16(Step& s) { run_atom_add_bf16(s); }
void run_red_vec_f32(Step& s) { run_atom_vec_f32(s); }
void run_red_vec_half(Step& s) { run_atom_vec_half(s); }

namespace {

// red.async: the update is early, the news of it late.
void async(Step& s, void (*update)(Step&)) {
  device::Address mbarrier = s.mbarrier(2);
  if (mbarrier == 0) return;
  update(s);
  Cluster& cluster = s.block.cluster;
  const unsigned bytes = ptx::bytes_of(s.type());
  cluster.launch(
      {mbarrier, [&cluster, mbarrier, bytes] { cluster.land(simt::MbarrierOp::CompleteTx, mbarrier, bytes); }});
}

}  // namespace

// To global memory: it completes on no mbarrier.
void run_red_async_global(Step& s) { run_atom_add_int(s); }
void run_red_async_inc_dec(Step& s) { async(s, run_atom_inc_dec); }
void run_red_async_min_max(Step& s) { async(s, run_atom_min_max); }
void run_red_async_logic(Step& s) { async(s, run_atom_logic); }
void run_red_async_add(Step& s) { async(s, run_atom_add_int); }

}  // namespace warpwise::exec::interpreter
