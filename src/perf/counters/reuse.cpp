#include "perf/counters/reuse.h"

#include <algorithm>
#include <cmath>

namespace warpwise::perf {

namespace {

constexpr double kSector = 32;

// Sectors of `a` that are in `b`, and of these those in `c`.
uint64_t common(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b, const std::vector<uint64_t>* c,
                uint64_t* in_all) {
  uint64_t count = 0;
  size_t at_b = 0, at_c = 0;
  for (uint64_t sector : a) {
    while (at_b < b.size() && b[at_b] < sector) ++at_b;
    if (at_b == b.size()) break;
    if (b[at_b] != sector) continue;
    ++count;
    if (!c) continue;
    while (at_c < c->size() && (*c)[at_c] < sector) ++at_c;
    if (at_c < c->size() && (*c)[at_c] == sector) ++*in_all;
  }
  return count;
}

// The whole launch, known or by the formula; and how far the formula is off.
double whole(const Footprint& f, const device::Dim3& grid) {
  return f.all ? *f.all : different_sectors(f.sharing, f.per_block, grid, double(grid.count()));
}

double in_window(const Footprint& f, const device::Dim3& grid, double blocks) {
  const double formula = different_sectors(f.sharing, f.per_block, grid, double(grid.count()));
  const double correction = f.all && formula > 0 ? *f.all / formula : 1;
  return different_sectors(f.sharing, f.per_block, grid, blocks) * correction;
}

// Of what a launch writes that touches more than L2 has room for, the part that goes to memory. It finds L2 full of
// other launches' data, pays for writing that, and leaves as much behind: from twice the size of L2 on, everything.
double written_share(double room, double touched) { return std::min(1.0, 2 * (1 - room / touched)); }

}  // namespace

std::vector<Neighbours> neighbours_of(const device::Dim3& grid) {
  constexpr uint64_t kPlaces = 4;
  const uint64_t rows = uint64_t{grid.y} * grid.z;
  std::vector<Neighbours> result;
  for (uint64_t n = 0; n < kPlaces; ++n) {
    // Odd eighths of each axis, those of y in another order.
    const uint64_t x = grid.x * (2 * n + 1) / (2 * kPlaces), y = rows * (2 * ((n + 2) % kPlaces) + 1) / (2 * kPlaces);
    Neighbours here{x + grid.x * y, {}, {}};
    if (x + 1 < grid.x) here.right = here.block + 1;
    if (y + 1 < rows) here.below = here.block + grid.x;
    if (std::none_of(result.begin(), result.end(), [&](const Neighbours& o) { return o.block == here.block; }))
      result.push_back(here);
  }
  return result;
}

void Reuse::add(const std::vector<uint64_t>& block, const std::vector<uint64_t>* right,
                const std::vector<uint64_t>* below) {
  uint64_t in_all = 0;
  if (right) with_right_ += block.size(), x_ += common(block, *right, below, &in_all);
  if (below) with_below_ += block.size(), y_ += common(block, *below, nullptr, nullptr);
  if (right && below) with_both_ += block.size(), g_ += in_all;
}

Sharing Reuse::sharing() const {
  auto part = [](uint64_t n, uint64_t all) { return all == 0 ? 0 : double(n) / double(all); };
  const double all = part(g_, with_both_);
  return {std::max(0.0, part(x_, with_right_) - all), std::max(0.0, part(y_, with_below_) - all), all, {}};
}

double common_part(const std::vector<uint64_t>& sectors, const std::vector<uint64_t>& others) {
  return sectors.empty() ? 0 : double(common(sectors, others, nullptr, nullptr)) / double(sectors.size());
}

L1Sharing l1_sharing(double by_all, double per_block, double blocks, double of_sm, double together, uint64_t l1_bytes) {
  const double held = (by_all + of_sm * (1 - by_all)) * per_block * kSector;
  const double side_by_side = 1 - 1 / std::max(of_sm, 1.0);
  if (held > double(l1_bytes)) return {side_by_side, 0};
  // Of each multiprocessor's blocks, only those of the first wave find that the data is missing.
  const double first_wave = std::min(1.0, together / blocks);
  return {side_by_side * first_wave, 1 - first_wave};
}

double different_sectors(const Sharing& s, double per_block, const device::Dim3& grid, double blocks) {
  if (!s.returns.empty()) {
    double different = blocks;
    for (const Return& r : s.returns) different -= r.share * std::max(0.0, blocks - r.blocks);
    return per_block * different;
  }
  const double x = std::min<double>(blocks, grid.x), y = std::max(1.0, blocks / grid.x);
  const double own = std::max(0.0, 1 - s.along_x - s.along_y - s.by_all);
  return per_block * (own * x * y + s.along_x * y + s.along_y * x + s.by_all);
}

double different_places(const Footprint& f, const device::Dim3& grid) { return whole(f, grid); }

double opened(const Footprint& f, const device::Dim3& grid) {
  return different_sectors(f.sharing, f.per_block, grid, double(grid.count()));
}

uint64_t count_places(const std::vector<uint64_t>& sectors, unsigned shift) {
  uint64_t places = !sectors.empty();
  for (size_t n = 1; n < sectors.size(); ++n) places += sectors[n] >> shift != sectors[n - 1] >> shift;
  return places;
}

std::vector<uint64_t> places_of(const std::vector<uint64_t>& sectors, unsigned shift) {
  std::vector<uint64_t> places;
  for (uint64_t sector : sectors)
    if (places.empty() || places.back() != sector >> shift) places.push_back(sector >> shift);
  return places;
}

MemoryTraffic memory_traffic(const Footprint& read, const Footprint& written, const device::Dim3& grid,
                             uint64_t together, uint64_t l2_bytes, double bytes_of_place) {
  const double blocks = double(grid.count()), room = double(l2_bytes) / bytes_of_place;
  MemoryTraffic traffic{whole(read, grid), 0};
  const double all = traffic.read_sectors + whole(written, grid);
  if (all <= room) return traffic;
  // The largest window that L2 holds, at least the blocks that run together.
  auto touched = [&](double window) { return in_window(read, grid, window) + in_window(written, grid, window); };
  double least = std::min(double(together), blocks), most = blocks;
  if (touched(least) < room)
    for (int step = 0; step < 64; ++step) {
      const double middle = (least + most) / 2;
      (touched(middle) < room ? least : most) = middle;
    }
  // What all blocks read is used all the time, and stays.
  const double by_all = std::min(read.per_block * read.sharing.by_all, in_window(read, grid, least));
  traffic.read_sectors =
      std::max(traffic.read_sectors, blocks / least * (in_window(read, grid, least) - by_all) + by_all);
  traffic.written_sectors = blocks / least * in_window(written, grid, least) * written_share(room, all);
  return traffic;
}

MemoryTraffic local_traffic(double stored, double missed, const device::Dim3& grid, uint64_t together,
                            uint64_t l2_bytes) {
  const double blocks = double(grid.count()), room = double(l2_bytes) / kSector;
  const double in_use = stored * std::min(1.0, double(together) / blocks);
  if (in_use <= room) return {};
  return {missed * (1 - room / in_use), stored * written_share(room, in_use)};
}

double lost_rereads(const std::array<double, kDistanceClasses>& rereads, const Footprint& read,
                    const Footprint& written, const device::Dim3& grid, uint64_t together, uint64_t l2_bytes) {
  const double side_by_side = std::min(double(together), double(grid.count())), room = double(l2_bytes) / kSector;
  const double touched = in_window(read, grid, side_by_side) + in_window(written, grid, side_by_side);
  if (touched <= room) return 0;
  const double of_block = room * (read.per_block + written.per_block) / touched;
  double own = 1 - read.sharing.along_x - read.sharing.along_y - read.sharing.by_all;
  if (!read.sharing.returns.empty()) own = 1;
  for (const Return& r : read.sharing.returns)
    if (r.blocks < side_by_side) own -= r.share;
  double lost = 0;
  for (size_t n = 0; n < rereads.size(); ++n) {
    if (rereads[n] == 0) continue;
    const double least = least_distance(n), most = least_distance(n + 1);  // evenly in between
    lost += rereads[n] * std::clamp((most - of_block) / (most - least), 0.0, 1.0);
  }
  return std::max(0.0, own) * lost;
}

}  // namespace warpwise::perf
