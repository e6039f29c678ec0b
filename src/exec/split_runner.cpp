#include "exec/split_runner.h"

#include <algorithm>

namespace warpwise::exec {

SplitRunner::SplitRunner(LaunchRun& launch, KernelGuard& guard, Slots& slots, uint64_t resident_blocks)
    : launch_(launch),
      guard_(guard),
      slots_(slots),
      cluster_size_(launch.launch.cluster.count()),
      resident_clusters_(std::max<uint64_t>(resident_blocks / cluster_size_, 1)) {}

// Starts one more cluster if there is one and it fits.
bool SplitRunner::admit() {
  if (running_.size() >= resident_clusters_) return false;
  auto range = launch_.take(cluster_size_);
  if (range.first == range.last) return false;
  if (idle_.empty()) {
    idle_.push_back(clusters_.size());
    clusters_.push_back(std::make_unique<SplitCluster>(launch_, guard_, slots_, clusters_.size() * cluster_size_));
  }
  size_t cluster = idle_.back();
  auto started = clusters_[cluster]->start(range.first);
  if (!started.ok()) {
    error_ = started.error();
    return false;
  }
  idle_.pop_back();
  running_.push_back(cluster);
  return true;
}

void SplitRunner::run() {
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
        idle_.push_back(running_[i]);
        running_.erase(running_.begin() + static_cast<ptrdiff_t>(i));
      } else {
        ++i;
      }
      current_ = nullptr;
    }
    // Everybody spins, or there is room: let another cluster in.
    if (!progressed || running_.empty()) admit();
  }
}

}  // namespace warpwise::exec
