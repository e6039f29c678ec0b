// warpwise doctor: what is installed, what is missing, and the command that fixes it. The last check compiles and runs
// a kernel, because the parts may all be present and still not work together.
#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>

#include "base/json.h"
#include "base/usable_processors.h"
#include "cli/command.h"
#include "cli/support/terminal.h"
#include "database/database.h"
#include "lab/sandbox/sandbox.h"
#include "toolchain/build.h"
#include "toolchain/files.h"
#include "toolchain/process.h"
#include "toolchain/route.h"

namespace warpwise::cli {
namespace fs = std::filesystem;
namespace {

enum class State { Good, Optional, Bad };  // Optional: absent, and Warpwise works without it

struct HostCheck {
  std::string what;
  State state;
  std::string found;
  std::string mend;  // a command or a sentence; "" when there is nothing to do
};

constexpr const char* kTrialProgram = R"(#include <cuda_runtime.h>
__global__ void add_one(int* x) { x[threadIdx.x] += 1; }
int main() {
  int host[32] = {}, *device;
  if (cudaMalloc(&device, sizeof host) || cudaMemset(device, 0, sizeof host)) return 1;
  add_one<<<1, 32>>>(device);
  if (cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost)) return 1;
  int sum = 0;
  for (int x : host) sum += x;
  return sum == 32 ? 0 : 1;
}
)";

std::string first_line(const fs::path& program, const char* argument) {
  auto results = toolchain::run_jobs({{{program, argument}}});
  if (!results || (*results)[0].exit_code != 0) return "does not run";
  std::string output = (*results)[0].output;
  // nvcc says its release in the fourth line.
  size_t release = output.find("release ");
  if (release != output.npos) return output.substr(release, output.find(',', release) - release);
  return output.substr(0, output.find('\n'));
}

class Doctor : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_flag("--json", json_, "as JSON");
    app.footer(
        "\nExit code: 0 when Warpwise can work, 1 when something it needs is missing.\n"
        "\nExamples:\n  warpwise doctor\n  warpwise doctor --json | jq '.[] | select(.state != \"good\")'");
  }

  Result<int> run() override {
    check_compilers();
    check_parts();
    check_machine();
    check_prepared();
    check_records();
    check_sandbox();
    check_trial();
    bool good = true;
    for (const HostCheck& check : checks_) good = good && check.state != State::Bad;
    if (json_)
      print_json();
    else
      print(good);
    return good ? kSuccess : kFailed;
  }

 private:
  void add(std::string what, State state, std::string found, std::string mend = "") {
    checks_.push_back({std::move(what), state, std::move(found), std::move(mend)});
  }

  void check_compilers() {
    auto clang = toolchain::find_clang();
    auto nvcc = toolchain::find_nvcc();
    if (clang)
      add("Clang", State::Good, fmt::format("{} ({})", clang->path.string(), first_line(clang->path, "--version")));
    else
      add("Clang", nvcc ? State::Optional : State::Bad, "not found", "apt-get install clang-19");
    if (nvcc)
      add("nvcc", State::Good, fmt::format("{} ({})", nvcc->path.string(), first_line(nvcc->path, "--version")));
    else
      add("nvcc", State::Optional, "not found",
          "needed only for thrust, CUB and other NVIDIA headers: install the CUDA toolkit");
    std::string linker = clang ? toolchain::fastest_linker(*clang) : "";
    if (!linker.empty())
      add("linker", State::Good, linker);
    else
      add("linker", State::Optional, "the system's", "apt-get install lld-19, which links faster");
  }

  void check_parts() {
    toolchain::Installation installation = toolchain::Installation::find();
    auto part = [&](const char* what, const fs::path& path) {
      std::error_code error;
      bool there = !path.empty() && fs::exists(path, error);
      add(what, there ? State::Good : State::Bad, there ? path.string() : fmt::format("missing: {}", path.string()),
          there ? "" : "build or install Warpwise again (make build, make install)");
    };
    part("CUDA runtime", installation.libraries / "libcudart.so");
    part("CUDA driver", installation.libraries / "libcuda.so.1");
    part("NVRTC", installation.libraries / "libnvrtc.so");
    part("nvJitLink", installation.libraries / "libnvJitLink.so");
    part("CUDA headers", installation.headers / "cuda_runtime.h");
    part("device library", installation.libraries / "devicelib.bc");
    part("kernel compiler", installation.libraries / "libwarpwise-simt.so");
  }

  void check_machine() {
    struct sysinfo memory{};
    sysinfo(&memory);
    add("machine", State::Good,
        fmt::format("{} processor{}, {:.1f} GiB of memory, {}", usable_processors(),
                    usable_processors() == 1 ? "" : "s", double(memory.totalram) * memory.mem_unit / (1 << 30),
                    vectors()));
    toolchain::Cache cache = toolchain::Cache::from_environment();
    if (cache.usable())
      add("cache", State::Good, cache.root().string());
    else
      add("cache", State::Optional, cache.why_unusable(),
          cache.limit() == 0 ? "programs run, and compile each time: unset WARPWISE_CACHE_SIZE"
                             : "programs run, and compile each time: set WARPWISE_CACHE_DIR to a folder of yours");
  }

  // An update of the system's headers leaves what was made of the old ones behind, and nothing else tells.
  void check_prepared() {
    toolchain::BuildRequest request;
    request.compiler = toolchain::CompilerChoice::Clang;
    const auto prepared = toolchain::builds_are_prepared(request);
    if (!prepared) return;  // no Clang: told above
    if (*prepared)
      add("prepared", State::Good, "what every program's compilation begins with");
    else
      add("prepared", State::Optional, "nothing that fits this compiler and the system's headers",
          "programs compile in twice the time: run `warpwise cache prepare`, where the installation can be written");
  }

  // Where `warpwise lab` keeps attempts, and `warpwise profile --save` profiles.
  void check_records() {
    const fs::path folder = database::data_folder();
    if (folder.empty())
      return add("records", State::Optional, "there is no home folder for them: HOME is not set, and the user has none",
                 "the lab judges and records nothing: set HOME, or XDG_DATA_HOME to a folder of yours");
    // The nearest folder that is there must take new ones. Rights do not tell: root has them all, and /proc takes none.
    std::error_code error;
    fs::path there = folder;
    while (!fs::exists(there, error) && there.has_parent_path() && there != there.parent_path())
      there = there.parent_path();
    if (toolchain::TemporaryFolder::create(there).ok()) {
      add("records", State::Good, folder.string());
    } else {
      add("records", State::Optional, fmt::format("`{}` cannot be written", folder.string()),
          "the lab judges and records nothing: set XDG_DATA_HOME to a folder of yours");
    }
  }

  // What `warpwise lab` runs submissions in.
  void check_sandbox() {
    lab::sandbox::Job job;
    job.command = {"/usr/bin/true"};
    job.folder = "/";
    job.readable = lab::sandbox::system_folders();
    auto outcome = lab::sandbox::run(job);
    if (!outcome)
      add("sandbox", State::Optional, outcome.error().message,
          "on this machine `warpwise lab` judges with --no-sandbox, for files that you trust");
    else if (!outcome->namespaces)
      add("sandbox", State::Good,
          "Landlock, seccomp and limits; no namespaces (bubblewrap is missing, or they are not allowed)");
    else
      add("sandbox", State::Good, "Landlock, seccomp, limits and namespaces");
  }

  static std::string vectors() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return "AVX-512";
    if (__builtin_cpu_supports("avx2")) return "AVX2";
    return "SSE";
