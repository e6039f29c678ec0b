#include "numerics/tcgen05_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "numerics/matrix_descriptor.h"

namespace warpwise::numerics {
namespace {

constexpr uint32_t kChunk = 16;    // bytes that stay together in shared memory
constexpr uint32_t kAWords = 8;    // of a lane: 32 bytes of a
constexpr uint32_t kQuarter = 32;  // lanes of a warp
constexpr uint32_t kScaleAddressMask =
    0x3fffffff;  // the two uppermost bits of a scale's address name a byte, as its id does

bool packs_nibbles(Tcgen05Kind kind) { return kind == Tcgen05Kind::MxF4 || kind == Tcgen05Kind::MxF4NvF4; }

// The layout of elements in a chunk of 16 bytes of shared memory: 16 of 4 or 6 bits and padding, or as many as fit.
struct Packing {
  uint32_t elements, bits;
};
Packing packing_of(Tcgen05Kind kind, Element element) {
  if (packs_nibbles(kind)) return {32, 4};
  if (element == Element::E2M1) return {16, 4};
  if (element == Element::E2M3 || element == Element::E3M2) return {16, 6};
  const uint32_t bits = format_of(element).bits;
  return {kChunk * 8 / bits, bits};
}

uint32_t sign_of(Element element) {
  return 1u << (format_of(element).exponent_bits + format_of(element).fraction_bits);
}

class Reader {
 public:
  explicit Reader(Tcgen05Work& work) : w_(work) {}

  std::string read() {
    w_.path = datapath();
    w_.d = TensorAddress(w_.operands.d);
    if (std::string why = check_tensor_memory(); !why.empty()) return why;
    for (uint32_t block = 0; block < w_.form.blocks; ++block) {
      if (!w_.form.a_in_tensor_memory) {
        Lines& a = w_.a.emplace_back(lines(w_.shape.a, w_.stored_k()));
        if (std::string why =
                shared(a, "a", block, w_.operands.a, w_.shape.transpose_a, w_.shape.negate_a, 0, w_.path.rows);
            !why.empty())
          return why;
        continue;
      }
      for (uint32_t part = 0; part < w_.path.parts; ++part)
        tensor(w_.a.emplace_back(lines(w_.shape.a, w_.stored_k())), block, part);
    }
    w_.b = lines(w_.shape.b, w_.shape.k);
    const uint32_t columns = w_.shape.n / w_.form.blocks, shift = w_.operands.zero_columns >> 56 & 0x3f;
    for (uint32_t block = 0; block < w_.form.blocks; ++block)
      if (std::string why =
              shared(w_.b, "b", block, w_.operands.b, w_.shape.transpose_b, w_.shape.negate_b, shift, columns);
          !why.empty())
        return why;
    zero_columns();
    return "";
  }

 private:
  Datapath datapath() const {
    Datapath path{w_.shape.m / w_.form.blocks, 1, 0};
    const bool pair_of_64 = w_.form.blocks == 2 && path.rows == 64 && !w_.form.sparse;
    if (path.rows == 64 && (w_.form.weight_stationary || pair_of_64)) path.parts = 2;
    if (path.rows == 32) path.parts = 4;
    path.first_lane = TensorAddress(w_.operands.d).lane;
    return path;
  }

  std::string check_tensor_memory() {
    const bool halves = w_.path.rows == 64 && w_.path.parts == 1;
    if (w_.d.lane != 0 && !(halves && w_.d.lane == 16)) {
      return fmt::format("d begins at lane {} of tensor memory; with {} rows of a block it begins at lane 0{}",
                         w_.d.lane, w_.path.rows, halves ? " or 16" : "");
    }
    const uint32_t rows = (w_.path.rows + kQuarter - 1) / kQuarter,
                   columns = (w_.part_columns() + kQuarter - 1) / kQuarter;
    for (const Tcgen05Block& block : w_.blocks) {
      auto check = [&](const char* what, uint32_t column, uint32_t count) {
        TensorAddress all;
        all.column = column;
        return block.memory->check(what, all, TensorMemory::kLanes, count);
      };
      if (std::string why = check("d", w_.d.column, w_.part_columns()); !why.empty()) return why;
      if (w_.form.a_in_tensor_memory) {
        const TensorAddress a(static_cast<uint32_t>(w_.operands.a));
        if (a.lane != w_.d.lane)
          return fmt::format("a begins at lane {} of tensor memory, and d at lane {}", a.lane, w_.d.lane);
        if (std::string why = check("a", a.column, kAWords); !why.empty()) return why;
      }
      if (w_.form.scales != 0) {
        if (std::string why = check("scale-A", TensorAddress(w_.operands.scale_a & kScaleAddressMask).column, rows);
            !why.empty())
          return why;
        if (std::string why = check("scale-B", TensorAddress(w_.operands.scale_b & kScaleAddressMask).column, columns);
            !why.empty())
          return why;
      }
      if (w_.form.sparse) {
        if (std::string why = check("the metadata", TensorAddress(w_.operands.metadata).column, 2); !why.empty())
          return why;
      }
    }
    return "";
  }

