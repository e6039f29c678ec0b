// ^C while a kernel runs. By default SIGINT kills the process without a message about a kernel that never ends. A
// launch that takes long therefore arms a watch. On ^C it ends at its next poll, says where the kernel was, and lets
// the signal take its default action. A program with its own handler keeps it.
#pragma once

#include <atomic>

namespace warpwise::exec {

class InterruptWatch {
 public:
  InterruptWatch() = default;
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  // Once per launch, from any of its threads; later calls do nothing.
  void arm();
  bool interrupted() const;
  // Ends the watch and, when the user has interrupted, raises SIGINT with its default action.
  void conclude();

 private:
  std::atomic<bool> armed_{false};
};

}  // namespace warpwise::exec
