// Memory that host and device see at one address, closed to the host while the device may be using it.
//
// In programs whose races are checked. A command that was submitted and not waited for closes the host's view of the managed and
// pinned memory it was given: against writes where the device only reads, against all else. The host's first touch of a page
// faults, is told of, and opens that page; what the host has waited for is opened without a word. The engine's view of the memory is
// never closed, so whatever works for the device uses that.
//
// What this cannot see: a second touch of a page; and a system call that is handed a closed page fails with EFAULT instead
// of faulting. Thread-safe; open() is called in a signal handler, on threads that hold none of our locks.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "device/device.h"
#include "exec/stream_order.h"

namespace warpwise::exec {

class HostPages {
 public:
  enum class Closed : uint8_t { Writes, All };
  using Command = StreamOrder::Command;
  // A touch of a closed page, at the program's instruction `pc`; called once for each, in the signal handler.
  using OnTouch = std::function<void(device::Address address, bool writes, uint64_t pc)>;

  explicit HostPages(OnTouch on_touch) : on_touch_(std::move(on_touch)) {}

  void close(device::Address base, size_t bytes, Closed what, const std::shared_ptr<const Command>& user);
  // Opens what only commands use of which `is_over` is true.
  void open_where(const std::function<bool(const Command&)>& is_over);
  // The memory goes away.
  void forget(device::Address base, size_t bytes);
  // A fault of the host: false when the page was not closed here.
  bool open(device::Address address, bool writes, uint64_t pc);

 private:
  struct Range {
    device::Address first, last;  // whole pages: one past the last
    Closed what;
    std::shared_ptr<const Command> user;
    bool whole = true;  // no page of it has been opened since

    Range(device::Address first, device::Address last, Closed what, std::shared_ptr<const Command> user)
        : first(first), last(last), what(what), user(std::move(user)) {}
  };
  static bool protect(device::Address first, device::Address last, int protection);
  static void close(const Range& range);

  OnTouch on_touch_;
  std::mutex mutex_;
  std::vector<Range> ranges_;
};

}  // namespace warpwise::exec