#else
    return "vector width chosen by LLVM";
#endif
  }

  void check_trial() {
    for (const HostCheck& check : checks_)
      if (check.state == State::Bad) return add("trial run", State::Bad, "not tried: a part is missing");
    std::string said;
    auto outcome = trial(said);
    if (outcome)
      add("trial run", State::Good, "a kernel compiled and ran");
    else
      add("trial run", State::Bad, fmt::format("{} {}", outcome.error().message, said),
          "`warpwise run` shows the error in full");
  }

  static Result<void> trial(std::string& said) {
    auto folder = TRY(toolchain::TemporaryFolder::create(fs::temp_directory_path()));
    fs::path source = folder.path() / "trial.cu";
    TRY(toolchain::write_file(source, kTrialProgram));
    toolchain::BuildRequest request;
    request.flags.inputs = {source};
    request.flags.output = folder.path() / "trial";
    request.say = [&](std::string_view text) { said += text; };
    TRY(toolchain::build_files(request));
    auto results = TRY(toolchain::run_jobs({{{folder.path() / "trial"}}}));
    said += results[0].output;
    if (results[0].exit_code != 0)
      return Error{"U0008", fmt::format("the trial program ended with code {}.", results[0].exit_code)};
    return {};
  }

  static const char* name_of(State state) {
    return state == State::Good ? "good" : state == State::Optional ? "optional" : "missing";
  }

  void print(bool good) const {
    bool color = use_color(stdout);
    const bool optional =
        std::any_of(checks_.begin(), checks_.end(), [](const HostCheck& c) { return c.state == State::Optional; });
    for (const HostCheck& check : checks_) {
      const char* mark = check.state == State::Good ? "ok" : check.state == State::Optional ? "--" : "!!";
      const char* sgr = check.state == State::Good ? "32" : check.state == State::Optional ? "33" : "1;31";
      fmt::print("{}  {:<16}{}\n", styled(color, sgr, mark), check.what, check.found);
      if (!check.mend.empty()) fmt::print("    {:<16}{}\n", "", styled(color, "1", check.mend));
    }
    fmt::print("{}\n", !good ? "Something is missing: see the lines marked !!"
                       : optional
                           ? "Everything that Warpwise needs is here; the lines marked -- say what would be better."
                           : "Everything that Warpwise needs is here.");
  }

  void print_json() const {
    nlohmann::json list = nlohmann::json::array();
    for (const HostCheck& check : checks_)
      list.push_back(
          {{"what", check.what}, {"state", name_of(check.state)}, {"found", check.found}, {"mend", check.mend}});
    fmt::print("{}\n", dump_json(list, 2));
  }

  std::vector<HostCheck> checks_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_doctor() { return std::make_unique<Doctor>(); }

}  // namespace warpwise::cli
