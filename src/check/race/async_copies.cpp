#include "check/race/async_copies.h"

#include <utility>

namespace warpwise::check {

void AsyncCopies::issue_bulk(uint32_t thread, device::Address to, size_t bytes, device::Address mbarrier,
                             uint32_t site) {
  bulk_.push_back({to, bytes, mbarrier, thread, site});
  for (device::Address word = to / 4 * 4; word < to + bytes; word += 4) words_[word] = {thread, site};
}

void AsyncCopies::arrived(device::Address mbarrier) {
  std::erase_if(bulk_, [&](const Bulk& copy) {
    if (copy.mbarrier != mbarrier) return false;
    for (device::Address word = copy.to / 4 * 4; word < copy.to + copy.bytes; word += 4)
      if (auto pending = words_.find(word);
          pending != words_.end() && pending->second.thread == copy.thread && pending->second.site == copy.site)
        words_.erase(pending);
    return true;
  });
}

void AsyncCopies::commit_bulk(uint32_t thread) {
  const uint64_t group = ++committed_[thread];
  for (Source& source : sources_)
    if (source.by.thread == thread && source.group == kOpen) source.group = group;
}

void AsyncCopies::wait_bulk(uint32_t thread, uint64_t keep) {
  const uint64_t committed = committed_[thread];
  std::erase_if(sources_, [&](const Source& source) {
    return source.by.thread == thread && source.group != kOpen && source.group + keep <= committed;
  });
}

const AsyncCopies::Pending* AsyncCopies::find_reader(device::Address word) const {
  for (const Source& source : sources_)
    if (word + 4 > source.from && word < source.from + source.bytes) return &source.by;
  return nullptr;
}

void AsyncCopies::commit(uint32_t thread) {
  auto found = threads_.find(thread);
  if (found == threads_.end()) return;
  found->second.groups.push_back(std::exchange(found->second.open, {}));
}

AsyncCopies::Words AsyncCopies::wait(uint32_t thread, uint64_t keep, bool open) {
  auto found = threads_.find(thread);
  if (found == threads_.end()) return {};
  Words done;
  auto take = [&](const Words& words) {
    for (device::Address word : words)
      if (auto pending = words_.find(word); pending != words_.end() && pending->second.thread == thread)
        words_.erase(pending), done.push_back(word);
  };
  std::deque<Words>& groups = found->second.groups;
  for (; groups.size() > keep; groups.pop_front()) take(groups.front());
  if (open) take(std::exchange(found->second.open, {}));
  return done;
}

}  // namespace warpwise::check
