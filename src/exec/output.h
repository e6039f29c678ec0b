// What kernels print goes to the program's stdout, through the same stdio buffer as the host's own
// printf, so that both interleave as the program ordered them.
//
// Blocks may run in parallel; the text of a launch still comes out in block order, the same every time.
#pragma once

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
  void write(std::string_view text) { sink_(text); }

 private:
  Sink sink_;
};

// The text of one launch.
class LaunchOutput {
 public:
  // `in_order`: blocks run one after the other on one thread, so nothing has to wait for its turn.
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