  Lines lines(Element element, uint32_t k) const { return {element, k * format_of(element).bits / 8, {}}; }

  void add(Lines& to, uint32_t bits, bool negated) const {
    if (negated) bits ^= sign_of(to.element);
    for (uint32_t byte = 0; byte < format_of(to.element).bits / 8u; ++byte)
      to.data.push_back(static_cast<uint8_t>(bits >> (8 * byte)));
  }

  // `count` lines of a block's matrix from line `first` on.
  std::string shared(Lines& to, const char* what, uint32_t block, uint64_t word, bool transposed, bool negated,
                     uint32_t first, uint32_t count) {
    const MatrixDescriptor descriptor = MatrixDescriptor::of_tcgen05(word);
    const uint32_t mode = word >> 61;
    if (mode == 3 || mode == 5 || mode == 7)
      return fmt::format("the matrix descriptor of {} names swizzle {}, which does not exist", what, mode);
    if (const char* why = descriptor.problem()) return why;
    if (word >> 52 & 1) return "a matrix descriptor with an absolute leading dimension (sm_103a) is not executed yet";
    const bool wide_chunks = descriptor.chunk_bit == 5, words = to.element == Element::TF32;
    if (wide_chunks && (!transposed || !words))
      return "a swizzle of 32-byte chunks requires transposed matrices of tf32";
    if (transposed && words && !wide_chunks)
      return "transposed matrices of tf32 have a swizzle of 128 bytes in 32-byte chunks";
    const Tcgen05Block& from = w_.blocks[block];
    const Packing packing = packing_of(w_.form.kind, to.element);
    const uint32_t k = to.bytes * 8 / format_of(to.element).bits;
    auto outside = [&] {
      return fmt::format("the matrix descriptor of {} reaches outside the block's shared memory", what);
    };
    for (uint32_t line = first; line < first + count; ++line) {
      if (transposed) {
        for (uint32_t i = 0; i < k; ++i) {
          const uint32_t bytes = packing.bits / 8, at = descriptor.place(true, line, i, bytes);
          uint32_t value = 0;
          if (at + bytes > from.shared_bytes) return outside();
          std::memcpy(&value, from.shared + at, bytes);
          add(to, value, negated);
        }
        continue;
      }
      for (uint32_t i = 0; i < k; i += packing.elements) {
        const uint32_t at = descriptor.place(false, line, i / packing.elements, kChunk);
        if (at + kChunk > from.shared_bytes) return outside();
        uint64_t chunk[2];
        std::memcpy(chunk, from.shared + at, kChunk);
        const auto all = static_cast<unsigned __int128>(chunk[1]) << 64 | chunk[0];
        for (uint32_t n = 0; n < packing.elements; ++n)
          add(to,
              static_cast<uint32_t>(all >> (n * packing.bits)) &
                  static_cast<uint32_t>((uint64_t{1} << packing.bits) - 1),
              negated);
      }
    }
    return "";
  }

  // In tensor memory an element of 6 bits is in the low bits of its byte, one of 4 bits in the middle. Only the kinds
  // without other elements pack two in a byte.
  void tensor(Lines& to, uint32_t block, uint32_t part) {
    const TensorAddress a(static_cast<uint32_t>(w_.operands.a));
    const bool nibbles = packs_nibbles(w_.form.kind);
    const uint32_t bits = nibbles ? 4 : format_of(to.element).bits,
                   shift = !nibbles && to.element == Element::E2M1 ? 2 : 0;
    const uint32_t mask = static_cast<uint32_t>((uint64_t{1} << bits) - 1) >> shift;
    for (uint32_t row = 0; row < w_.path.rows; ++row) {
      // .ashift: each row but the last becomes the next one, as tcgen05.shift.down moves them.
      const uint32_t lane = w_.path.lane(w_.form.shifts_a && row + 1 < w_.path.rows ? row + 1 : row, part);
      for (uint32_t n = 0; n < w_.stored_k(); ++n) {
        const uint32_t word = w_.blocks[block].memory->read(lane, a.column + n * bits / 32);
        add(to, word >> (n * bits % 32 + shift) & mask, w_.shape.negate_a);
      }
    }
  }

