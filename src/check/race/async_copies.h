// Asynchronous copies of a block's threads that no thread has waited for yet (PTX ISA, Data Movement: Asynchronous
// copy).
//
//     cp.async      issue ─► commit: a group ─► wait for all but the last N groups: now they are written, by this
//     thread bulk, tensor  issue, with an mbarrier ─► a thread waits there
//                   from shared memory: issue ─► commit: a bulk group ─► wait for all but the last N: now they are read
//
// Compiled code copies at once, so a program that forgets to wait still reads the right values. Here the words that a
// copy writes may not be used between its issue and the wait, and those that it reads may be read, too, and not
// written.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "device/device.h"

namespace warpwise::check {

class AsyncCopies {
 public:
  struct Pending {
    uint32_t thread, site;
  };
  using Words = std::vector<device::Address>;

  // Most blocks copy nothing, and an empty table is cleared by writing over it.
  void clear() {
    if (!words_.empty()) words_.clear();
    if (!threads_.empty()) threads_.clear();
    if (!committed_.empty()) committed_.clear();
    bulk_.clear(), sources_.clear();
  }
  bool empty() const { return words_.empty() && sources_.empty(); }
  const Pending* find(device::Address word) const {
    auto found = words_.find(word);
    return found == words_.end() ? nullptr : &found->second;
  }
  void issue(uint32_t thread, device::Address word, uint32_t site) {
    words_[word] = {thread, site};
    threads_[thread].open.push_back(word);
  }
  void issue_bulk(uint32_t thread, device::Address to, size_t bytes, device::Address mbarrier, uint32_t site);
  // A bulk copy takes `bytes` from here.
  void issue_bulk_source(uint32_t thread, device::Address from, size_t bytes, uint32_t site) {
    sources_.push_back({from, bytes, {thread, site}, kOpen});
  }
  void commit_bulk(uint32_t thread);
  void wait_bulk(uint32_t thread, uint64_t keep);
  // The copy that may be reading this word.
  const Pending* find_reader(device::Address word) const;
  void commit(uint32_t thread);
  // A thread has waited at an mbarrier.
  void arrived(device::Address mbarrier);
  // The thread has waited for all groups but the last `keep`, and with `open` for what it has not committed, too: these
  // words.
  Words wait(uint32_t thread, uint64_t keep, bool open);

 private:
  struct Thread {
    Words open;
    std::deque<Words> groups;
  };
  struct Bulk {
    device::Address to;
    size_t bytes;
    device::Address mbarrier;
    uint32_t thread, site;
  };

  static constexpr uint64_t kOpen = ~uint64_t{0};  // in no group yet
  struct Source {
    device::Address from;
    size_t bytes;
    Pending by;
    uint64_t group;  // of the thread's, from 1
  };

  std::vector<Source> sources_;
  std::unordered_map<uint32_t, uint64_t> committed_;  // bulk groups, by thread
  std::unordered_map<device::Address, Pending> words_;
  std::vector<Bulk> bulk_;
  std::unordered_map<uint32_t, Thread> threads_;
};

}  // namespace warpwise::check
