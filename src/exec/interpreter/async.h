// Copies that are under way. An asynchronous copy may happen at any time between its issue and the wait for it:
// the interpreter copies as late as possible (with --schedule=shuffle at random times), compiled code at once. A
// program that forgets to wait gets different answers from the two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace warpwise::exec::interpreter {

using Copy = std::function<void()>;

// The copies that one thread waits for in groups: of cp.async, or of cp.async.bulk (PTX ISA 9.7.9.25.2).
class CopyGroups {
 public:
  void issue(Copy copy) { open_.push_back(std::move(copy)); }
  void commit() { committed_.push_back(std::exchange(open_, {})); }
  // Does all but the last `pending` groups.
  void wait(size_t pending) {
    for (; committed_.size() > pending; committed_.pop_front()) run(committed_.front());
  }
  // Whether there is nothing left to do; groups may be empty.
  bool empty() const {
    return open_.empty() && std::ranges::all_of(committed_, [](const auto& group) { return group.empty(); });
  }
  // Does all that was issued, committed or not.
  void finish() {
    wait(0);
    run(open_);
    open_.clear();
  }

 private:
  static void run(const std::vector<Copy>& copies) {
    for (const Copy& copy : copies) copy();
  }
  std::vector<Copy> open_;
  std::deque<std::vector<Copy>> committed_;
};

// What completes on an mbarrier when it is done.
struct InFlight {
  uint64_t mbarrier = 0;  // a generic address
  Copy deliver;
};

// The operations of tensor cores that have been issued and not done, of all blocks of a cluster, in the order of issue.
// A commit waits for what came before it.
class TensorQueue {
 public:
  void issue(Copy operation) { open_.push_back(std::move(operation)); }
  // A name for what has been issued so far.
  uint64_t ticket() const { return done_ + open_.size(); }
  void run_up_to(uint64_t ticket) {
    for (; done_ < ticket; ++done_) {
      const Copy operation = std::move(open_.front());
      open_.pop_front();
      operation();
    }
  }

 private:
  std::deque<Copy> open_;
  uint64_t done_ = 0;
};

}  // namespace warpwise::exec::interpreter
