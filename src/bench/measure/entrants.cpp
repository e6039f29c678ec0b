#include "bench/measure/entrants.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "bench/ladder/step_head.h"
#include "toolchain/installation.h"

namespace warpwise::bench {
namespace {

// The library of a peer is looked for as the peer will.
bool is_library_there(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
      dlclose(library);
      return true;
    }
  return names.empty();
}

// CUB and Thrust have a folder of their own in newer toolkits, where nvcc looks without being told.
bool is_header_there(const std::string& name) {
  const auto nvcc = toolchain::find_nvcc();
  if (!nvcc) return false;
  const std::filesystem::path folder = toolchain::toolkit_headers(*nvcc);
  std::error_code error;
  return !folder.empty() &&
         (std::filesystem::exists(folder / name, error) || std::filesystem::exists(folder / "cccl" / name, error));
}

// Why a peer cannot take part: a sentence; "": it can, or it is none.
std::string what_a_peer_misses(const Version& version, bool on_gpu) {
  if (version.peer.empty()) return "";
  if (!on_gpu) return "a library runs on a GPU alone";
  if (!is_library_there(version.libraries)) return fmt::format("{} is not installed", version.libraries.front());
  for (const std::string& name : version.headers)
    if (!is_header_there(name)) return fmt::format("nvcc with its header {} is not installed", name);
  return "";
}

// As few digits as tell them apart.
std::string values(double got, double expected) {
  for (int digits : {6, 9, 17}) {
    const std::string one = fmt::format("{:.{}g}", got, digits), other = fmt::format("{:.{}g}", expected, digits);
    if (one != other) return fmt::format("{} instead of {}", one, other);
  }
  return fmt::format("off by less than a double shows: {:.17g}", got);
}

std::string elements(uint64_t count) { return fmt::format("{} element{}", count, count == 1 ? "" : "s"); }

}  // namespace

Result<std::vector<Entrant>> build_entrants(const Ladder& ladder, const std::vector<Version>& versions,
                                            const device::Properties& device, const MeasureOptions& options) {
  std::vector<Entrant> entrants;
  for (const Version& version : versions) {
    Entrant& e = entrants.emplace_back();
    e.version = &version;
    WorkerBuild build;
    build.architecture = device.major * 10 + device.minor;
    build.compiler = version.headers.empty() ? options.compiler : toolchain::CompilerChoice::Nvcc;
    if (std::string lacks = what_it_lacks(version, build.architecture); !lacks.empty()) {
      e.barred = Verdict::NotHere, e.why = std::move(lacks);
    } else if (std::string misses = what_a_peer_misses(version, options.gpu.has_value()); !misses.empty()) {
      e.barred = Verdict::NotHere, e.why = std::move(misses);
    } else {
      options.progress(fmt::format("compiling {}", version.name));
      auto built = build_worker(ladder, version, build);
      if (built.ok())
        e.program = std::move(built).value();
      else if (built.error().code == "B0004" || built.error().code == "T0007" || built.error().code == "T0013")
        e.barred = Verdict::Failed, e.why = built.error().message;
      else
        return built.error();
    }
  }
  return entrants;
}

Result<std::optional<Cell>> barred_cell(const Entrant& entrant, const Ladder& ladder, const Shape& shape) {
  Cell cell;
  if (entrant.barred != Verdict::Right) {
    cell.verdict = entrant.barred, cell.why = entrant.why;
    return std::optional(cell);
  }
  const auto taken = takes(*entrant.version, ladder, shape);
  if (taken.ok() && *taken) return std::optional<Cell>();
  cell.verdict = taken.ok() ? Verdict::NotTaken : Verdict::Failed;
  cell.why = taken.ok() ? fmt::format("takes {}", entrant.version->takes) : taken.error().message;
  return std::optional(cell);
}

void judge(Cell& cell, const bench_worker::Run& run, const Ladder& ladder) {
  using bench_worker::Fault;
  cell.runs += 1;
  if (run.fault == Fault::None) return;
  cell.verdict = Verdict::Wrong;
  if (run.argument >= ladder.parameters.size()) {
    cell.why = fmt::format("says that argument {} is wrong, which the ladder does not have", run.argument);
    return;
  }
  const std::string& name = ladder.parameters[run.argument].name;
  const std::string when =
      cell.runs > 1 ? fmt::format(" in run {}, after {} right ones", cell.runs, cell.runs - 1) : std::string();
  switch (run.fault) {
    case Fault::Unwritten:
      cell.why = fmt::format("skips work: it leaves {} of `{}` unwritten{}", elements(run.elements), name, when);
      break;
    case Fault::Replayed:
      cell.why = fmt::format("replays an old result: `{}` is right for the inputs of another run{}", name, when);
      break;
    case Fault::Changed:
      cell.why =
          fmt::format("changes its input `{}`: {}, the first is {}{}", name, elements(run.elements), run.first, when);
      break;
    case Fault::Wrong:
    case Fault::None:
      cell.why = fmt::format("{} of `{}` {} wrong: {}[{}] is {}{}", elements(run.elements), name,
                             run.elements == 1 ? "is" : "are", name, run.first, values(run.got, run.expected), when);
  }
}

Cell failed_cell(const Error& error) {
  Cell cell;
  cell.verdict = Verdict::Failed;
  cell.why = error.message;
  return cell;
}

}  // namespace warpwise::bench
