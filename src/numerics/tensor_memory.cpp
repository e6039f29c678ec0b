#include "numerics/tensor_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warpwise::numerics {

bool TensorMemory::is_free(uint32_t column, uint32_t columns) const {
  return std::none_of(allocations_.begin(), allocations_.end(), [&](const Allocation& a) {
    return a.column < column + columns && column < a.column + a.columns;
  });
}

std::optional<uint32_t> TensorMemory::room_for(uint32_t columns) const {
  for (uint32_t first = 0; first + columns <= kColumns; first += kUnit)
    if (is_free(first, columns)) return first;
  return std::nullopt;
}

void TensorMemory::allocate(uint32_t column, uint32_t columns) {
  allocations_.push_back({column, columns});
  for (size_t lane = 0; !uninitialised_.empty() && lane < kLanes; ++lane)
    std::fill_n(uninitialised_.begin() + ptrdiff_t(lane * kColumns + column), columns, true);
}

void TensorMemory::copy_lane(uint32_t to, uint32_t from, uint32_t column, uint32_t columns) {
  for (size_t n = column; n < column + columns; ++n) {
    words_[to * kColumns + n] = words_[from * kColumns + n];
    if (!uninitialised_.empty()) uninitialised_[to * kColumns + n] = uninitialised_[from * kColumns + n];
  }
}

void TensorMemory::note_read(uint32_t lane, uint32_t column) const {
  ++reads_.cells;
  if (!uninitialised_[lane * kColumns + column]) return;
  if (reads_.blank++ == 0) reads_.first.lane = lane, reads_.first.column = column;
}

std::string TensorMemory::release(TensorAddress address, uint32_t columns) {
  for (auto a = allocations_.begin(); a != allocations_.end(); ++a) {
    if (address.lane != 0 || a->column != address.column) continue;
    if (a->columns != columns)
      return fmt::format("tcgen05.dealloc of {} columns at column {}, where {} were allocated", columns, a->column,
                         a->columns);
    allocations_.erase(a);
    return "";
  }
  return fmt::format("tcgen05.dealloc at lane {}, column {}: no allocation begins there", address.lane, address.column);
}

uint32_t TensorMemory::allocated_columns() const {
  uint32_t sum = 0;
  for (const Allocation& a : allocations_) sum += a.columns;
  return sum;
}

std::string TensorMemory::check(const char* what, TensorAddress address, uint32_t lanes, uint32_t columns) const {
  const uint32_t end = address.column + columns;
  if (address.lane + lanes > kLanes || end > kColumns) {
    return fmt::format("{} is {} lanes from lane {} and {} columns from column {}: tensor memory has {} by {}", what,
                       lanes, address.lane, columns, address.column, kLanes, kColumns);
  }
  for (uint32_t column = address.column; column < end;) {
    const auto holder = std::find_if(allocations_.begin(), allocations_.end(), [&](const Allocation& a) {
      return a.column <= column && column < a.column + a.columns;
    });
    if (holder == allocations_.end())
      return fmt::format("{} reaches column {} of tensor memory, which is not allocated", what, column);
    column = holder->column + holder->columns;
  }
  return "";
}

std::string check_column_count(uint32_t columns) {
  if (columns >= TensorMemory::kUnit && columns <= TensorMemory::kColumns && std::has_single_bit(columns)) return "";
  return fmt::format("{} columns of tensor memory: the number is 32, 64, 128, 256 or 512", columns);
}

}  // namespace warpwise::numerics
