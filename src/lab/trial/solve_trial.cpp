#include "lab/trial/solve_trial.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "base/sanitized.h"
#include "device/remote/client.h"
#include "device/remote/server.h"
#include "exec/virtual_device.h"
#include "lab/sandbox/sandbox.h"
#include "lab/sandbox/series.h"
#include "lab/trial/host_fault.h"
#include "toolchain/program_environment.h"
#include "toolchain/route.h"
#include "warpwise/solve_main.h"

namespace warpwise::lab {
namespace {

// Time beyond that of solve: the program starts, and kernels are compiled for the device.
constexpr double kStartSeconds = 5;
// Wall time to processor time: the machine may have other work.
constexpr double kPatience = 2;
constexpr uint64_t kMemoryBytes = uint64_t{2} << 30;
constexpr uint64_t kLeastDeviceBytes = 256 << 20;
// The bytes of the arrays that the host may read before its copies to the device count as an answer.
constexpr uint64_t kMaySee = 4096;
// What a host may pass on (SolveTrial::passes_on): it has seen a fortieth of the inputs, or of other memory so much;
// and it gives no more than it has seen, but for a number or two that follow from the sizes. A fortieth: less than the
// inputs with one bit for each word of 32.
constexpr uint64_t kShareSeen = 40, kFewBytes = 16;
constexpr uint64_t kMaySeeOfResults = 1024, kMaySeeOfResultsWhereSmall = 64 << 10;
constexpr uint64_t kOutputBytes = 1 << 20;
// The sockets of a program that runs in a series.
constexpr int kDeviceNumber = sandbox::Series::kFirstNumber, kJudgeNumber = kDeviceNumber + 1;

// What a program wrote to its standard error, without what our runtime reports there of a failed kernel ("warpwise: …"
// and the indented lines after it): the verdict says that already, with the names of arrays in place of addresses.
std::string without_reports(std::string_view text) {
  std::string out;
  bool report = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
    report = line.starts_with("warpwise: ") || (report && line.starts_with("  "));
    if (!report) out += line;
    text.remove_prefix(line.size());
  }
  return out;
}

// The names of CUDA errors, for those that a submission did not check.
std::string_view error_name(int value) {
  switch (value) {
#define CUDA_ERROR(name, number) \
  case number:                   \
    return #name;
#include "../include/cuda/warpwise/errors.inc"
#undef CUDA_ERROR
  }
  return "an unknown error";
}

constexpr uint64_t kNullPage = 4096;

// A frame that does not fit any more is touched below the stack pointer, or a call stores its return address there.
bool uses_up_stack(const HostFault& fault) {
  constexpr uint64_t kLargestFrame = 8 << 20, kAbove = 4096;
  return fault.address + kLargestFrame > fault.stack && fault.address < fault.stack + kAbove;
}

// What to do about host code that ended so; "": its reason says it.
std::string step_after(const sandbox::Outcome& outcome) {
  using sandbox::End;
  switch (outcome.end) {
    case End::TooMuchOutput:
      return "print less: a few lines of one case are enough to find a mistake, and nothing needs them afterwards";
    case End::OutOfMemory:
      return "which allocation of host code is that large, or is made again in each round of a loop?";
    case End::TooManyTasks:
      return "leave out threads and processes: kernels do the work";
    case End::TooMuchOnDisk:
      return "leave out files: the arguments of solve are all that it needs";
    case End::Signalled:
      return outcome.code == SIGFPE ? "where does host code divide by zero?"
             : outcome.code == SIGABRT
                 ? "which assert fails, which exception does nothing catch, what damages the heap?"
                 : "";
    default:
      return "";
  }
}

// Two ends of a socket: ours, and the program's.
class Socket {
 public:
  static Result<Socket> create() {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return Error{"L0009", fmt::format("no socket for the submission: {}", std::strerror(errno))};
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
  SolveTrial(const SolveProgram& program, const Trial& trial, TestDevice& test_device, const TestDeviceOptions& options,
             const SolveOptions& how)
      : program_(program), trial_(trial), device_(test_device), options_(options), how_(how) {}

  Result<TrialResult> run() {
    Socket device = TRY(Socket::create()), judge = TRY(Socket::create());
    const auto started = std::chrono::steady_clock::now();
    std::optional<sandbox::Running> alone;
    if (how_.series)
      TRY(how_.series->start(job(kDeviceNumber, kJudgeNumber), {device.theirs, judge.theirs}));
    else
      alone = TRY(sandbox::start(job(device.theirs, judge.theirs)));
    device.close_theirs();
    judge.close_theirs();
    if (how_.program_started) TRY(how_.program_started());
    send_arguments(judge.ours);
    std::string broken;
    {
      device::remote::Server server(device_.gpu(), {.memory_bytes = device_memory()});
      server.may_load = [this](std::string_view image) {
        return program_.images.contains(std::string(image)) || program_.images.contains(std::string(image) + '\0');
      };
      server.on_copy_out = [this](device::Address from, const device::CopyShape& shape) { host_read(from, shape); };
      server.on_copy_in = [this](device::Address to, const device::CopyShape& shape) {
        host_gave(to, shape);
        host_wrote(to, shape);
      };
      server.on_fill = [this](const device::Fill& fill) { filled(fill); };
      broken = server.serve(device.ours);
      // A program that continues without its device can do nothing more that counts.
      if (!broken.empty()) alone ? alone->cancel() : how_.series->cancel();
      // Work that solve did not wait for also counts.
      status_ = device_.gpu().wait_all();
    }
    const sandbox::Outcome outcome = TRY(alone ? alone->wait() : how_.series->wait());
    device_.result().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    device_.print(outcome.output);
    device_.print(status_.ok() ? outcome.errors : without_reports(outcome.errors));
    TRY(judge_end(outcome, broken, receive_result(judge.ours)));
    return device_.finish(std::move(status_));
  }

 private:
  sandbox::Job job(int device, int judge) const {
    const auto here = toolchain::Installation::find();
    sandbox::Job job;
    job.command = {program_.executable.string()};
    job.environment = {fmt::format("{}={}", device::remote::kDescriptorVariable, device),
                       fmt::format("{}={}", lab_host::kDescriptorVariable, judge),
                       fmt::format("{}={:.0f}", lab_host::kMillisecondsVariable, 1000 * kSlowdown * options_.seconds),
                       "LANG=C.UTF-8"};
    for (const auto& variable : toolchain::program_environment(here)) job.environment.push_back(variable.text());
    if (!program_.modules.empty())
      job.environment.push_back(fmt::format("{}={}", toolchain::kModulesVariable, program_.modules.string()));
    job.folder = program_.executable.parent_path();
    job.readable = sandbox::system_folders();
    job.readable.push_back(program_.executable.parent_path());
    if (!program_.modules.empty()) job.readable.push_back(program_.modules);
    job.readable.push_back(here.libraries);
    job.descriptors = {device, judge};
    const double seconds = options_.seconds + kStartSeconds;
    // A loop without end is ended by the program's own timer, which says where. This limit is for programs that ignore
    // it, and for those that keep the system busy: it is wide, so that they meet the limit of memory first, if memory
    // is what they use up. A fresh machine can need five seconds to give two gigabytes.
    job.limits.processor_seconds = kPatience * kSlowdown * seconds;
    job.limits.wall_seconds = kPatience * options_.patience * seconds;
    job.limits.memory_bytes = kMemoryGrowth * kMemoryBytes;
    job.limits.output_bytes = kOutputBytes;
    job.isolation = how_.sandbox ? sandbox::Isolation::Best : sandbox::Isolation::None;
    return job;
  }

  // The memory that solve may allocate besides the arrays that it is given.
  uint64_t device_memory() const {
    uint64_t arrays = 0;
    for (const TrialArray& array : trial_.arrays) arrays += array.bytes();
    return kLeastDeviceBytes + 8 * arrays;
  }

  void send_arguments(int to) const {
    std::vector<uint64_t> words{device_.arguments().size()};
    words.insert(words.end(), device_.arguments().begin(), device_.arguments().end());
    // Fits the socket's buffer; when the program is gone already, its end says so.
    (void)!send(to, words.data(), words.size() * sizeof words[0], MSG_NOSIGNAL);
  }

  // What the program sent before it ended: that solve begins, its result, where it faulted; each of them or not, in
  // this order.
  lab_host::Result receive_result(int from) {
    constexpr size_t kResult = sizeof(lab_host::Result), kFault = sizeof(HostFault);
    static_assert(kResult % 2 == 0 && kFault % 2 == 0 && kResult < kFault);
    char message[1 + kResult + kFault];
    const ssize_t received = recv(from, message, sizeof message, MSG_DONTWAIT);
    size_t left = received > 0 ? size_t(received) : 0;
    const char* at = message;
    solve_began_ = left % 2 != 0 && *at == lab_host::kBegins;
    if (left % 2 != 0) ++at, --left;
    lab_host::Result result{.returned = 0};
    if (left == kResult || left == kResult + kFault) {
      std::memcpy(&result, at, kResult);
      at += kResult, left -= kResult;
    }
    if (left == kFault) std::memcpy(&fault_.emplace(), at, kFault);
    return result;
  }

  // Where the program was when it ended, or was ended.
  std::string part(const lab_host::Result& result) const {
    return !solve_began_     ? "before solve, in code that runs before main()"
           : result.returned ? "behind solve, in code that runs after main()"
                             : "solve";
  }
  // What did not come to its end within its time.
  std::string late_part(const lab_host::Result& result) const {
    if (!solve_began_)
      return fmt::format(
          "the program did not get as far as solve within {} seconds: code that runs before main() did not end (the "
          "constructor of a static object, the initial value of a global variable)",
          options_.seconds);
    if (result.returned)
      return fmt::format(
          "solve returned, and the program did not end within {} seconds: code that runs after main() is still running "
          "(the destructor of a static object, atexit)",
          options_.seconds);
    return fmt::format("solve did not return within {} seconds", options_.seconds);
  }

  // The R0301 of the lab: which array host code touched, and at which line.
  void explain_fault() {
    TrialResult& result = device_.result();
    auto array = device_.gpu().find_allocation(fault_->address);
    if (!array && uses_up_stack(*fault_)) {
      status_.detail = "solve: host code has used up its stack";
      result.next = "where does the recursion of host code end, and how large are its local arrays?";
    } else if (!array) {
      status_.detail = fault_->address < kNullPage ? "solve: host code follows a null pointer"
                                                   : "solve: host code accesses an address where it has no memory";
      result.next = "where does this pointer, or the index, get its value?";
    } else {
      std::string name = fmt::format("device memory ({} bytes)", array->size);
      size_t i = 0;
      for (const TrialArray& a : trial_.arrays)
        if (device_.base_of(i++) == array->base)
          name = fmt::format("`{}`, which is in device memory ({} element{})", a.parameter->name, a.count,
                             a.count == 1 ? "" : "s");
      status_.detail = fmt::format("solve: host code accesses byte {} of {}", fault_->address - array->base, name);
      result.code = "R0301";
    }
    result.at = place_of(*fault_, program_.executable, program_.sources, how_.sandbox);
  }

  void host_wrote(device::Address to, const device::CopyShape& shape) {
    if (!device_.counter()) return;
    const uint32_t as = passes_on() ? kHostPassedOn : kHost;
    for (size_t z = 0; z < shape.depth; ++z)
      for (size_t y = 0; y < shape.height; ++y)
        device_.counter()->host_wrote(to + z * shape.dst_slice + y * shape.dst_pitch, shape.width, as);
  }

  static uint64_t bytes_in(const device::CopyShape& shape) { return shape.width * shape.height * shape.depth; }

  // Bytes of the trial's arrays that `wanted` picks.
  template <class Wanted>
  uint64_t array_bytes(Wanted wanted) const {
    uint64_t bytes = 0;
    for (const TrialArray& array : trial_.arrays)
      if (wanted(*array.parameter)) bytes += array.bytes();
    return bytes;
  }
  const TrialArray* array_at(device::Address address) const {
    for (size_t i = 0, array = 0; i < trial_.problem->parameters.size(); ++i) {
      if (!trial_.problem->parameters[i].pointer) continue;
      const device::Address base = device_.arguments()[i];
      const TrialArray& a = trial_.arrays[array++];
      if (address >= base && address - base < a.bytes()) return &a;
    }
    return nullptr;
  }

  // A host that computes the answer need not copy it to the output: one of its kernels may move it there from other
  // memory. But it has to read the question and write an answer, and honest host code moves little of either: a few
  // numbers that decide what to launch.
  void host_read(device::Address from, const device::CopyShape& shape) {
    const TrialArray* array = array_at(from);
    if (array) host_saw_ += bytes_in(shape);
    (array && array->parameter->is_made() ? host_saw_inputs_ : host_saw_results_) += bytes_in(shape);
  }
  void host_gave(device::Address to, const device::CopyShape& shape) {
    if (const TrialArray* array = array_at(to); array && array->parameter->is_output())
      host_gave_outputs_ += bytes_in(shape);
    if (!device_.result().forbidden.empty()) return;
    const uint64_t answers = array_bytes([](const Parameter& p) { return p.is_output(); });
    if (host_saw_ > kMaySee) {
      host_gave_since_ += bytes_in(shape);
      if (host_gave_since_ >= answers / 2)
        device_.result().forbidden =
            fmt::format("the host read {} bytes of the arrays and wrote {} bytes back: kernels must compute the answer",
                        host_saw_, host_gave_since_);
    }
    // In the timed case, the last writer of an element is not recorded.
    if (!device_.counter() && host_gave_outputs_ > kFewBytes && host_gave_outputs_ >= answers / 2 && !passes_on())
      device_.result().forbidden =
          fmt::format("{} bytes of the answer were copied there from the host: kernels must compute the answer",
                      host_gave_outputs_);
  }

  // Kernels have done the work, and the host passes on what they found: it adds up the sums of the blocks, or takes the
  // length of a path from the loop that launches its steps. Then it has seen almost nothing of the inputs, and writes
  // little. If the inputs are small, there is little to see anyway; the problem's large case, which follows,
  // distinguishes real work from pretence.
  bool passes_on() const {
    const uint64_t inputs = array_bytes([](const Parameter& p) { return p.is_made(); });
    const bool small = device_.counter() && std::any_of(trial_.problem->cases.begin(), trial_.problem->cases.end(),
                                                        [](const CaseSpec& c) { return c.timed; });
    return host_saw_inputs_ <= inputs / kShareSeen &&
           host_saw_results_ <= std::max(inputs / kShareSeen, small ? kMaySeeOfResultsWhereSmall : kMaySeeOfResults) &&
           host_gave_outputs_ <= host_saw_inputs_ + host_saw_results_ + kFewBytes;
  }

  // Setting memory to zero, or a whole array to one value, is preparation. Anything else counts as writing answers.
  void filled(const device::Fill& fill) {
    const auto array = device_.gpu().find_allocation(fill.dst);
    const bool whole = array && fill.dst == array->base && fill.width * fill.height >= array->size;
    if (fill.value == 0 || whole) return;
    const device::CopyShape shape{.width = fill.width, .height = fill.height, .dst_pitch = fill.pitch};
    host_gave(fill.dst, shape);
    host_wrote(fill.dst, shape);
  }

  void refuse(const sandbox::Outcome& outcome) {
    TrialResult& result = device_.result();
    if (outcome.end == sandbox::End::ForbiddenCall) {
      result.forbidden = outcome.what;
      result.next =
          "leave this call out: a submission may not start processes, send signals or use a network; `solve` needs "
          "calls of CUDA alone";
    } else {
      result.forbidden = fmt::format("{}: a submission may not use files", outcome.refused[0]);
      result.next = "leave the file out: the parameters of `solve` hold all that it needs";
    }
  }

  // What the device saw comes first: a program that ends itself after a failed kernel is not a crash of its own.
  Result<void> judge_end(const sandbox::Outcome& outcome, const std::string& broken, const lab_host::Result& result) {
    using sandbox::End;
    if (outcome.end == End::NoSandbox) return Error{"S0001", outcome.what};
    if (outcome.end == End::NotStarted)
      return Error{"L0009", fmt::format("the submission cannot be started: {}", outcome.what)};
    // Attempts count even if they failed.
    if (!device_.result().forbidden.empty()) return {};
    if (outcome.end == End::ForbiddenCall || !outcome.refused.empty()) {
      refuse(outcome);
      return {};
    }
    if (!status_.ok()) return {};
    const bool own_timer = outcome.end == End::Signalled && outcome.code == SIGVTALRM;
    if (outcome.end == End::OutOfTime || outcome.end == End::OutOfProcessorTime || own_timer) {
      status_ = {device::Failure::LaunchTimeout,
                 late_part(result) + (outcome.end == End::OutOfTime || !solve_began_ || result.returned
                                          ? ""
                                          : ": its host code is still running")};
      if (!solve_began_) device_.result().next = "what do static objects and global variables do before main() begins?";
      if (own_timer && fault_)
        device_.result().at = place_of(*fault_, program_.executable, program_.sources, how_.sandbox);
    } else if (!broken.empty())
      status_ = {device::Failure::LaunchFailure, broken};
    else if (!outcome.ok()) {
      status_ = {device::Failure::LaunchFailure, fmt::format("{}: {}", part(result), outcome.sentence())};
      device_.result().next = step_after(outcome);
      if (fault_ && fault_->signal == SIGSEGV && outcome.end == End::Signalled) explain_fault();
    } else if (!result.returned)
      status_ = {device::Failure::LaunchFailure, solve_began_ ? "the program ended before solve had returned"
                                                              : "the program ended before solve had begun"};
    if (result.returned && result.unread != 0)
      device_.result().note =
          fmt::format("a CUDA call in solve failed, and its error was not checked: {}", error_name(result.unread));
    return {};
  }

  const SolveProgram& program_;
  const Trial& trial_;
  TestDevice& device_;
  const TestDeviceOptions& options_;
  const SolveOptions& how_;
  device::Status status_;
  std::optional<HostFault> fault_;  // as the program reports it
  bool solve_began_ = false;        // likewise
  // Bytes. What the host has seen: of the trial's arrays; of those that had contents; of all other memory, outputs
  // among it. What it has copied to the device: after it had seen much; to outputs.
  uint64_t host_saw_ = 0, host_saw_inputs_ = 0, host_saw_results_ = 0;
  uint64_t host_gave_since_ = 0, host_gave_outputs_ = 0;
};

}  // namespace

Result<TrialResult> run_solve_trial(const SolveProgram& program, const Trial& trial, const TrialMemory& memory,
                                    const TestDeviceOptions& options, const SolveOptions& how) {
  const std::unique_ptr<TestDevice> test_device = TRY(TestDevice::open(trial, memory, options));
  return SolveTrial(program, trial, *test_device, options, how).run();
}

}  // namespace warpwise::lab