  // The zero-column mask (9.7.16.4.3): for each part of d an alternating pattern of used columns (the use span plus
  // one) and zero columns (the skip span plus one).
  void zero_columns() {
    const uint64_t mask = w_.operands.zero_columns;
    if (!(mask >> 39 & 1)) return;
    const uint32_t skip = (mask >> 40 & 0xff) + 1, use = (mask >> 48 & 0xff) + 1;
    for (uint32_t column = 0; column < w_.shape.n; ++column) {
      const uint32_t part = column / w_.part_columns(), start = mask >> (8 * part) & 0xff;
      const bool zeros_first = mask >> (32 + part) & 1;
      const uint32_t at = (column % w_.part_columns() + start) % (skip + use);
      const bool zero = zeros_first ? at < skip : at >= use;
      if (zero) std::fill_n(w_.b.data.begin() + size_t{column} * w_.b.bytes, w_.b.bytes, uint8_t{0});
    }
  }

  Tcgen05Work& w_;
};

const uint8_t* bytes_at(const TensorMemory& memory, uint32_t lane, uint32_t column, uint32_t byte) {
  static_assert(std::endian::native == std::endian::little);
  return reinterpret_cast<const uint8_t*>(&memory.read(lane, column)) + byte;
}

}  // namespace

void Lines::decode(uint32_t index, float* to) const {
  const uint32_t size = format_of(element).bits / 8;
  for (uint32_t i = 0; i * size < bytes; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, line(index) + i * size, size);
    to[i] = numerics::decode(element, bits);
  }
}

void Lines::decode(uint32_t index, int32_t* to) const {
  for (uint32_t i = 0; i < bytes; ++i)
    to[i] = element == Element::S8 ? static_cast<int8_t>(line(index)[i]) : line(index)[i];
}

const uint8_t* Tcgen05Work::scales_of_row(uint32_t block, uint32_t row, uint32_t lane) const {
  const TensorAddress from(operands.scale_a & kScaleAddressMask);
  return bytes_at(*blocks[block].memory, lane / kQuarter * kQuarter + row % kQuarter, from.column + row / kQuarter,
                  shape.scale_a_id);
}

const uint8_t* Tcgen05Work::scales_of_column(uint32_t block, uint32_t column, uint32_t lane) const {
  const TensorAddress from(operands.scale_b & kScaleAddressMask);
  return bytes_at(*blocks[block].memory, lane / kQuarter * kQuarter + column % kQuarter,
                  from.column + column / kQuarter, shape.scale_b_id);
}

void Tcgen05Work::places_of(uint32_t block, uint32_t row, uint32_t part, uint16_t* to) const {
  const TensorMemory& memory = *blocks[block].memory;
  const TensorAddress from(operands.metadata);
  uint64_t bits = 0;  // four for each chunk of k
  if (form.kind == Tcgen05Kind::F16 || form.kind == Tcgen05Kind::Tf32) {
    const uint32_t lane = path.lane(row / 16 * 16, part) + row % 8, column = from.column + shape.sparsity_selector;
    for (uint32_t half = 0; half < 2; ++half)
      bits |= uint64_t{memory.read(lane + 8 * half, column) >> (16 * (row / 8 % 2)) & 0xffff} << (16 * half);
  } else {
    const uint32_t lane = path.lane(row, part);
    bits = memory.read(lane, from.column) | uint64_t{memory.read(lane, from.column + 1)} << 32;
  }
  const uint32_t together = packs_nibbles(form.kind) ? 2 : 1;  // elements that an index of two bits stands for
  for (uint32_t stored = 0; stored < stored_k();) {
    if (form.kind == Tcgen05Kind::Tf32) {  // one of two: 0b0100 is the first, 0b1110 the second
      to[stored] = static_cast<uint16_t>(2 * stored + (bits >> (4 * stored + 1) & 1));
      ++stored;
      continue;
    }
    const uint32_t chunk = stored / (2 * together);
    for (uint32_t index = 0; index < 2; ++index)
      for (uint32_t n = 0; n < together; ++n)
        to[stored++] = static_cast<uint16_t>(together * (4 * chunk + (bits >> (4 * chunk + 2 * index) & 3)) + n);
  }
}

std::string read_operands(const Tcgen05Form& form, const Tcgen05Operands& operands,
                          std::span<const Tcgen05Block> blocks, Tcgen05Work& work) {
  work.form = form, work.operands = operands, work.blocks = blocks;
  if (std::string why = read_instruction_descriptor(form, operands.descriptor, work.shape); !why.empty()) return why;
  return Reader(work).read();
}

}  // namespace warpwise::numerics
