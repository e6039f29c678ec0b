// Who computes the cases: Warpwise, PoCL and warps written by hand, behind one interface.
#pragma once

#include <memory>
#include <string>

#include "cases/case.h"

namespace warpwise::bench {

constexpr unsigned kThreads = 2;  // host threads of each competitor

// The arguments of a launch by position: pointers to the buffers' addresses, then to the scalars.
class Arguments {
 public:
  Arguments(std::vector<void*> buffers, const std::vector<Scalar>& scalars) : buffers_(std::move(buffers)), scalars_(scalars) {
    for (void*& buffer : buffers_) places_.push_back(&buffer);
    for (Scalar& scalar : scalars_) places_.push_back(std::visit([](auto& value) -> void* { return &value; }, scalar));
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  void** places() { return places_.data(); }

 private:
  std::vector<void*> buffers_;
  std::vector<Scalar> scalars_;
  std::vector<void*> places_;
};

// One case on one competitor: buffers are allocated and filled, code is compiled.
class Prepared {
 public:
  virtual ~Prepared() = default;
  virtual void run() = 0;  // launch and wait: what is timed
  virtual Bytes output() = 0;
};

class Competitor {
 public:
  virtual ~Competitor() = default;
  virtual std::string name() const = 0;
  virtual std::string description() const = 0;  // versions
  virtual std::unique_ptr<Prepared> prepare(const std::string& kernel, const Case& the_case) = 0;
};

// Each ends the program with a message when it cannot start, or nothing when it does not exist here.
std::unique_ptr<Competitor> open_warpwise();
std::unique_ptr<Competitor> open_pocl();          // null without OpenCL or without PoCL's device
std::unique_ptr<Competitor> open_hand_written();  // null on a host without AVX-512

[[noreturn]] void give_up(const std::string& why);

}  // namespace warpwise::bench
