#include "lab/report/ladder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "lab/judge/judge.h"
#include "lab/judge/workers.h"
#include "toolchain/cache.h"
#include "toolchain/files.h"
#include "toolchain/hash.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Counts up when steps are timed in another way.
constexpr uint64_t kFormat = 1;
constexpr uint64_t kSeed = 1;
constexpr const char* kKind = "ladder";

std::string about_of(const std::string& source) {
  constexpr std::string_view kMark = "// solution: ";
  if (!source.starts_with(kMark)) return "";
  return source.substr(kMark.size(), source.find('\n') - kMark.size());
}

// A device from a file is identified by the content of the file.
std::string identity_of(const std::string& device) {
  auto text = device.ends_with(".toml") ? toolchain::read_file(device) : Result<std::string>(device);
  return text ? *text : device;
}

}  // namespace

Result<Ladder> Ladder::open(const Problem& problem, const fs::path& root, const std::string& device) {
  Ladder ladder(problem);
  ladder.device_ = device;
  if (std::none_of(problem.cases.begin(), problem.cases.end(), [](const CaseSpec& c) { return c.timed; }))
    return ladder;
  const std::string toml = TRY(toolchain::read_file(problem.folder / "problem.toml")),
                    reference = TRY(toolchain::read_file(problem.folder / "reference.cpp"));
  std::vector<fs::path> sources;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(problem.folder / "solutions", error))
    if (entry.path().extension() == ".cu") sources.push_back(entry.path());
  std::sort(sources.begin(), sources.end());

  Json shipped;
  if (auto text = toolchain::read_file(root / "ladders.json"); text.ok()) shipped = parse_json<Json>(*text);
  const toolchain::Cache cache = toolchain::Cache::from_environment();
  for (const fs::path& source : sources) {
    const std::string text = TRY(toolchain::read_file(source));
    Step step{source, about_of(text),
              toolchain::Hasher().add(kFormat).add(kSeed).add(toml).add(reference).add(text).hex(), std::nullopt};
    const Json::json_pointer at = Json::json_pointer() / problem.slug / source.stem().string();
    if (shipped.is_object() && shipped.value(at / "key", "") == step.key && shipped.contains(at / device))
      step.seconds = shipped.value(at / device, 0.0);
    if (auto kept = cache.load(kKind, ladder.cache_key(step)); !step.seconds && kept)
      step.seconds = std::strtod(kept->c_str(), nullptr);
    ladder.steps_.push_back(std::move(step));
  }
  return ladder;
}

// The model is a part of this program.
std::string Ladder::cache_key(const Step& step) const {
  toolchain::Hasher hash;
  hash.add(step.key).add(identity_of(device_));
  if (auto self = toolchain::stamp_of("/proc/self/exe")) hash.add(self->size).add(uint64_t(self->modified_ns));
  return hash.hex();
}

bool Ladder::known() const {
  return std::all_of(steps_.begin(), steps_.end(), [](const Step& s) { return s.seconds.has_value(); });
}

Result<void> Ladder::measure(unsigned jobs) {
  std::vector<Step*> open;
  for (Step& step : steps_)
    if (!step.seconds) open.push_back(&step);
  auto task = [&](size_t i) {
    auto judgement = judge(*problem_, open[i]->source,
                           {.seed = kSeed,
                            .device = device_,
                            .only_timed = true,
                            .modelled = true,
                            .sandbox = false,
                            .trusted = true,
                            .shrink = false});
    return judgement && judgement->performance ? fmt::format("{:.6g}", judgement->performance->seconds) : std::string();
  };
  const toolchain::Cache cache = toolchain::Cache::from_environment();
  return run_in_workers(open.size(), jobs, task, [&](size_t i, const std::string& answer, bool died) {
    // A step that cannot be timed is not a step of this ladder, now and when it is asked for again.
    open[i]->seconds = died || answer.empty() ? 0 : std::strtod(answer.c_str(), nullptr);
    cache.store(kKind, cache_key(*open[i]), answer);
  });
}

std::vector<LadderStep> Ladder::steps() const {
  std::vector<LadderStep> steps;
  for (const Step& step : steps_)
    if (step.seconds.value_or(0) > 0) steps.push_back({step.source.stem().string(), step.about, *step.seconds});
  return steps;
}

std::string Ladder::to_json() const {
  Json out = Json::object();
  for (const Step& step : steps_)
    if (step.seconds.value_or(0) > 0) out[step.source.stem().string()] = {{"key", step.key}, {device_, *step.seconds}};
  return dump_json(out);
}

}  // namespace warpwise::lab
