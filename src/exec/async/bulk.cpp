#include "exec/async/bulk.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "exec/async/box_rows.h"

namespace warpwise::exec {

using device::Address;
using device::Failure;
using device::TensorMap;
using device::TensorSwizzle;
using device::TensorType;
using simt::BulkOp;

namespace {

BulkFault misaligned(std::string what, Address address) {
  return {Failure::MisalignedAddress, std::move(what), address};
}
BulkFault illegal(Address address) { return {Failure::IllegalAddress, "", address}; }

// --- reductions, element by element -----------------------------------------------------------------------

template <class T>
T combine_integers(BulkOp op, T old, T b) {
  switch (op) {
    case BulkOp::Add:
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) + static_cast<std::make_unsigned_t<T>>(b));
    case BulkOp::Min:
      return std::min(old, b);
    case BulkOp::Max:
      return std::max(old, b);
    case BulkOp::Inc:
      return old >= b ? T{0} : static_cast<T>(old + 1);
    case BulkOp::Dec:
      return old == 0 || old > b ? b : static_cast<T>(old - 1);
    case BulkOp::And:
      return old & b;
    case BulkOp::Or:
      return old | b;
    case BulkOp::Xor:
      return old ^ b;
    case BulkOp::Copy:
      break;
  }
  return b;
}

template <class T>
T combine_numbers(BulkOp op, T old, T b) {
  if (op == BulkOp::Add) return old + b;
  if (std::isnan(old)) return b;
  if (std::isnan(b)) return old;
  return op == BulkOp::Min ? std::min(old, b) : std::max(old, b);
}

// A result that is NaN is the canonical NaN for singles and for halves computed in single precision, as in every other
// instruction. For doubles it is the NaN that the host makes.
template <class T>
T combine_floats(BulkOp op, T old, T b) {
  const T result = combine_numbers(op, old, b);
  if constexpr (sizeof(T) == 4)
    return std::isnan(result) ? std::bit_cast<float>(0x7fffffffu) : result;
  else
    return result;
}

template <class T, class F>
void for_each_element(std::byte* to, const std::byte* from, size_t bytes, F f) {
  for (size_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T old, b;
    std::memcpy(&old, to + at, sizeof old);
    std::memcpy(&b, from + at, sizeof b);
    T result = f(old, b);
    std::memcpy(to + at, &result, sizeof result);
  }
}

float of_bf16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }
// A sum of two bfloat16 in single precision, rounded again, is the sum rounded once: 24 >= 2 * 8 + 2 bits.
uint16_t to_bf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

void combine(BulkOp op, TensorType type, std::byte* to, const std::byte* from, size_t bytes) {
  if (op == BulkOp::Copy) {
    std::memmove(to, from, bytes);
    return;
  }
  auto integers = [&]<class T>(T) {
    for_each_element<T>(to, from, bytes, [op](T old, T b) { return combine_integers<T>(op, old, b); });
  };
  auto floats = [&]<class T>(T) {
    for_each_element<T>(to, from, bytes, [op](T old, T b) { return combine_floats<T>(op, old, b); });
  };
  switch (type) {
    case TensorType::U8:
      return integers(uint8_t{});
    case TensorType::U16:
      return integers(uint16_t{});
    case TensorType::S32:
      return integers(int32_t{});
    case TensorType::U64:
      return integers(uint64_t{});
    case TensorType::S64:
      return integers(int64_t{});
    case TensorType::F16:
      return for_each_element<_Float16>(to, from, bytes, [op](_Float16 old, _Float16 b) {
        return static_cast<_Float16>(combine_floats<float>(op, static_cast<float>(old), static_cast<float>(b)));
      });
    case TensorType::BF16:
      return for_each_element<uint16_t>(to, from, bytes, [op](uint16_t old, uint16_t b) {
        return to_bf16(combine_floats<float>(op, of_bf16(old), of_bf16(b)));
      });
    case TensorType::F32:
    case TensorType::F32Ftz:
    case TensorType::TF32:
    case TensorType::TF32Ftz:
      return floats(float{});
    case TensorType::F64:
      return floats(double{});
    default:
      return integers(uint32_t{});
  }
}

