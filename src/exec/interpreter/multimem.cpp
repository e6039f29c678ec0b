// multimem (PTX ISA 9.7.9.14): one address, a copy of the bytes on each device of a multicast object. What is added in
// which precision is said in simt/lower/multimem.cpp.
#include <fmt/format.h>

#include <cstring>

#include "exec/interpreter/dispatch.h"
#include "exec/interpreter/floating.h"
#include "exec/interpreter/reduce.h"
#include "exec/memory/arena.h"
#include "numerics/formats.h"
#include "ptx/vector_operand.h"

namespace warpwise::exec::interpreter {

using device::Failure;
using numerics::Element;
using ptx::Mod;
using ptx::Type;

namespace {

// The copies of `bytes` at an address operand, in the order of the devices; none after a fault.
std::vector<std::byte*> copies(Step& s, unsigned index, unsigned bytes, bool writes) {
  const Arena& arena = *s.block.run.machine.arena;
  const device::Address address = s.generic_address(s.operand(index), s.inst.space());
  if (address % bytes != 0) {
    s.fail(Failure::MisalignedAddress, fmt::format("misaligned multimem access of {} bytes", bytes), address);
    return {};
  }
  std::vector<std::byte*> found;
  for (;;) {
    Arena::Copy copy = arena.copy_at(address, bytes, writes, static_cast<unsigned>(found.size()));
    if (!copy.why_not.empty()) {
      s.fail(Failure::IllegalAddress, std::move(copy.why_not), address);
      return {};
    }
    if (copy.address == 0) return found;
    found.push_back(engine_view(copy.address));
  }
}

// --- numbers of 8 and 16 bits ---

unsigned bits_of_number(Type type) {
  switch (type) {
    case Type::F16:
    case Type::F16x2:
    case Type::BF16:
    case Type::BF16x2:
      return 16;
    case Type::E4M3:
    case Type::E4M3x2:
    case Type::E4M3x4:
    case Type::E5M2:
    case Type::E5M2x2:
    case Type::E5M2x4:
      return 8;
    default:
      return ptx::bits_of(type);
  }
}
Element element_of(Type type) {
  return type == Type::E4M3 || type == Type::E4M3x2 || type == Type::E4M3x4 ? Element::E4M3 : Element::E5M2;
}

double read_small(Type type, Bits bits) {
  return bits_of_number(type) == 8 ? decode(element_of(type), static_cast<uint32_t>(bits))
                                   : read(format_of(type), static_cast<uint64_t>(bits));
}
Bits write_small(const Step& s, double value) {
  if (bits_of_number(s.type()) == 8)
    return encode(element_of(s.type()), value, numerics::Rounding::Nearest, s.has(Mod::Add));
  return round_to(format_of(s.type()), value, Round::Nearest);
}

double add_small(const Step& s, double a, double b) {
  if (s.has(Mod::AccF32)) return static_cast<float>(a) + static_cast<float>(b);
  const double sum = to_odd([=] { return a + b; });
  return s.has(Mod::AccF16) ? read(kF16, round_to(kF16, sum, Round::Nearest))
                            : read_small(s.type(), write_small(s, sum));
}

// One number of the result: of all copies, in their order.
Bits reduce_small(const Step& s, const std::vector<Bits>& numbers) {
  double result = read_small(s.type(), numbers[0]);
  for (size_t k = 1; k < numbers.size(); ++k) {
    const double next = read_small(s.type(), numbers[k]);
    result = s.has(Mod::Add) ? add_small(s, result, next) : min_max(s, result, next, s.has(Mod::Max));
  }
  return write_small(s, result);
}

Bits reduce_numbers(const Step& s, const std::vector<Bits>& numbers) {
  if (bits_of_number(s.type()) < 32) return reduce_small(s, numbers);
  Bits result = numbers[0];
  for (size_t k = 1; k < numbers.size(); ++k)
    result = s.type() == Type::F32 ? bits_of(float_of(result) + float_of(numbers[k])) : reduced(s, result, numbers[k]);
  const bool added = numbers.size() > 1;  // one copy is moved, and a NaN keeps its bits
  return added && s.type() == Type::F32 && std::isnan(float_of(result)) ? Bits{kF32.nan} : result;
}

// --- the three operations ---

void ld_reduce(Step& s) {
  s.block.commit_stores(s.thread);
  const unsigned count = element_count(s.operand(0)), bytes = ptx::bytes_of(s.type()), step = bits_of_number(s.type());
  const std::vector<std::byte*> from = copies(s, 1, bytes * count, false);
  if (from.empty()) return;
  for (unsigned k = 0; k < count; ++k) {
    Bits value = 0;
    for (unsigned at = 0; at < 8 * bytes; at += step) {
      std::vector<Bits> numbers;
      for (const std::byte* copy : from) {
        Bits word = 0;
        std::memcpy(&word, copy + k * bytes, bytes);
        numbers.push_back(word >> at & mask_of(step));
      }
      value |= (reduce_numbers(s, numbers) & mask_of(step)) << at;
    }
    s.out(element(s.operand(0), k), value, s.type());
  }
}

// f(memory, number) at each number of each copy.
template <class F>
void at_each(Step& s, F f) {
  const unsigned count = element_count(s.operand(1)), bytes = ptx::bytes_of(s.type());
  for (std::byte* copy : copies(s, 0, bytes * count, true))
    for (unsigned k = 0; k < count; ++k) f(copy + k * bytes, s.bits_in(element(s.operand(1), k), s.type()), bytes);
}

void st(Step& s) {
  s.block.commit_stores(s.thread);
  at_each(s, [](std::byte* to, Bits value, unsigned bytes) { std::memcpy(to, &value, bytes); });
}

void red(Step& s) {
  s.block.commit_stores(s.thread);
  at_each(s, [&](std::byte* at, Bits b, unsigned bytes) {
    Bits old = 0;
    std::memcpy(&old, at, bytes);
    const Bits value = reduced(s, old, b);
    std::memcpy(at, &value, bytes);
  });
}

}  // namespace

void run_multimem_ld_reduce_logic(Step& s) { ld_reduce(s); }
void run_multimem_ld_reduce_add(Step& s) { ld_reduce(s); }
void run_multimem_ld_reduce_min_max(Step& s) { ld_reduce(s); }
void run_multimem_ld_reduce_f32(Step& s) { ld_reduce(s); }
void run_multimem_ld_reduce_f64(Step& s) { ld_reduce(s); }
void run_multimem_ld_reduce_half(Step& s) { ld_reduce(s); }
void run_multimem_ld_reduce_f8(Step& s) { ld_reduce(s); }
void run_multimem_st(Step& s) { st(s); }
void run_multimem_st_vec(Step& s) { st(s); }
void run_multimem_st_f8(Step& s) { st(s); }
void run_multimem_red_logic(Step& s) { red(s); }
void run_multimem_red_add(Step& s) { red(s); }
void run_multimem_red_min_max(Step& s) { red(s); }
void run_multimem_red_f32(Step& s) { red(s); }
void run_multimem_red_f64(Step& s) { red(s); }
void run_multimem_red_half(Step& s) { red(s); }

}  // namespace warpwise::exec::interpreter
