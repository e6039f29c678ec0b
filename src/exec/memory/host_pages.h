// Memory that host and device see at one address, closed to the host while the device may be using it.
//
// In programs whose races are checked. A command that was submitted and not waited for closes the host's view of the
// managed and pinned memory it was given: against writes where the device only reads, against all else. The host's
// first access to a page faults, is reported, and opens that page. What the host has waited for is opened without a
// report. The engine's view of the memory is never closed, so all that works for the device uses that view.
//
// A managed variable can have a second address on the host (cuda/runtime/memory/managed_shadows.h), a view: it is
// closed and opened with the first one, and an access to it is one to the variable.
//
// What this cannot see: a second access to a page. And a system call that is handed a closed page fails with EFAULT
// instead of faulting. Thread-safe; open() is called in a signal handler, on threads that hold none of our locks.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "device/device.h"
#include "exec/queue/stream_order.h"

namespace warpwise::exec {

class HostPages {
 public:
  enum class Closed : uint8_t { Writes, All };
  using Command = StreamOrder::Command;
  // An access to a closed page, at the program's instruction `pc`; called once for each, in the signal handler.
  using OnTouch = std::function<void(device::Address address, bool writes, uint64_t pc)>;

  explicit HostPages(OnTouch on_touch) : on_touch_(std::move(on_touch)) {}
  ~HostPages();
  HostPages(const HostPages&) = delete;
  HostPages& operator=(const HostPages&) = delete;

  // The host has this memory at `host`, too; both begin with a page, and nothing else is on the pages of the latter.
  void add_view(device::Address base, size_t bytes, device::Address host);
  // Managed variables, which any kernel may use.
  void add_variables(device::Address base, size_t bytes);
  struct Piece {
    device::Address base;
    size_t bytes;
  };
  std::vector<Piece> variables() const;

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
  struct View {
    device::Address first, last;  // whole pages
    device::Address host;
  };
  static bool protect(device::Address first, device::Address last, int protection);
  static void close(const Range& range);
  void close_pages(device::Address first, device::Address last, Closed what,
                   const std::shared_ptr<const Command>& user);
  void open_view(const View& view);

  OnTouch on_touch_;
  mutable std::mutex mutex_;
  std::vector<Range> ranges_;
  std::vector<View> views_;
  std::vector<Piece> variables_;
};

}  // namespace warpwise::exec