TensorType type_of(simt::BulkType type) {
  using From = simt::BulkType;
  switch (type) {
    case From::S32:
      return TensorType::S32;
    case From::U64:
      return TensorType::U64;
    case From::S64:
      return TensorType::S64;
    case From::F16:
      return TensorType::F16;
    case From::BF16:
      return TensorType::BF16;
    case From::F32:
      return TensorType::F32;
    case From::F64:
      return TensorType::F64;
    default:
      return TensorType::U32;
  }
}

// --- boxes ------------------------------------------------------------------------------------------------

// What fills a box beyond the tensor's edge: zeros or, on request, a NaN that no arithmetic makes (seen on an H200).
void fill(const TensorMap& map, std::byte* to, size_t bytes) {
  std::memset(to, 0, bytes);
  if (map.fill == device::TensorFill::Zeros) return;
  constexpr uint16_t kNan = 0x7ff7;  // in every half word
  for (size_t at = 0; at + sizeof kNan <= bytes; at += sizeof kNan) std::memcpy(to + at, &kNan, sizeof kNan);
}

}  // namespace

std::optional<BulkFault> copy_bulk(const Arena& arena, BulkOp op, simt::BulkType type, Address to, Address from,
                                   uint32_t bytes, uint16_t mask) {
  if (bytes == 0)
    return std::nullopt;  // wherever it goes: CUB's BlockLoadToShared leaves what is unaligned to others and copies the
                          // rest, be it nothing
  if (to % 16 != 0) return misaligned("a bulk copy to an address that is not aligned to 16 bytes", to);
  if (from % 16 != 0) return misaligned("a bulk copy from an address that is not aligned to 16 bytes", from);
  if (bytes % 16 != 0)
    return BulkFault{Failure::LaunchFailure, fmt::format("a bulk copy of {} bytes: not a multiple of 16", bytes), to};
  std::byte *target = arena.view(to, bytes), *source = arena.view(from, bytes);
  if (!target) return illegal(to);
  if (!source) return illegal(from);
  if (mask == kAllBytes)
    combine(op, type_of(type), target, source, bytes);
  else
    for_each_masked_piece(bytes, mask,
                          [&](uint32_t first, uint32_t count) { std::memcpy(target + first, source + first, count); });
  return std::nullopt;
}

void for_each_masked_piece(uint32_t bytes, uint16_t mask, const std::function<void(uint32_t, uint32_t)>& visit) {
  for (uint32_t chunk = 0; chunk < bytes; chunk += kChunk)
    for (uint32_t rest = mask; rest != 0;) {
      const unsigned first = static_cast<unsigned>(std::countr_zero(rest)),
                     count = static_cast<unsigned>(std::countr_one(rest >> first));
      visit(chunk + first, count);
      rest &= ~(((1u << count) - 1) << first);
    }
}

std::optional<BulkFault> set_coordinates(TensorCopy& copy, bool four_rows, const int32_t* coordinates, unsigned count) {
  copy.four_rows = four_rows;
  if (!four_rows) {
    std::copy_n(coordinates, count, copy.start);
    return std::nullopt;
  }
  copy.start[0] = coordinates[0];
  std::copy_n(coordinates + 1, std::size(copy.rows), copy.rows);
  if (copy.map.box[1] == 1) return std::nullopt;
  return BulkFault{Failure::IllegalInstruction,
                   fmt::format("four rows of a tensor, with a tensor map whose box has {}: a box of one row is wanted",
                               copy.map.box[1]),
                   0};
}

std::optional<BulkFault> set_offsets(TensorCopy& copy, const uint16_t (&offsets)[3]) {
  if (!device::is_wide(copy.map.mode)) {
    std::copy(std::begin(offsets), std::end(offsets), copy.offsets);
    return std::nullopt;
  }
  copy.halo = offsets[0];
  copy.offsets[0] = offsets[1];
  const uint32_t halos = copy.map.mode == device::TensorMode::Im2colW ? 512 : 32, along_w = 32;
  if (copy.halo < halos && copy.offsets[0] < along_w) return std::nullopt;
  return BulkFault{Failure::IllegalInstruction,
                   fmt::format("im2col along W with wHalo {} and wOffset {}: less than {} and {} are possible",
                               copy.halo, copy.offsets[0], halos, along_w),
                   0};
}

uint32_t box_bytes(const TensorCopy& copy) {
  BoxShape shape(copy);
  return shape.row_bytes * shape.rows;
}
uint32_t box_extent(const TensorCopy& copy) {
  BoxShape shape(copy);
  return shape.pitch * shape.rows;
}

