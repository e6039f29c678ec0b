#include "lab/solve_trial.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "device/remote/client.h"
#include "device/remote/server.h"
#include "exec/virtual_device.h"
#include "lab/sandbox/sandbox.h"
#include "toolchain/installation.h"
#include "toolchain/route.h"
#include "warpwise/solve_main.h"

namespace warpwise::lab {
namespace {

// Beyond what solve may take: the program starts, kernels are compiled for the device.
constexpr double kStartSeconds = 5;
constexpr uint64_t kMemoryBytes = uint64_t{2} << 30;
constexpr uint64_t kLeastDeviceBytes = 256 << 20;
// Of the arrays, by the host, before what it copies to the device counts as an answer.
constexpr uint64_t kMaySee = 4096;
constexpr uint64_t kOutputBytes = 1 << 20;

// The names of CUDA's errors, for what a submission did not look at.
std::string_view error_name(int value) {
  switch (value) {
#define CUDA_ERROR(name, number) \
  case number: return #name;
#include "../include/cuda/warpwise/errors.inc"
#undef CUDA_ERROR
  }
  return "an unknown error";
}

// Two ends of a socket: ours, and the program's.
class Socket {
 public:
  static Result<Socket> create() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return Error{"L0009", fmt::format("no socket for the submission: {}", std::strerror(errno))};
    return Socket(ends[0], ends[1]);
  }
  Socket(Socket&& other) noexcept : ours(std::exchange(other.ours, -1)), theirs(std::exchange(other.theirs, -1)) {}
  Socket& operator=(Socket&&) = delete;
  ~Socket() {
    close_theirs();
    if (ours >= 0) close(ours);
  }
  void close_theirs() {
    if (theirs >= 0) close(std::exchange(theirs, -1));
  }
  int ours, theirs;

 private:
  Socket(int ours, int theirs) : ours(ours), theirs(theirs) {}
};

class SolveTrial {
 public:
  SolveTrial(const SolveProgram& program, const Trial& trial, Bench& bench, const BenchOptions& options, const SolveOptions& how)
      : program_(program), trial_(trial), bench_(bench), options_(options), how_(how) {}

  Result<TrialResult> run() {
    Socket device = TRY(Socket::create()), judge = TRY(Socket::create());
    const auto started = std::chrono::steady_clock::now();
    sandbox::Running running = TRY(sandbox::start(job(device.theirs, judge.theirs)));
    device.close_theirs();
    judge.close_theirs();
    if (how_.program_started) TRY(how_.program_started());
    send_arguments(judge.ours);
    std::string broken;
    {
      device::remote::Server server(bench_.gpu(), {.memory_bytes = device_memory()});
      server.may_load = [this](std::string_view image) { return program_.images.contains(std::string(image)) || program_.images.contains(std::string(image) + '\0'); };
      server.on_copy_out = [this](device::Address from, const device::CopyShape& shape) { host_read(from, shape); };
      server.on_copy_in = [this](device::Address to, const device::CopyShape& shape) {
        host_gave(shape);
        host_wrote(to, shape);
      };
      server.on_fill = [this](const device::Fill& fill) { filled(fill); };
      broken = server.serve(device.ours);
      // A program that goes on without its device has nothing left to do that counts.
      if (!broken.empty()) running.cancel();
      // Work that nobody waited for counts, too.
      status_ = bench_.gpu().wait_all();
    }
    const sandbox::Outcome outcome = TRY(running.wait());
    bench_.result().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    bench_.print(outcome.output);
    bench_.print(outcome.errors);
    TRY(judge_end(outcome, broken, receive_result(judge.ours)));
    return bench_.finish(std::move(status_));
  }

 private:
  sandbox::Job job(int device, int judge) const {
    const auto here = toolchain::Installation::find();
    sandbox::Job job;
    job.command = {program_.executable.string()};
    job.environment = {fmt::format("LD_LIBRARY_PATH={}", here.libraries.string()), fmt::format("{}={}", device::remote::kDescriptorVariable, device),
                       fmt::format("{}={}", lab_host::kDescriptorVariable, judge), "LANG=C.UTF-8"};
    if (!program_.modules.empty()) job.environment.push_back(fmt::format("{}={}", toolchain::kModulesVariable, program_.modules.string()));
    job.folder = program_.executable.parent_path();
    job.readable = sandbox::system_folders();
    job.readable.push_back(program_.executable.parent_path());
    job.readable.push_back(here.libraries);
    job.descriptors = {device, judge};
    job.limits.wall_seconds = job.limits.processor_seconds = options_.seconds + kStartSeconds;
    job.limits.memory_bytes = kMemoryBytes;
    job.limits.output_bytes = kOutputBytes;
    job.isolation = how_.sandbox ? sandbox::Isolation::Best : sandbox::Isolation::None;
    return job;
  }

  // What solve may allocate beside the arrays that it is given.
  uint64_t device_memory() const {
    uint64_t arrays = 0;
    for (const TrialArray& array : trial_.arrays) arrays += array.bytes();
    return kLeastDeviceBytes + 8 * arrays;
  }

