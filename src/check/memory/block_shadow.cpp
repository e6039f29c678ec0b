#include "check/memory/block_shadow.h"

#include "check/event_threads.h"

namespace warpwise::check {

using device::Address;

namespace {

// The local memory of a block is painted anew for every block up to this size: 256 KiB for each of a thousand threads.
constexpr uint64_t kMostLocalBytes = 256 << 20;

uint64_t local_bytes(const simt::BlockContext& block) {
  return uint64_t{block.ntid[0]} * block.ntid[1] * block.ntid[2] * block.local_stride;
}

}  // namespace

void BlockShadow::begin_launch(const exec::KernelImage& image) {
  if (image_ == &image) return;
  image_ = &image;
  shared_variables_ = shared_variables(image);
}

bool BlockShadow::reserve(const exec::BlockRun& run, const exec::Arena& arena) {
  // The pages of shared memory have a margin on either side, which no variable owns.
  const simt::BlockContext& c = run.context;
  if (auto region = arena.find(c.shared - simt::kAliasOffset)) shadow_.clear(region->base, region->size);
  if (c.local_stride == 0) return true;
  if (auto region = arena.find(c.local - simt::kAliasOffset)) shadow_.clear(region->base, region->size);
  if (local_bytes(c) <= kMostLocalBytes) return true;
  shadow_.paint(c.local - simt::kAliasOffset, local_bytes(c), simt::kInitialised,
                ShadowMemory::Use::Sparse);  // stacks, mostly
  paint_local_ends(run);
  return false;
}

void BlockShadow::begin(const exec::BlockRun& run) {
  const simt::BlockContext& c = run.context;
  const Address shared = c.shared - simt::kAliasOffset;
  if (c.total_shared_bytes != 0) {
    const ptx::KernelLayout& layout = image_->layout;
    shadow_.paint(shared, c.total_shared_bytes, simt::kNoMemory);
    if (!shared_variables_.empty())
      shadow_.paint(shared, shared_variables_.front().offset, simt::kInitialised);  // the system's own
    for (const SharedVariable& v : shared_variables_)
      shadow_.paint(shared + v.offset, v.variable->size, simt::kUninitialised);
    if (c.dynamic_shared_bytes != 0)
      shadow_.paint(shared + layout.dynamic_shared_offset, c.dynamic_shared_bytes, simt::kUninitialised);
  }
  if (c.local_stride != 0 && local_bytes(c) <= kMostLocalBytes) {
    shadow_.paint(c.local - simt::kAliasOffset, local_bytes(c), simt::kUninitialised,
                  ShadowMemory::Use::Sparse);  // stacks, where it is much
    paint_local_ends(run);
  }
}

// Behind the last of a thread's frames, where it is known, begins memory that no frame owns.
void BlockShadow::paint_local_ends(const exec::BlockRun& run) {
  const simt::BlockContext& c = run.context;
  const uint64_t end = run.launch.launch.image->layout.local_bytes;
  if (run.launch.kernel.about().local_bytes != end + simt::variable_margin(simt::kWatchAddresses)) return;
  for (Address thread = c.local - simt::kAliasOffset, last = thread + local_bytes(c); thread < last;
       thread += c.local_stride)
    shadow_.paint(thread + end, c.local_stride - end, simt::kNoMemory);
}

void BlockShadow::end_frames(const exec::ObservedEvent& event) {
  const simt::BlockContext& c = event.run.context;
  if (c.local_stride == 0 || local_bytes(c) > kMostLocalBytes) return;
  for (const auto [lane, thread] : threads_of(event))
    shadow_.paint(c.local - simt::kAliasOffset + uint64_t{thread} * c.local_stride + event.addresses[lane],
                  event.values[lane], simt::kUninitialised, ShadowMemory::Use::Sparse);
}

}  // namespace warpwise::check
