#include "numerics/tensor_move.h"

#include <fmt/format.h>

namespace warpwise::numerics {
namespace {

constexpr uint32_t kWarpLanes = 32;

struct Cell {
  uint32_t lane, column;
};

Cell cell_of(MoveShape shape, uint32_t t, uint32_t r) {
  switch (shape) {
    case MoveShape::S32x32b:
      return {t, r};
    case MoveShape::S16x64b:
      return {t / 4 + 8 * (t % 2), t / 2 % 2 + 2 * r};
    case MoveShape::S16x128b:
      return {t / 4 + 8 * (r % 2), t % 4 + 4 * (r / 2)};
    case MoveShape::S16x256b:
      return {t / 4 + 8 * (r / 2 % 2), 2 * (t % 4) + r % 2 + 8 * (r / 4)};
    case MoveShape::S16x32bx2:
      return {t % 16, r};
  }
  return {};
}

// Columns of one matrix, in registers.
unsigned columns_of(const TensorMove& move) {
  switch (move.shape) {
    case MoveShape::S16x64b:
      return 2 * move.repeats;
    case MoveShape::S16x128b:
      return 4 * move.repeats;
    case MoveShape::S16x256b:
      return 8 * move.repeats;
    default:
      return move.repeats;
  }
}

}  // namespace

uint64_t TensorMove::pack() const {
  return uint64_t(shape) | uint64_t{repeats} << 8 | uint64_t{halves} << 16 | uint64_t{store} << 17;
}

TensorMove TensorMove::unpack(uint64_t packed) {
  return {static_cast<MoveShape>(packed & 0xff), static_cast<uint8_t>(packed >> 8), (packed >> 16 & 1) != 0,
          (packed >> 17 & 1) != 0};
}

unsigned TensorMove::registers() const {
  return shape == MoveShape::S16x128b ? 2u * repeats : shape == MoveShape::S16x256b ? 4u * repeats : repeats;
}

std::string move_tensor(const TensorMove& move, TensorMemory& memory, uint32_t warp, uint32_t thread, uint32_t address,
                        uint32_t second, uint32_t* words) {
  const TensorAddress base(address);
  const char* name = move.store ? "tcgen05.st" : "tcgen05.ld";
  const bool all_lanes = move.shape == MoveShape::S32x32b;
  const uint32_t first = warp % 4 * kWarpLanes, lanes = all_lanes ? 32 : 16;
  if (base.lane < first || base.lane + lanes > first + kWarpLanes) {
    return fmt::format(
        "{} from lane {} on: warp {} reaches lanes {} to {} of tensor memory, the {} of its place in its warpgroup",
        name, base.lane, warp, first, first + kWarpLanes - 1, kWarpLanes);
  }
  const uint32_t width = move.halves ? 2 : 1, columns = columns_of(move) * width;
  if (std::string why = memory.check(name, base, lanes, columns); !why.empty()) return why;
  if (move.shape == MoveShape::S16x32bx2) {
    TensorAddress other = base;
    other.column += second;
    if (std::string why = memory.check(name, other, lanes, columns); !why.empty()) return why;
  }
  for (unsigned r = 0; r < move.registers(); ++r) {
    const Cell cell = cell_of(move.shape, thread, r);
    const uint32_t lane = base.lane + cell.lane;
    const uint32_t column =
        base.column + cell.column * width + (move.shape == MoveShape::S16x32bx2 && thread >= 16 ? second : 0);
    if (!move.halves) {
      if (move.store)
        memory.write(lane, column) = words[r];
      else
        words[r] = memory.read(lane, column);
    } else if (move.store) {
      memory.write(lane, column) = words[r] & 0xffff;
      memory.write(lane, column + 1) = words[r] >> 16;
    } else {
      words[r] = (memory.read(lane, column) & 0xffff) | memory.read(lane, column + 1) << 16;
    }
  }
  return "";
}

}  // namespace warpwise::numerics