std::optional<BulkFault> copy_tensor(const Arena& arena, const TensorCopy& copy, Address shared, uint32_t offset) {
  const TensorMap& map = copy.map;
  const BoxShape shape(copy);
  if (shared % 128 != 0)
    return misaligned("a box of a tensor at a shared address that is not aligned to 128 bytes", shared);
  // The manual demands an alignment of 16 bytes of the tensor's address and strides only. Hardware demands it of the
  // box's beginning, too.
  if (copy.start[0] * static_cast<int64_t>(bytes_of(map.type)) % 16 != 0) {
    return BulkFault{Failure::IllegalInstruction,
                     fmt::format("a box of a tensor that begins at element {} of {} bytes: not a multiple of 16 bytes",
                                 copy.start[0], bytes_of(map.type)),
                     shared};
  }
  if (copy.store && map.atom == device::SwizzleAtom::Bytes32Flip8)  // 5.5.7
    return BulkFault{Failure::IllegalInstruction,
                     "a box that is stored with a swizzle that flips 8 bytes: such boxes can be loaded alone", shared};
  const int64_t piece = swizzled_piece(map);
  std::byte* base = engine_view(shared) - offset;
  std::optional<Region> region;  // of the tensor, as far as it was searched for
  const int64_t element = bytes_of(map.type);
  const int64_t first = copy.start[0], size = static_cast<int64_t>(map.size(0));
  // Elements [in, out) of each row lie within the tensor.
  const int64_t in = std::clamp<int64_t>(-first, 0, shape.count[0]),
                out = std::clamp<int64_t>(size - first, in, shape.count[0]);
  Rows rows(copy, shape);
  for (uint32_t r = 0; r < shape.rows; ++r, rows.next()) {
    Address row = 0;
    const bool inside = rows.inside(row);
    const int64_t begin = inside ? in * element : 0, end = inside ? out * element : 0;
    row += static_cast<Address>(first * element);  // of element 0 of the box, in the tensor or not
    if (end > begin && !(region && region->contains(row + begin, end - begin))) {
      region = arena.find(row + begin);
      if (!region || !region->contains(row + begin, end - begin)) return illegal(row + begin);
    }
    // Pieces between chunks of the swizzle and the tensor's edges.
    for (int64_t at = 0; at < shape.row_bytes;) {
      int64_t stop = map.swizzle == TensorSwizzle::None
                         ? shape.row_bytes
                         : std::min<int64_t>(shape.row_bytes, at / piece * piece + piece);
      const bool there = at >= begin && at < end;
      if (at < begin)
        stop = std::min(stop, begin);
      else if (there)
        stop = std::min(stop, end);
      std::byte* place = base + swizzled(map, offset + r * shape.pitch + static_cast<uint32_t>(at));
      const size_t bytes = static_cast<size_t>(stop - at);
      if (copy.store) {
        if (there) combine(copy.op, map.type, engine_view(row + at), place, bytes);
      } else if (there) {
        std::memcpy(place, engine_view(row + at), bytes);
      } else {
        fill(map, place, bytes);
      }
      at = stop;
    }
  }
  return std::nullopt;
}

void for_each_row(const TensorCopy& copy, const std::function<void(Address, size_t)>& visit) {
  const TensorMap& map = copy.map;
  const BoxShape shape(copy);
  const int64_t element = bytes_of(map.type), first = copy.start[0], size = static_cast<int64_t>(map.size(0));
  const int64_t in = std::clamp<int64_t>(-first, 0, shape.count[0]),
                out = std::clamp<int64_t>(size - first, in, shape.count[0]);
  Rows rows(copy, shape);
  for (uint32_t r = 0; r < shape.rows && out > in; ++r, rows.next())
    if (Address row = 0; rows.inside(row))
      visit(row + static_cast<Address>((first + in) * element), static_cast<size_t>((out - in) * element));
}

namespace {

const char* name_of(device::TensorMode mode) {
  switch (mode) {
    case device::TensorMode::Tiled:
      return ".tile";
    case device::TensorMode::Im2col:
      return ".im2col";
    case device::TensorMode::Im2colW:
      return ".im2col::w";
    case device::TensorMode::Im2colW128:
      break;
  }
  return ".im2col::w::128";
}

}  // namespace

