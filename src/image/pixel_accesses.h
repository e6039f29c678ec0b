// Who wrote each pixel, and at which pixels and elements two threads met.
//
//     out[i] = …    by two threads       both at site 3       collisions: (3, 3) at element i of array 0
//
// Whether such a collision is a race, the checkers say: barriers may order it. Their findings name places in the code,
// each pair once. The collisions of these two places are the elements that the finding is about, and the pixels to
// mark.
//
// It sees the accesses that the checkers see (simt/instrument/insert_checks.h); blocks run on one host thread then, so
// nothing here is locked.
#pragma once

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/finding.h"
#include "exec/launch/block_run.h"
#include "exec/observer.h"

namespace warpwise::image {

// A thread at an instruction.
struct Visitor {
  uint32_t block = 0;   // linear index + 1; 0: there was none
  uint16_t thread = 0;  // linear
  uint16_t site = 0;    // index + 1 into PixelAccesses::sites(); 0: not known
  bool same_thread(const Visitor& other) const { return block == other.block && thread == other.thread; }
};

class PixelAccesses : public exec::ObserverClient, public exec::LaunchObserver, public exec::EventObserver {
 public:
  uint32_t watch() const override;
  bool wants_order() const override { return true; }
  void launch_begins(const exec::KernelLaunch& launch) override;
  void launch_ends(const exec::KernelLaunch&) override {}
  void on_event(const exec::ObservedEvent& event) override;

  // Arrays with an element for each pixel. The first one is the picture.
  void watch_array(device::Address base, size_t elements, size_t element_bytes);

  struct Site {
    CodePlace code;
    uint64_t launch = 0;  // the number of the first launch in which it was seen, from 0
  };
  const std::vector<Site>& sites() const { return sites_; }
  // The last thread that wrote each pixel.
  std::span<const Visitor> writers() const { return arrays_[0].writers; }
  // The elements at which two threads did what these places do, one of them a write. They are pixels.
  std::vector<uint32_t> collisions(const CodePlace& one, const CodePlace& other) const;

 private:
  struct Watched {
    device::Address base = 0;
    size_t element_bytes = 4;
    std::vector<Visitor> writers;                         // of all launches
    std::vector<Visitor> launch_writers, launch_readers;  // of the launch; the last ones
  };
  void visit(Watched& array, size_t element, const Visitor& now, bool writes);
  uint16_t site_of(const exec::ObservedEvent& event);

  std::vector<Watched> arrays_;
  uint64_t launches_ = 0;
  std::unordered_map<uint64_t, uint16_t> site_by_pc_;  // of the launch
  std::vector<Site> sites_;
  std::map<std::pair<uint16_t, uint16_t>, std::vector<uint32_t>> collisions_;  // by sites, the smaller first
};

}  // namespace warpwise::image
