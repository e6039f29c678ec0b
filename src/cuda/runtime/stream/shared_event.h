// The shared state of an interprocess event (cudaEventInterprocess): a page that counts how often it was recorded, and
// which of the records the device has reached. Each process also has an event of its own, for waits within the process.
//
//     process A   cudaEventRecord      recorded = 7 ── its stream gets there ──► reached = 7
//     process B   cudaStreamWaitEvent  sees 7, and its stream waits until reached is 7
//
// Processes cannot wait for each other in a circle: a wait refers to a record that was submitted before it, and each
// process runs its work in the order of its submission. A process that has ended counts as having reached everything.
#pragma once

#include <cstdint>
#include <memory>

#include "cuda/runtime/memory/imported_files.h"

namespace warpwise::cuda {

class SharedEvent {
 public:
  // Null when the host has no memory.
  static std::shared_ptr<SharedEvent> create();
  // Null when the file is no such page.
  static std::shared_ptr<SharedEvent> open(OpenFile file);
  ~SharedEvent();
  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;

  FileName name() const { return name_of(file_.get()); }

  // The number of a record that is about to be submitted. The other processes learn of it after its submission.
  uint64_t next();
  void submitted(uint64_t record);
  void reach(uint64_t record);
  // The last record that was submitted; 0: none.
  uint64_t last() const;
  bool reached(uint64_t record) const;
  void wait(uint64_t record) const;

 private:
  struct Page;
  SharedEvent(OpenFile file, Page* page) : file_(std::move(file)), page_(page) {}
  static std::shared_ptr<SharedEvent> map(OpenFile file);

  OpenFile file_;
  Page* page_;
};

}  // namespace warpwise::cuda
