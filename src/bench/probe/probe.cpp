#include "bench/probe/probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/json.h"
#include "toolchain/build.h"
#include "toolchain/program_environment.h"
#include "toolchain/route.h"

namespace warpwise::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Watts are asked for so often while the GPU is busy.
constexpr int kSampleMilliseconds = 50;

Result<toolchain::Program> build_probe(const device::gpu::Description& gpu) {
  const fs::path source = toolchain::Installation::find().root / "share/warpwise/probe/main.cu";
  toolchain::BuildRequest request;
  std::string messages;
  request.flags = TRY(toolchain::parse_flags({"-O3", source.string()}));
  request.device_architecture = gpu.properties.major * 10 + gpu.properties.minor;
  request.say = [&](std::string_view text) { messages += text; };
  auto built = toolchain::build_program(request, toolchain::Cache::from_environment());
  if (!built.ok() && built.error().code == "T0003")
    return Error{"B0004", fmt::format("`{}` does not compile:\n{}", source.string(), messages)};
  return built;
}

// The program as a child, with a pipe for its lines.
class Child {
 public:
  static Result<Child> start(const toolchain::Program& program, const ProbeOptions& options) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return Error{"B0005", fmt::format("no pipe: {}", std::strerror(errno))};
    const pid_t process = fork();
    if (process < 0) return Error{"B0005", fmt::format("no process: {}", std::strerror(errno))};
    if (process == 0) become(program, options, ends[1]);
    close(ends[1]);
    return Child(process, ends[0]);
  }
  Child(Child&& other) noexcept
      : process_(std::exchange(other.process_, -1)), lines_(std::exchange(other.lines_, -1)) {}
  ~Child() {
    if (lines_ >= 0) close(lines_);
    if (process_ > 0) kill(process_, SIGKILL), waitpid(process_, nullptr, 0);
  }

  // The next line; while there is none, `meanwhile` is called. None: it has ended.
  std::optional<std::string> next(const std::function<void()>& meanwhile) {
    for (;;) {
      if (const size_t end = text_.find('\n'); end != text_.npos) {
        std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        return line;
      }
      pollfd wanted{lines_, POLLIN, 0};
      const int ready = poll(&wanted, 1, kSampleMilliseconds);
      meanwhile();
      if (ready <= 0) continue;
      char bytes[4096];
      const ssize_t got = read(lines_, bytes, sizeof bytes);
      if (got <= 0) return std::nullopt;
      text_.append(bytes, size_t(got));
    }
  }
  int end() {
    int status = 0;
    while (waitpid(std::exchange(process_, -1), &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

 private:
  Child(pid_t process, int lines) : process_(process), lines_(lines) {}

  [[noreturn]] static void become(const toolchain::Program& program, const ProbeOptions& options, int out) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    fcntl(out, F_SETFD, 0);
    toolchain::set_program_environment(toolchain::Installation::find());
    setenv("WARPWISE_OPTIONS", options.engine.c_str(), 1);
    if (program.modules.empty())
      unsetenv(toolchain::kModulesVariable);
    else
      setenv(toolchain::kModulesVariable, program.modules.c_str(), 1);
    const std::string words[] = {std::to_string(out), fmt::format("{}", options.microseconds),
                                 std::to_string(options.repeats), fmt::format("{}", options.load_seconds)};
    const char* file = program.executable.c_str();
    execl(file, file, words[0].c_str(), words[1].c_str(), words[2].c_str(), words[3].c_str(),
          static_cast<char*>(nullptr));
    _exit(127);
  }

  pid_t process_;
  int lines_;
  std::string text_;
};

std::optional<Spread> spread_in(const json& line, const char* key) {
  std::vector<double> values;
  for (const json& value : line.value(key, json::array()))
    if (value.is_number()) values.push_back(value.get<double>());
  if (values.empty()) return std::nullopt;
  return spread_of(std::move(values));
}

double average(const std::vector<double>& values) {
  double sum = 0;
  for (double v : values) sum += v;
  return values.empty() ? 0 : sum / double(values.size());
}

// The power of a GPU that has nothing to do: the least of a few glances, since the figure is an average of the past.
double idle_watts(const GpuMonitor* monitor) {
  if (!monitor) return 0;
  double least = 0;
  for (int i = 0; i < 5; ++i) {
    const double watts = monitor->sample().watts;
    if (watts > 0 && (least == 0 || watts < least)) least = watts;
    usleep(kSampleMilliseconds * 1000);
  }
  return least;
}

}  // namespace

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  const double median = values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back(), unsigned(values.size())};
}

Result<Readings> run_probes(const device::gpu::Description& gpu, const ProbeOptions& options) {
  Readings out;
  options.progress("compiling the probes");
  const toolchain::Program program = TRY(build_probe(gpu));
  auto opened = GpuMonitor::open(gpu.pci);
  const GpuMonitor* monitor = opened.ok() ? opened->get() : nullptr;
  Watch watch(monitor);
  TRY(watch.look_before());
  out.idle_watts = idle_watts(monitor);
  options.progress("starting the probes");
  Child child = TRY(Child::start(program, options));
  bool done = false, started = false;
  std::optional<std::string> load;
  std::vector<double> watts;
  auto sample = [&] {
    if (load && monitor) watts.push_back(monitor->sample().watts);
  };
  while (const std::optional<std::string> text = child.next(sample)) {
    const json line = parse_json(*text);
    if (!line.is_object()) return Error{"B0005", fmt::format("the probes said `{}`", *text)};
    if (!std::exchange(started, true)) watch.know_processes();
    if (line.contains("probe")) {
      Reading reading{line["probe"], spread_in(line, "per_second"), spread_in(line, "seconds"),
                      spread_in(line, "clocks"), spread_in(line, "hertz")};
      options.progress(fmt::format("measured {}", reading.probe));
      out.probes[reading.probe] = reading;
      TRY(watch.look_between());
    } else if (line.contains("begin")) {
      load = line["begin"].get<std::string>();
      watts.clear();
      options.progress(fmt::format("keeping the GPU busy: {}", *load));
    } else if (line.contains("end")) {
      // The first half is of a GPU that is not warm yet, and of one that had nothing to do.
      watts.erase(watts.begin(), watts.begin() + std::ptrdiff_t(watts.size() / 2));
      out.loads.push_back({line["end"], line.value("per_second", 0.0), line.value("hertz", 0.0), average(watts)});
      load.reset();
    } else if (line.contains("done")) {
      done = true;
    }
  }
  const int status = child.end();
  if (!done)
    return Error{"B0005", WIFSIGNALED(status) ? fmt::format("signal {} ended the probes", WTERMSIG(status))
                                              : fmt::format("the probes ended with exit code {}", WEXITSTATUS(status))};
  out.notes = watch.notes();
  return out;
}

}  // namespace warpwise::bench
