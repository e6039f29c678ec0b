#include "exec/memory/host_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace warpwise::exec {

using device::Address;

namespace {

Address page_bytes() {
  static const Address bytes = static_cast<Address>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool overlap(Address first, Address last, Address other_first, Address other_last) {
  return first < other_last && other_first < last;
}

}  // namespace

bool HostPages::protect(Address first, Address last, int protection) {
  return mprotect(reinterpret_cast<void*>(first), last - first, protection) == 0;
}

void HostPages::close(const Range& range) {
  protect(range.first, range.last, range.what == Closed::All ? PROT_NONE : PROT_READ);
}

// The program goes on using the views when the device is gone.
HostPages::~HostPages() {
  for (const View& view : views_) open_view(view);
}

void HostPages::open_view(const View& view) {
  protect(view.host, view.host + (view.last - view.first), PROT_READ | PROT_WRITE);
}

void HostPages::add_view(Address base, size_t bytes, Address host) {
  const Address page = page_bytes();
  if (bytes == 0 || base % page != 0 || host % page != 0) return;
  std::lock_guard lock(mutex_);
  views_.push_back({base, (base + bytes + page - 1) / page * page, host});
}

void HostPages::add_variables(Address base, size_t bytes) {
  std::lock_guard lock(mutex_);
  variables_.push_back({base, bytes});
}

std::vector<HostPages::Piece> HostPages::variables() const {
  std::lock_guard lock(mutex_);
  return variables_;
}

void HostPages::close(Address base, size_t bytes, Closed what, const std::shared_ptr<const Command>& user) {
  if (bytes == 0) return;
  const Address page = page_bytes(), first = base / page * page, last = (base + bytes + page - 1) / page * page;
  std::lock_guard lock(mutex_);
  close_pages(first, last, what, user);
  for (const View& view : views_)
    if (overlap(first, last, view.first, view.last))
      close_pages(std::max(first, view.first) - view.first + view.host,
                  std::min(last, view.last) - view.first + view.host, what, user);
}

void HostPages::close_pages(Address first, Address last, Closed what, const std::shared_ptr<const Command>& user) {
  for (Range& range : ranges_) {
    // A later command of the same stream ends later: it stands for both.
    if (range.first != first || range.last != last || range.what != what || range.user->stream != user->stream)
      continue;
    range.user = user;
    if (!range.whole) close(range);
    range.whole = true;
    return;
  }
  close(ranges_.emplace_back(first, last, what, user));
  if (what == Closed::All) return;
  for (Range& other : ranges_) {  // reading stays closed where another command has closed it
    if (other.what != Closed::All || !overlap(first, last, other.first, other.last)) continue;
    close(other);
    other.whole = true;
  }
}

void HostPages::open_where(const std::function<bool(const Command&)>& is_over) {
  std::lock_guard lock(mutex_);
  std::vector<Range> over;
  std::erase_if(ranges_, [&](const Range& range) { return is_over(*range.user) && (over.push_back(range), true); });
  for (const Range& range : over) protect(range.first, range.last, PROT_READ | PROT_WRITE);
  // Pages that other commands still use are closed again; those that are closed to all use come last.
  for (const Closed what : {Closed::Writes, Closed::All})
    for (Range& range : ranges_) {
      if (range.what != what) continue;
      for (const Range& gone : over) {
        if (!overlap(range.first, range.last, gone.first, gone.last)) continue;
        close(range);
        range.whole = true;
        break;
      }
    }
}

void HostPages::forget(Address base, size_t bytes) {
  std::lock_guard lock(mutex_);
  auto drop = [&](Address first, Address last) {
    std::erase_if(ranges_, [&](const Range& range) { return overlap(range.first, range.last, first, last); });
  };
  drop(base, base + bytes);
  std::erase_if(views_, [&](const View& view) {
    if (!overlap(view.first, view.last, base, base + bytes)) return false;
    drop(view.host, view.host + (view.last - view.first));
    open_view(view);
    return true;
  });
  std::erase_if(variables_,
                [&](const Piece& piece) { return overlap(piece.base, piece.base + piece.bytes, base, base + bytes); });
}

bool HostPages::open(Address address, bool writes, uint64_t pc) {
  {
    std::lock_guard lock(mutex_);
    bool closed = false;
    for (Range& range : ranges_) {
      if (address < range.first || address >= range.last) continue;
      closed = true;
      range.whole = false;
    }
    const Address page = page_bytes(), first = address / page * page;
    if (!closed || !protect(first, first + page, PROT_READ | PROT_WRITE)) return false;
    for (const View& view : views_)
      if (address - view.host < view.last - view.first) {
        address = address - view.host + view.first;
        break;
      }
  }
  on_touch_(address, writes, pc);
  return true;
}

}  // namespace warpwise::exec