std::optional<BulkFault> read_tensor_map(const Arena& arena, Address address, unsigned rank, device::TensorMode mode,
                                         TensorMap& out) {
  if (address % 64 != 0) return misaligned("a tensor map that is not aligned to 64 bytes", address);
  const std::byte* at = arena.view(address, device::kTensorMapBytes);
  if (!at) return illegal(address);
  std::memcpy(&out, at, sizeof out);
  std::string problem = out.problem();
  if (problem.empty() && out.rank != rank)
    problem = fmt::format("a copy of .{}d with a tensor map of {} dimensions", rank, out.rank);
  if (problem.empty() && out.mode != mode)
    problem = fmt::format("a copy of {} with a tensor map of {}", name_of(mode), name_of(out.mode));
  if (problem.empty()) return std::nullopt;
  return BulkFault{Failure::IllegalInstruction, std::move(problem), address};
}

std::optional<BulkFault> replace_field(const Arena& arena, Address address, simt::TensorField field, uint32_t index,
                                       uint64_t value) {
  using Field = simt::TensorField;
  // The element types of tensormap.replace are numbered in another order than the driver's (PTX ISA 9.7.9.28).
  constexpr TensorType kTypes[] = {
      TensorType::U8,      TensorType::U16,         TensorType::U32,          TensorType::S32,
      TensorType::U64,     TensorType::S64,         TensorType::F16,          TensorType::F32,
      TensorType::F32Ftz,  TensorType::F64,         TensorType::BF16,         TensorType::TF32,
      TensorType::TF32Ftz, TensorType::U4x16Align8, TensorType::U4x16Align16, TensorType::U6x16Align16};
  std::byte* at = arena.view(address, device::kTensorMapBytes);
  if (!at) return illegal(address);
  TensorMap map;
  std::memcpy(&map, at, sizeof map);
  // 128 zeros are a map all of whose fields are still to be replaced: Triton's kernels make their own so.
  if (std::all_of(at, at + device::kTensorMapBytes, [](std::byte byte) { return byte == std::byte{}; })) map = {};
  if (map.mark != TensorMap::kMark) return BulkFault{Failure::IllegalInstruction, map.problem(), address};
  auto wrong = [&](const char* what) {
    return BulkFault{Failure::IllegalInstruction, fmt::format("tensormap.replace of {} with {}", what, value), address};
  };
  switch (field) {
    case Field::Address:
      map.address = value;
      break;
    case Field::Rank:  // counted from 0
      if (value >= device::kMaxTensorRank) return wrong(".rank");
      map.rank = static_cast<uint8_t>(value + 1);
      break;
    case Field::Box:
      if (value == 0 || value > 256 || index >= device::kMaxTensorRank) return wrong(".box_dim");
      map.box[index] = static_cast<uint16_t>(value);
      break;
    case Field::Size:
      if (index >= device::kMaxTensorRank) return wrong(".global_dim");
      map.last[index] = static_cast<uint32_t>(value) - 1;
      break;
    case Field::Stride:
      if (value % 16 != 0 || index + 1 >= device::kMaxTensorRank) return wrong(".global_stride");
      map.strides[index] = value;
      break;
    case Field::ElementStride:
      if (value == 0 || value > 8 || index >= device::kMaxTensorRank) return wrong(".element_stride");
      map.element_strides[index] = static_cast<uint8_t>(value);
      break;
    case Field::Type:
      if (value >= std::size(kTypes)) return wrong(".elemtype");
      map.type = kTypes[value];
      break;
    case Field::Interleave:
      map.interleave = static_cast<device::TensorInterleave>(value);
      break;
    case Field::Swizzle:  // 4 is that of 96 bytes, of sm_103a
      if (value > static_cast<uint64_t>(TensorSwizzle::Bytes128)) return wrong(".swizzle_mode");
      map.swizzle = static_cast<TensorSwizzle>(value);
      break;
    case Field::Atomicity:
      if (value > static_cast<uint64_t>(device::SwizzleAtom::Bytes64)) return wrong(".swizzle_atomicity");
      map.atom = static_cast<device::SwizzleAtom>(value);
      break;
    case Field::Fill:
      map.fill = value != 0 ? device::TensorFill::Nan : device::TensorFill::Zeros;
      break;
  }
  std::memcpy(at, &map, sizeof map);
  return std::nullopt;
}

}  // namespace warpwise::exec
