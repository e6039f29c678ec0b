// Matrix instructions of a warp (PTX ISA 9.7.14): products, and the movement of fragments. All lanes take part; each
// brings its registers, and the product is made once, by src/numerics in its plain form.
#include "exec/services/matrix.h"

#include <cstring>

#include "exec/interpreter/dispatch.h"
#include "numerics/fragments.h"
#include "ptx/shapes/matrix.h"

namespace warpwise::exec::interpreter {

using numerics::Product;
using ptx::Mod;
using ptx::Operand;
using ptx::Type;

namespace {

constexpr uint32_t kAllLanes = ~0u;

// Whether the words of all lanes are in s.thread.outcome.gathered.
bool gather(Step& s, std::vector<uint32_t> words) {
  Collective collective{.kind = Collective::Kind::Gather, .members = kAllLanes};
  collective.words = std::move(words);
  if (s.block.converge(s.thread, collective)) return true;
  s.stay();
  return false;
}

void append(Step& s, std::vector<uint32_t>& words, const Operand& fragment, Type type, unsigned count) {
  for (unsigned k = 0; k < count; ++k) {
    const Bits bits = s.bits_in(fragment.elements[k], type);
    words.push_back(static_cast<uint32_t>(bits));
    if (type == Type::F64) words.push_back(static_cast<uint32_t>(bits >> 32));
  }
}

void append_scales(Step& s, std::vector<uint32_t>& words, unsigned first) {
  using numerics::ScaleSelectors;
  auto element = [&](unsigned operand, unsigned n) {
    return static_cast<uint32_t>(s.bits_in(s.operand(operand).elements[n], Type::U16)) & 0xff;
  };
  words.push_back(s.u32(first));
  words.push_back(s.u32(first + 2));
  words.push_back(
      element(first + 1, 0) << ScaleSelectors::kShiftByteA | element(first + 1, 1) << ScaleSelectors::kShiftThreadA |
      element(first + 3, 0) << ScaleSelectors::kShiftByteB | element(first + 3, 1) << ScaleSelectors::kShiftThreadB);
}

void multiply(Step& s) {
  const ptx::MatrixForm form = *ptx::matrix_form(s.inst);
  const Product& product = form.product;
  // wmma's repeated registers come last: the first ones are the matrix.
  auto registers = [&](char operand, unsigned words) {
    return ptx::register_type(product, operand) == Type::F64 ? words / 2 : words;
  };
  std::vector<uint32_t> words;
  append(s, words, s.operand(1), ptx::register_type(product, 'a'), registers('a', product.a_words()));
  append(s, words, s.operand(2), ptx::register_type(product, 'b'), registers('b', product.b_words()));
  append(s, words, s.operand(3), ptx::register_type(product, 'c'), registers('c', product.c_words()));
  if (product.sparse) words.push_back(s.u32(4));
  if (product.scale_vectors != 0) append_scales(s, words, ptx::scale_operand(product));
  if (!gather(s, std::move(words))) return;
  Gathered& table = *s.thread.outcome.gathered;
  if (table.result.empty()) {
    table.result.resize(product.d_words() * 32);
    numerics::multiply(capability_of(s.block.run.machine), numerics::TensorUnit::Mma, product, table.words.data(),
                       table.result.data());
  }
  const Type type = ptx::register_type(product, 'd');
  for (unsigned k = 0; k < form.d_registers; ++k) {
    const uint32_t* word = &table.result[(type == Type::F64 ? 2 * k : k) * 32 + s.thread.lane()];
    s.out(s.operand(0).elements[k], type == Type::F64 ? Bits{word[0]} | Bits{word[32]} << 32 : Bits{word[0]}, type);
  }
}

// --- wmma.load and wmma.store -------------------------------------------------------------------------

unsigned bits_of_element(const ptx::FragmentForm& form, Type type) {
  return form.operand == 'a' || form.operand == 'b' ? numerics::format_of(form.product.a).bits : ptx::bits_of(type);
}

// The address operand moved by `bits`.
Operand moved(const Operand& address, int64_t bits) {
  Operand out = address;
  out.offset += bits / 8;
  return out;
}

// Calls visit(register, shift, address, bits) for every piece of a fragment that lies together in memory.
template <class Visit>
void for_each_piece(Step& s, const ptx::FragmentForm& form, const Operand& address, unsigned stride_operand,
                    Visit visit) {
  const Product& p = form.product;
  const unsigned element_bits = bits_of_element(form, s.type()), elements = element_bits >= 32 ? 1 : 32 / element_bits;
  const unsigned rows = form.operand == 'b' ? p.k : p.m, columns = form.operand == 'a' ? p.k : p.n;
  const int64_t stride = s.present(stride_operand) ? static_cast<int32_t>(s.u32(stride_operand))
                         : form.by_column          ? rows
                                                   : columns;
  auto place = [&](unsigned reg, unsigned index) {
    const numerics::MatrixPlace at = wmma_place(p, form.operand, reg, index);
    const int64_t row = at.row.at(s.thread.lane()), column = at.column.at(s.thread.lane());
    return (form.by_column ? column * stride + row : row * stride + column) * element_bits;
  };
  for (unsigned reg = 0; reg < form.distinct; ++reg) {
    const bool together = elements == 1 || place(reg, 1) == place(reg, 0) + element_bits;
    const unsigned pieces = together ? 1 : elements;
    for (unsigned piece = 0; piece < pieces; ++piece)
      visit(reg, piece * element_bits, moved(address, place(reg, piece)), together && elements > 1 ? 32 : element_bits);
  }
}

}  // namespace

void run_mma(Step& s) { multiply(s); }
void run_mma_b1(Step& s) { multiply(s); }
void run_mma_sp(Step& s) { multiply(s); }
void run_mma_sp_ordered(Step& s) { multiply(s); }
void run_mma_kind(Step& s) { multiply(s); }
void run_mma_sp_kind(Step& s) { multiply(s); }
void run_mma_scaled(Step& s) { multiply(s); }
void run_mma_sp_scaled(Step& s) { multiply(s); }
void run_wmma_mma_f16(Step& s) { multiply(s); }
void run_wmma_mma(Step& s) { multiply(s); }
void run_wmma_mma_b1(Step& s) { multiply(s); }

void run_wmma_load(Step& s) {
  if (!gather(s, {})) return;  // what the others stored before is there
  const ptx::FragmentForm form = *ptx::fragment_form(s.inst);
  std::vector<Bits> registers(form.distinct);
  for_each_piece(s, form, s.operand(1), 2, [&](unsigned reg, unsigned shift, const Operand& address, unsigned bits) {
    Bits value = 0;
    if (const std::byte* from = s.memory(address, s.inst.space(), bits / 8)) std::memcpy(&value, from, bits / 8);
    registers[reg] |= value << shift;
  });
  if (s.block.fault) return;
  const Type type = ptx::register_type(form.product, form.operand);
  for (unsigned k = 0; k < form.registers; ++k)
    s.out(s.operand(0).elements[k], registers[numerics::without_repeats(k, form.distinct)], type);
}

void run_wmma_store(Step& s) {
  if (!gather(s, {})) return;
  const ptx::FragmentForm form = *ptx::fragment_form(s.inst);
  const Type type = ptx::register_type(form.product, 'd');
  for_each_piece(s, form, s.operand(0), 2, [&](unsigned reg, unsigned shift, const Operand& address, unsigned bits) {
    const Bits value = s.bits_in(s.operand(1).elements[reg], type) >> shift;
    if (std::byte* to = s.memory(address, s.inst.space(), bits / 8)) s.block.store(s.thread, to, &value, bits / 8);
  });
}

// --- matrices of 8 by 8 times 16 bits -----------------------------------------------------------------
//
// A register of a warp holds one: lane l the elements (l / 4, 2 (l % 4)) and the next. With .trans it is row and column
// the other way round.

namespace {

// Gives all lanes the addresses of the rows: lane r has that of row r.
bool gather_rows(Step& s, unsigned address, unsigned rows) {
  const bool brings = s.thread.lane() < rows;
  uint64_t row = 0;
  if (!s.thread.answered && brings) {
    row = reinterpret_cast<uint64_t>(s.memory(address, s.inst.space(), 16));
    if (s.block.fault) return false;
  }
  return gather(s, {static_cast<uint32_t>(row), static_cast<uint32_t>(row >> 32)});
}

std::byte* gathered_row(Step& s, unsigned row) {
  const std::vector<uint32_t>& words = s.thread.outcome.gathered->words;
  return reinterpret_cast<std::byte*>(uint64_t{words[32 + row]} << 32 | words[row]);
}

unsigned matrices(const Step& s) { return ptx::moved_matrices(s.inst)->registers; }

// Where this lane's element `half` of matrix j lies in memory; null when no lane brought the row.
std::byte* element(Step& s, unsigned j, unsigned half) {
  const unsigned lane = s.thread.lane(), long_way = lane / 4, pair = lane % 4 * 2 + half;
  const unsigned row = s.has(Mod::Trans) ? pair : long_way, column = s.has(Mod::Trans) ? long_way : pair;
  std::byte* at = gathered_row(s, j * 8 + row);
  return at ? at + column * 2 : nullptr;
}

}  // namespace

void run_ldmatrix(Step& s) {
  if (!gather_rows(s, 1, 8 * matrices(s))) return;
  for (unsigned j = 0; j < matrices(s); ++j) {
    uint16_t halves[2] = {};
    for (unsigned half = 0; half < 2; ++half)
      if (const std::byte* from = element(s, j, half)) std::memcpy(&halves[half], from, 2);
    s.out(s.operand(0).elements[j], Bits{halves[0]} | Bits{halves[1]} << 16, Type::B32);
  }
}

// Visible at once, as from compiled code (simt/scalar/defer_stores.h).
void run_stmatrix(Step& s) {
  if (!gather_rows(s, 0, 8 * matrices(s))) return;
  s.block.commit_stores(s.thread);
  for (unsigned j = 0; j < matrices(s); ++j) {
    const Bits value = s.bits_in(s.operand(1).elements[j], Type::B32);
    for (unsigned half = 0; half < 2; ++half) {
      const uint16_t bits = static_cast<uint16_t>(value >> (16 * half));
      if (std::byte* to = element(s, j, half)) std::memcpy(to, &bits, 2);
    }
  }
}

// --- matrices of bytes (numerics/byte_matrix.h) -------------------------------------------------------

namespace {

void load_bytes(Step& s) {
  const ptx::MovedMatrices moved = *ptx::moved_matrices(s.inst);
  if (!gather_rows(s, 1, moved.rows)) return;
  for (unsigned reg = 0; reg < moved.registers; ++reg) {
    uint32_t word = 0;
    for (unsigned index = 0; index < 4; ++index) {
      const numerics::MatrixPlace place = byte_matrix_place(*moved.of_bytes, reg, index);
      const unsigned bit = place.column.at(s.thread.lane()) * moved.element_bits;
      uint16_t bits = 0;  // the byte with the element's first bit, and the next one
      if (const std::byte* row = gathered_row(s, place.row.at(s.thread.lane())))
        std::memcpy(&bits, row + bit / 8, bit % 8 + moved.element_bits > 8 ? 2 : 1);
      word |= (bits >> (bit % 8) & ((1u << moved.element_bits) - 1)) << (8 * index);
    }
    s.out(s.operand(0).elements[reg], Bits{word}, Type::B32);
  }
}

}  // namespace

void run_ldmatrix_b8(Step& s) { load_bytes(s); }
void run_ldmatrix_packed_trans(Step& s) { load_bytes(s); }
void run_ldmatrix_packed(Step& s) { load_bytes(s); }

void run_stmatrix_b8(Step& s) {
  const ptx::MovedMatrices moved = *ptx::moved_matrices(s.inst);
  if (!gather_rows(s, 0, moved.rows)) return;
  for (unsigned reg = 0; reg < moved.registers; ++reg) {
    const Bits value = s.bits_in(s.operand(1).elements[reg], Type::B32);
    for (unsigned index = 0; index < 4; ++index) {
      const numerics::MatrixPlace place = byte_matrix_place(*moved.of_bytes, reg, index);
      const auto byte = static_cast<std::byte>(value >> (8 * index));
      if (std::byte* row = gathered_row(s, place.row.at(s.thread.lane())))
        s.block.store(s.thread, row + place.column.at(s.thread.lane()), &byte, 1);
    }
  }
}

void run_movmatrix(Step& s) {
  if (!gather(s, {s.u32(1)})) return;
  const std::vector<uint32_t>& words = s.thread.outcome.gathered->words;
  const unsigned column = s.thread.lane() / 4, row = s.thread.lane() % 4 * 2;
  auto half = [&](unsigned r) { return words[r * 4 + column / 2] >> (column % 2 * 16) & 0xffff; };
  s.d(Bits{half(row)} | Bits{half(row + 1)} << 16, Type::B32);
}

}  // namespace warpwise::exec::interpreter
