#include "image/pixel_accesses.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "check/source/places.h"
#include "simt/instrument/events.h"

namespace warpwise::image {

namespace {

using simt::AccessKind;
using simt::EventKind;

// Of one pair of places; beyond these the picture is red already.
constexpr size_t kMostCollisions = 1 << 20;

}  // namespace

uint32_t PixelAccesses::watch() const { return simt::kWatchOrder | simt::kWatchEvery; }

void PixelAccesses::watch_array(device::Address base, size_t elements, size_t element_bytes) {
  const std::vector<Visitor> none(elements);
  arrays_.push_back({base, element_bytes, none, none, none});
}

void PixelAccesses::launch_begins(const exec::KernelLaunch&) {
  ++launches_;
  site_by_pc_.clear();
  for (Watched& array : arrays_)
    for (auto* visitors : {&array.launch_writers, &array.launch_readers})
      std::fill(visitors->begin(), visitors->end(), Visitor());
}

uint16_t PixelAccesses::site_of(const exec::ObservedEvent& event) {
  const auto [found, fresh] = site_by_pc_.try_emplace(event.pc, 0);
  if (!fresh) return found->second;
  const simt::Site* site = event.run.launch.kernel.site_at(event.pc);
  if (!site || sites_.size() == std::numeric_limits<uint16_t>::max()) return 0;
  const exec::KernelLaunch& launch = event.run.launch.launch;
  sites_.push_back({check::code_place(*launch.image->module, site->function, site->instruction), launches_ - 1});
  return found->second = uint16_t(sites_.size());
}

void PixelAccesses::visit(Watched& array, size_t element, const Visitor& now, bool writes) {
  const auto collide = [&](const Visitor& before) {
    if (before.block == 0 || before.same_thread(now)) return;
    auto& elements = collisions_[std::minmax(before.site, now.site)];
    if (elements.size() < kMostCollisions && (elements.empty() || elements.back() != element))
      elements.push_back(uint32_t(element));
  };
  collide(array.launch_writers[element]);
  if (writes) collide(array.launch_readers[element]);
  (writes ? array.launch_writers : array.launch_readers)[element] = now;
  if (writes) array.writers[element] = now;
}

void PixelAccesses::on_event(const exec::ObservedEvent& event) {
  const EventKind kind = simt::kind_of(event.what);
  simt::MemoryAccess what;
  if (kind == EventKind::Access)
    what = simt::unpack<simt::event::Access>(event.what).access;
  else if (kind == EventKind::Rows)
    what = simt::unpack<simt::event::Rows>(event.what).access();
  else
    return;
  if (what.shared) return;
  for (uint32_t left = event.mask; left != 0; left &= left - 1) {
    const unsigned lane = unsigned(std::countr_zero(left));
    const device::Address address = event.addresses[lane];
    for (Watched& array : arrays_) {
      if (address < array.base || address - array.base >= array.writers.size() * array.element_bytes) continue;
      const size_t thread =
          event.run.running_thread >= 0 ? size_t(event.run.running_thread) : size_t{event.warp} * simt::kLanes + lane;
      const Visitor now{uint32_t(event.run.block + 1), uint16_t(thread), site_of(event)};
      const size_t first = (address - array.base) / array.element_bytes,
                   last = (address - array.base + what.bytes - 1) / array.element_bytes;
      for (size_t n = first; n <= std::min(last, array.writers.size() - 1); ++n) {
        // Atomic operations read and write; two of them do not race, and the checkers know.
        if (what.kind != AccessKind::Store) visit(array, n, now, false);
        if (what.kind != AccessKind::Load) visit(array, n, now, true);
      }
    }
  }
}

std::vector<uint32_t> PixelAccesses::collisions(const CodePlace& one, const CodePlace& other) const {
  const auto is = [&](uint16_t site, const CodePlace& place) { return site != 0 && sites_[site - 1].code == place; };
  std::vector<uint32_t> found;
  for (const auto& [pair, elements] : collisions_)
    if ((is(pair.first, one) && is(pair.second, other)) || (is(pair.first, other) && is(pair.second, one)))
      found.insert(found.end(), elements.begin(), elements.end());
  return found;
}

}  // namespace warpwise::image