  void send_arguments(int to) const {
    std::vector<uint64_t> words{bench_.arguments().size()};
    words.insert(words.end(), bench_.arguments().begin(), bench_.arguments().end());
    // Fits the socket's buffer; when the program is gone already, its end says so.
    (void)!send(to, words.data(), words.size() * sizeof words[0], MSG_NOSIGNAL);
  }

  static lab_host::Result receive_result(int from) {
    lab_host::Result result;
    if (recv(from, &result, sizeof result, MSG_DONTWAIT) != sizeof result) result = {.returned = 0};
    return result;
  }

  void host_wrote(device::Address to, const device::CopyShape& shape) {
    if (!bench_.counter()) return;
    for (size_t z = 0; z < shape.depth; ++z)
      for (size_t y = 0; y < shape.height; ++y) bench_.counter()->host_wrote(to + z * shape.dst_slice + y * shape.dst_pitch, shape.width);
  }

  // A host that computes need not copy its answer to where it should be: a kernel of its may move it there from other memory. But it has
  // to see the question and to give an answer, and honest host code moves little of either: a few numbers that decide what to launch.
  void host_read(device::Address from, const device::CopyShape& shape) {
    for (size_t i = 0, array = 0; i < trial_.problem->parameters.size(); ++i) {
      if (!trial_.problem->parameters[i].pointer) continue;
      const device::Address base = bench_.arguments()[i];
      const size_t bytes = trial_.arrays[array++].bytes();
      if (from >= base && from - base < bytes) host_saw_ += shape.width * shape.height * shape.depth;
    }
  }
  void host_gave(const device::CopyShape& shape) {
    if (host_saw_ <= kMaySee) return;
    host_gave_ += shape.width * shape.height * shape.depth;
    uint64_t answers = 0;
    for (const TrialArray& array : trial_.arrays)
      if (array.parameter->is_output()) answers += array.bytes();
    if (host_gave_ < answers / 2 || !bench_.result().forbidden.empty()) return;
    bench_.result().forbidden = fmt::format("the host was shown {} bytes of the arrays and gave {} bytes back: kernels compute the answer", host_saw_, host_gave_);
  }

  // Setting memory to zero, or a whole array to one value, is making ready; anything else is writing answers by another name.
  void filled(const device::Fill& fill) {
    const auto array = bench_.gpu().find_allocation(fill.dst);
    const bool whole = array && fill.dst == array->base && fill.width * fill.height >= array->size;
    if (fill.value != 0 && !whole) host_wrote(fill.dst, {.width = fill.width, .height = fill.height, .dst_pitch = fill.pitch});
  }

  // What the device saw has the first word: a program that ends itself after a failed kernel is no crash of its own.
  Result<void> judge_end(const sandbox::Outcome& outcome, const std::string& broken, const lab_host::Result& result) {
    using sandbox::End;
    if (outcome.end == End::NoSandbox) return Error{"S0001", outcome.what};
    if (outcome.end == End::NotStarted) return Error{"L0009", fmt::format("the submission cannot be started: {}", outcome.what)};
    // What it tried, whatever came of it.
    if (!bench_.result().forbidden.empty()) return {};
    if (outcome.end == End::ForbiddenCall) bench_.result().forbidden = outcome.what;
    else if (!outcome.refused.empty()) bench_.result().forbidden = fmt::format("{}: a submission has no business with files", outcome.refused[0]);
    if (!status_.ok()) return {};
    if (outcome.end == End::OutOfTime || outcome.end == End::OutOfProcessorTime)
      status_ = {device::Failure::LaunchTimeout, fmt::format("solve did not return within {} seconds", options_.seconds)};
    else if (!broken.empty())
      status_ = {device::Failure::LaunchFailure, broken};
    else if (!outcome.ok())
      status_ = {device::Failure::LaunchFailure, fmt::format("solve: {}", outcome.sentence())};
    else if (!result.returned)
      status_ = {device::Failure::LaunchFailure, "the program ended before solve had returned"};
    if (result.returned && result.unread != 0) bench_.result().note = fmt::format("solve left an error that it did not look at: {}", error_name(result.unread));
    return {};
  }

  const SolveProgram& program_;
  const Trial& trial_;
  Bench& bench_;
  const BenchOptions& options_;
  const SolveOptions& how_;
  device::Status status_;
  uint64_t host_saw_ = 0, host_gave_ = 0;  // bytes: of the trial's arrays; to the device, afterwards
};

}  // namespace

Result<TrialResult> run_solve_trial(const SolveProgram& program, const Trial& trial, const TrialMemory& memory, const BenchOptions& options, const SolveOptions& how) {
  const std::unique_ptr<Bench> bench = TRY(Bench::open(trial, memory, options));
  return SolveTrial(program, trial, *bench, options, how).run();
}

}  // namespace warpwise::lab
