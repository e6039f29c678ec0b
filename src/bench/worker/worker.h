// A worker that runs: a version's program and the socket to it (include/warpwise/bench_protocol.h).
//
//     auto worker = TRY(Worker::start(program, {.options = …}));
//     TRY(worker.prepare(arguments, {.seed = …}));
//     Worker::Runs done = TRY(worker.round({.runs = 20, .seed = …}));
//
// Each order has a deadline. A worker that crashes, hangs or says that it cannot is an error of that order (B0005), and
// of all later ones; it is no error of ours. What it prints goes nowhere, but for the last line on standard error: such
// an error has it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "bench/worker/worker_program.h"
#include "warpwise/bench_protocol.h"

namespace warpwise::bench {

struct Start {
  std::string options;   // for WARPWISE_OPTIONS; "": what it is already
  double seconds = 120;  // that an order may take
};

class Worker {
 public:
  // B0005 when it cannot be started.
  static Result<Worker> start(const toolchain::Program& program, const Start& start);
  Worker(Worker&& other) noexcept;
  Worker& operator=(Worker&& other) noexcept;
  Worker(const Worker&) = delete;
  ~Worker();

  struct Prepared {
    uint64_t bytes = 0;        // that it has allocated
    double event_seconds = 0;  // between two events with nothing between them
  };
  struct Preparation {
    uint64_t seed = 1, memory = 0, flush = 0;  // as in bench_worker::Order
    bool unchecked = false;
  };
  Result<Prepared> prepare(const std::vector<bench_worker::Argument>& arguments, const Preparation& how);
  struct Round {
    uint32_t runs = 1;
    bool warm = false;
    uint64_t seed = 1;
  };
  struct Runs {
    std::vector<bench_worker::Run> runs;
    double seconds = 0;  // of all, by the wall clock
  };
  Result<Runs> round(const Round& round);
  // Bytes per second, reads and writes counted.
  Result<double> copy(uint64_t bytes, uint64_t flush);
  // Lets it end by itself, as programs whose kernels are counted must.
  Result<void> end();

 private:
  Worker(pid_t process, int socket, int said, double seconds)
      : process_(process), socket_(socket), said_(said), seconds_(seconds) {}
  Result<bench_worker::Answer> ask(const bench_worker::Order& order, const std::vector<bench_worker::Argument>& with);
  Result<void> receive(void* to, size_t bytes);
  // Why it answers no more. Ends it.
  Error gone(std::string_view what);
  // How it has ended, as waitpid tells; none if it has not within `seconds`, and then it is killed.
  std::optional<int> wait(double seconds);

  pid_t process_ = -1;
  int socket_ = -1;
  int said_ = -1;  // a file in memory: its standard error
  double seconds_ = 0;
};

}  // namespace warpwise::bench
