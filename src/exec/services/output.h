// What kernels print goes to the program's stdout, through the same stdio buffer as the host's own
// printf, so that both interleave as the program ordered them.
//
// Blocks may run in parallel; the text of a launch still comes out in block order, the same every time.
//
// A kernel that runs in the background, while the program does something else, may not print into the middle of
// what the program prints: its text is held until the program waits (CUDA programming guide, "Formatted output":
// the buffer is flushed at launches and synchronisation only).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace warpwise::exec {

class Output {
 public:
  using Sink = std::function<void(std::string_view)>;
  Output();  // stdout
  explicit Output(Sink sink) : sink_(std::move(sink)) {}
  void write(std::string_view text);
  // What is written from here on waits for release().
  void hold(bool held) { held_ = held; }
  void release();

 private:
  Sink sink_;
  std::atomic<bool> held_{false};
  std::mutex mutex_;
  std::string waiting_;
};

// The text of one launch.
class LaunchOutput {
 public:
  // `in_order`: blocks run one after the other on one thread, so no text has to wait for its turn.
  LaunchOutput(Output& output, bool in_order) : output_(output), in_order_(in_order) {}
  ~LaunchOutput() { flush(); }

  void print(uint64_t block, std::string_view text);
  // Writes what there is, in block order.
  void flush();

 private:
  static constexpr size_t kFlushBytes = 64 << 10;
  Output& output_;
  const bool in_order_;
  std::mutex mutex_;
  std::map<uint64_t, std::string> text_;
  std::string straight_;
};

}  // namespace warpwise::exec
