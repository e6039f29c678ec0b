#include "exec/fibers/runner.h"

#include <algorithm>

namespace warpwise::exec {

FiberRunner::FiberRunner(LaunchRun& launch, KernelGuard& guard, Slots& slots, uint64_t resident_blocks)
    : launch_(launch),
      guard_(guard),
      slots_(slots),
      cluster_size_(launch.launch.cluster.count()),
      resident_clusters_(std::max<uint64_t>(resident_blocks / cluster_size_, 1)) {}

// After one that has ended, the next one of its slot; else the first of a slot that is not open yet; else, since all
// that run wait, one out of turn.
std::optional<uint64_t> FiberRunner::next_cluster() {
  if (launch_.has_failed()) return std::nullopt;
  for (; !ended_.empty(); ended_.pop_back())
    if (auto next = launch_.slots.next_of(ended_.back())) return next;
  if (auto first = launch_.slots.open()) return first;
  if (fruitless_ < kPatience) return std::nullopt;
  for (size_t cluster : running_)
    if (auto next = launch_.slots.next_of(clusters_[cluster]->block(0).place / cluster_size_)) return next;
  return std::nullopt;
}

// Starts one more cluster if there is one and it fits.
bool FiberRunner::admit() {
  if (running_.size() >= resident_clusters_) return false;
  const std::optional<uint64_t> next = next_cluster();
  if (!next) return false;
  if (idle_.empty()) {
    idle_.push_back(clusters_.size());
    clusters_.push_back(std::make_unique<FiberCluster>(launch_, guard_, slots_, clusters_.size() * cluster_size_));
  }
  size_t cluster = idle_.back();
  auto started = clusters_[cluster]->start(*next * cluster_size_);
  if (!started.ok()) {
    error_ = started.error();
    return false;
  }
  idle_.pop_back();
  running_.push_back(cluster);
  return true;
}

void FiberRunner::run() {
  if (launch_.launch.cooperative)
    while (admit()) {
    }
  else
    admit();
  while (!running_.empty() && !error_) {
    bool progressed = false;
    for (size_t i = 0; i < running_.size();) {
      current_ = clusters_[running_[i]].get();
      do current_->turn();
      while (!current_->finished() && current_->progressed());
      if (current_->finished()) {
        progressed = true;
        current_->block(0).end_launch_if_asked();
        ended_.push_back(current_->block(0).place / cluster_size_);
        idle_.push_back(running_[i]);
        running_.erase(running_.begin() + static_cast<ptrdiff_t>(i));
      } else {
        ++i;
      }
      current_ = nullptr;
    }
    fruitless_ = progressed ? 0 : fruitless_ + 1;
    // All clusters spin, or there is room: admit another one.
    if (!progressed || running_.empty()) admit();
  }
}

}  // namespace warpwise::exec
