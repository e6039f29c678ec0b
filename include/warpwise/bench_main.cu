// main() of a worker of `warpwise bench`: takes orders (bench_protocol.h) and gives them to a Worker (bench_worker.h).
// `warpwise bench` links it with a version's `solve`, the ladder's `reference` and the calls of both. It is the same for
// all ladders, and takes longest to compile: so it is compiled once (Compilation::take_known_units).

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "warpwise/bench_worker.h"

namespace warpwise::bench_worker {

static bool read_all(int from, void* to, size_t bytes) {
  for (char* at = static_cast<char*>(to); bytes > 0;) {
    const ssize_t got = read(from, at, bytes);
    if (got <= 0) return false;
    at += got, bytes -= size_t(got);
  }
  return true;
}
static bool write_all(int to, const void* from, size_t bytes) {
  for (const char* at = static_cast<const char*>(from); bytes > 0;) {
    const ssize_t put = write(to, at, bytes);
    if (put <= 0) return false;
    at += put, bytes -= size_t(put);
  }
  return true;
}

// Answers orders until End, or until there are none. With a script the exit code says whether all went well.
static int serve(int orders, bool script) {
  Worker worker;
  Order order;
  bool good = true;
  while (read_all(orders, &order, sizeof order) && order.kind != OrderKind::End) {
    Answer answer;
    std::vector<Run> runs;
    if (order.kind == OrderKind::Prepare) {
      if (order.arguments > kMostArguments) return 125;
      std::vector<Argument> arguments(order.arguments);
      if (!read_all(orders, arguments.data(), arguments.size() * sizeof(Argument))) return 125;
      answer = worker.prepare(order, arguments);
    } else if (order.kind == OrderKind::Round) {
      answer = worker.round(order, runs);
    } else {
      answer = worker.copy(order);
    }
    if (script) {
      good = good && answer.ok;
      if (!answer.ok) std::fprintf(stderr, "%s\n", answer.why);
      for (const Run& run : runs) {
        good = good && run.fault == Fault::None;
        if (run.fault != Fault::None)
          std::fprintf(stderr, "argument %u is wrong at element %llu\n", run.argument, (unsigned long long)run.first);
      }
    } else if (!write_all(orders, &answer, sizeof answer) ||
               !write_all(orders, runs.data(), answer.runs * sizeof(Run))) {
      return 125;
    }
  }
  worker.clear();
  return good ? 0 : 1;
}

}  // namespace warpwise::bench_worker

int main() {
  using namespace warpwise::bench_worker;
  if (const char* script = std::getenv(kScriptVariable)) {
    std::FILE* file = std::fopen(script, "rb");
    if (!file) return 125;
    const int code = serve(fileno(file), true);
    std::fclose(file);
    return code;
  }
  const char* descriptor = std::getenv(kDescriptorVariable);
  return descriptor ? serve(std::atoi(descriptor), false) : 125;
}
