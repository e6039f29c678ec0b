#include "lab/judge/assess.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "check/report/consequences.h"
#include "check/report/same_statement.h"
#include "check/sync/barrier_checks.h"

namespace warpwise::lab {
namespace {

constexpr uint32_t kWarp = 32;

// Misaligned addresses and full stacks are not a question of bounds.
bool is_crash(const Finding& finding) {
  return finding.code == "C0102" || finding.code == "C0109" || finding.code == "C0114";
}

// What the engine says of a launch that its watchdog ended (LaunchRun::reason_to_stop). The checkers report it under
// the rule of deadlocks, since threads may have waited; here, a kernel that only keeps running is too slow.
// tests/lab/problems/verdicts has both cases.
bool is_out_of_time(const Finding& finding) { return finding.message.starts_with("the kernel did not end within"); }

std::optional<Verdict> verdict_of(const Finding& finding) {
  const Rule* rule = find_rule(finding.code);
  if (!rule || finding.severity != Severity::Error) return std::nullopt;
  switch (rule->checker) {
    case Checker::Memory:
      return is_crash(finding) ? Verdict::Crashed : Verdict::OutOfBounds;
    case Checker::Init:
      return Verdict::Uninitialised;
    case Checker::Race:
      return Verdict::Race;
    case Checker::Sync:
      return is_out_of_time(finding) ? Verdict::TooSlow : Verdict::Barrier;
    case Checker::Assert:
      return Verdict::Crashed;
    case Checker::Api:
    case Checker::Numbers:
    case Checker::Outputs:
      break;
  }
  return std::nullopt;
}

// A shuffle from a lane that its mask names and that does not take part gives an undefined value (C0405), and a tree
// may discard it. And a condition around a barrier that goes to the end of the kernel is an early return in other
// words. Such a finding explains another refusal; it is none by itself.
bool goes_to_the_end(const Finding& finding) {
  return finding.code == "C0401" && finding.message == check::kPastToTheEnd;
}
bool decides(const Finding& finding) { return finding.code != "C0405" && !goes_to_the_end(finding); }

// In a block that is smaller than a warp it is a refusal: the tree begins with lanes that do not exist.
bool decides(const Finding& finding, const Trial& trial) {
  const auto& block = trial.shape.launch.block;
  return decides(finding) || (trial.problem->kind == Kind::Kernel && block[0] * block[1] * block[2] < kWarp);
}

// "row 0, column 16", where the problem states an array's count as a product of two sizes. Rows come first; pictures
// state their width first, and are stored row by row as well.
std::string row_and_column(const Trial& trial, const Parameter& p, uint64_t index) {
  constexpr std::string_view kTimes = " * ";
  const size_t times = p.count.find(kTimes);
  if (times == p.count.npos) return "";
  const std::string first = p.count.substr(0, times), second = p.count.substr(times + kTimes.size());
  const auto& sizes = trial.shape.names;
  const auto columns = sizes.find(first == "width" ? first : second);
  if (!sizes.contains(first) || columns == sizes.end() || columns->second <= 0) return "";
  const auto width = uint64_t(columns->second);
  return fmt::format("row {}, column {}", index / width, index % width);
}

Verdict verdict_of(device::Failure failure) {
  switch (failure) {
    case device::Failure::LaunchTimeout:
      return Verdict::TooSlow;
    case device::Failure::IllegalAddress:
      return Verdict::OutOfBounds;
    case device::Failure::InvalidPtx:
    case device::Failure::NotSupported:
    case device::Failure::InvalidImage:
      return Verdict::DoesNotCompile;
    default:
      return Verdict::Crashed;
  }
}

// Of the findings of one statement, the one that the others follow from.
void cause_first(std::vector<Finding>& findings) {
  std::vector<const Finding*> all;
  for (const Finding& finding : findings) all.push_back(&finding);
  if (all.empty()) return;
  const size_t first = check::report::by_statement(all)[0][0];
  std::rotate(findings.begin(), findings.begin() + ptrdiff_t(first), findings.begin() + ptrdiff_t(first) + 1);
}

Index3 index_in(const std::array<uint32_t, 3>& extent, uint64_t linear) {
  return {uint32_t(linear % extent[0]), uint32_t(linear / extent[0] % extent[1]),
          uint32_t(linear / extent[0] / extent[1])};
}

WroteIt who(const WriteSite& site, uint64_t block, uint64_t thread) {
  return {index_in(site.grid, block), index_in(site.block, thread), site.code};
}

class Assessor {
 public:
  Assessor(const Trial& trial, const Reference& reference, const TrialResult& result, const TrialMemory& memory,
           bool budgets)
      : trial_(trial), reference_(reference), result_(result), memory_(memory), budgets_(budgets) {
    refusal_.case_name = trial.spec->name;
    refusal_.shape = trial.describe();
    refusal_.printed = result.printed;
  }

  Result<Assessment> assess() {
    Assessment out;
    out.report = {.name = trial_.spec->name,
                  .ran = result_.ran,
                  .shape = refusal_.shape,
                  .seconds = result_.seconds,
                  .budget = budget_lines()};
    failures();
    if (result_.ran) {
      changed_inputs();
      written_by_host();
      if (result_.failure == device::Failure::None) TRY(values());
      missing_barrier(out.report.budget);
      explain_by_conditions();
      if (budgets_) budget(out.report.budget);
    }
    if (!budgets_) out.report.budget.clear();
    out.verdict = verdict_;
    out.report.passed = verdict_ == Verdict::Accepted;
    out.report.right = out.report.passed || verdict_ == Verdict::OverBudget;
    out.warnings = warnings();
    if (verdict_ == Verdict::Accepted) return out;
    for (const Finding& finding : result_.findings)
      if (verdict_of(finding) == verdict_) refusal_.findings.push_back(finding);
    check::report::drop_consequences(refusal_.findings);
    cause_first(refusal_.findings);
    // Facts that belong to another verdict are left out.
    if (verdict_ != Verdict::Unwritten && verdict_ != Verdict::WrongValue && verdict_ != Verdict::ChangedInput)
      refusal_.wrong.reset();
    if (verdict_ != Verdict::OverBudget) refusal_.budget.clear(), refusal_.greatest.reset(), refusal_.twice.reset();
    out.refusal = std::move(refusal_);
    return out;
  }

 private:
  // Of several verdicts the first in the order of verdicts.inc counts.
  bool propose(Verdict verdict) {
    if (verdict_ != Verdict::Accepted && verdict_ <= verdict) return false;
    verdict_ = verdict;
    return true;
  }

  void failures() {
    if (!result_.forbidden.empty()) {
      propose(Verdict::Forbidden);
      refusal_.message = result_.forbidden;
      refusal_.next = result_.next;
      return;
    }
    if (result_.bad_entry) {
      propose(Verdict::WrongSignature);
      refusal_.message = result_.detail;
      refusal_.next = fmt::format("the problem asks for: {}", trial_.problem->signature());
      return;
    }
    std::optional<Verdict> found;
    for (const Finding& finding : result_.findings)
      if (auto verdict = verdict_of(finding); verdict && decides(finding, trial_)) {
        propose(*verdict);
        if (!found || *verdict < *found) found = verdict;
      }
    if (found == Verdict::Race && comes_from_unwritten_memory()) verdict_ = Verdict::Uninitialised;
    if (result_.failure == device::Failure::None) return;
    // A checker's finding explains the failure better: a wild address, a deadlock.
    const Verdict failure = verdict_of(result_.failure);
    const bool explained =
        found && (*found == failure || (failure != Verdict::TooSlow && failure != Verdict::DoesNotCompile) ||
                  *found == Verdict::Barrier);
    if (!explained) propose(failure);
    refusal_.message = result_.detail;
    refusal_.next = result_.next;
    refusal_.code = result_.code;
    refusal_.at = result_.at;
  }

  // A race is why values are read before they are written. But threads that race for one global array because another
  // one, which says where to write, was never written, have that as their cause.
  bool comes_from_unwritten_memory() const {
    auto global = [](const Finding& f, Verdict verdict) {
      return f.memory && f.memory->space == "global" && verdict_of(f) == verdict && decides(f);
    };
    return std::all_of(result_.findings.begin(), result_.findings.end(), [&](const Finding& race) {
      return verdict_of(race) != Verdict::Race ||
             (global(race, Verdict::Race) &&
              std::any_of(result_.findings.begin(), result_.findings.end(), [&](const Finding& read) {
                return global(read, Verdict::Uninitialised) && read.memory->base != race.memory->base;
              }));
    });
  }

  void changed_inputs() {
    for (size_t i = 0; i < trial_.arrays.size(); ++i) {
      const TrialArray& a = trial_.arrays[i];
      if (a.parameter->role != Role::Input || a.bytes() == 0 || memory_.unchanged[i] ||
          std::memcmp(a.before.data(), memory_.after[i].data(), a.bytes()) == 0)
        continue;
      const size_t size = bytes_of(a.parameter->type);
      uint64_t changed = 0, first = a.count;
      for (uint64_t k = 0; k < a.count; ++k)
        if (std::memcmp(a.before.data() + k * size, memory_.after[i].data() + k * size, size) != 0) {
          ++changed;
          first = std::min(first, k);
        }
      if (!propose(Verdict::ChangedInput)) return;
      WrongElement element{.array = i,
                           .index = first,
                           .got = lab::element(memory_.after[i], a.parameter->type, first),
                           .expected = lab::element(a.before, a.parameter->type, first),
                           .wrong = changed,
                           .why = {}};
      refusal_.wrong = WrongReport{a.parameter->name,
                                   a.parameter->type,
                                   first,
                                   a.count,
                                   row_and_column(trial_, *a.parameter, first),
                                   std::move(element),
                                   {}};
      return;
    }
  }

  // The answer came from the host: computed there, or kept from another time. An array that the host filled and a
  // kernel then wrote is neither, so only the last writer counts.
  void written_by_host() {
    for (size_t i = 0; i < trial_.arrays.size(); ++i)
      for (size_t k = 0; k < memory_.writers[i].size(); ++k) {
        if (memory_.writers[i][k].block != kHost) continue;
        if (propose(Verdict::Forbidden))
          refusal_.message = fmt::format("{}[{}] was copied there from the host: kernels must compute the answer",
                                         trial_.arrays[i].parameter->name, k);
        return;
      }
  }

  Result<void> values() {
    std::vector<std::span<const std::byte>> got;
    for (size_t i = 0; i < trial_.arrays.size(); ++i) got.push_back(memory_.contents(trial_, i));
    auto wrong = TRY(compare(trial_, reference_, got));
    // The poison of a narrow type is a value that a kernel may have written: if one did, it is not poison.
    if (wrong && wrong->unwritten && wrong->index < memory_.writers[wrong->array].size())
      wrong->unwritten = memory_.writers[wrong->array][wrong->index].block == 0;
    // An error that was not checked is why the rest is missing.
    const Verdict verdict = !result_.note.empty()       ? Verdict::FailedCall
                            : wrong && wrong->unwritten ? Verdict::Unwritten
                                                        : Verdict::WrongValue;
    if (!wrong || !propose(verdict)) return {};
    for (const Finding& finding : result_.findings)
      if (auto verdict = verdict_of(finding); verdict && !decides(finding)) propose(*verdict);
    if (!result_.note.empty()) refusal_.message = result_.note;
    const TrialArray& a = trial_.arrays[wrong->array];
    WrongReport report{a.parameter->name,
                       a.parameter->type,
                       wrong->index,
                       a.count,
                       row_and_column(trial_, *a.parameter, wrong->index),
                       *wrong,
                       {}};
    const auto& writers = memory_.writers[wrong->array];
    if (wrong->index < writers.size() && writers[wrong->index].block) {
      const Writer w = writers[wrong->index];
      if (w.block < kHostPassedOn && w.site && w.site <= result_.sites.size())
        report.writer = who(result_.sites[w.site - 1], w.block - 1, w.thread);
    }
    refusal_.wrong = std::move(report);
    return {};
  }

  std::vector<BudgetLine> budget_lines() const {
    std::vector<BudgetLine> lines;
    if (!result_.ran || trial_.spec->timed) return lines;
    for (const auto* rules :
         {&trial_.problem->budget, static_cast<const std::vector<BudgetRule>*>(&trial_.spec->budget)})
      for (const BudgetRule& rule : *rules) {
        auto limit = evaluate(rule.limit, trial_.shape.names);  // was evaluated when the problem was read
        const BudgetLine line{rule.counter, rule.least, result_.measured[rule.counter],
                              uint64_t(std::max<int64_t>(limit ? *limit : 0, 0))};
        // A case's own limit replaces the problem's.
        auto same = std::find_if(lines.begin(), lines.end(), [&](const BudgetLine& l) {
          return l.counter == line.counter && l.least == line.least;
        });
        if (same != lines.end())
          *same = line;
        else
          lines.push_back(line);
      }
    return lines;
  }

  // If the problem demands barriers and threads do not reach them, that is the cause, and other counts follow from it.
  // So is a barrier that does not stand between the stores and the loads.
  void missing_barrier(const std::vector<BudgetLine>& lines) {
    auto missed = [&](Counter counter) {
      const auto line = std::find_if(lines.begin(), lines.end(),
                                     [&](const BudgetLine& l) { return l.counter == counter && l.least && !l.kept(); });
      return line == lines.end() ? nullptr : &*line;
    };
    const BudgetLine* arrivals = missed(Counter::BarriersTotal);
    const BudgetLine* loads = missed(Counter::OrderedReadsTotal);
    // Loads that are left out, or find nothing, are another matter than loads that come too early.
    const uint64_t early = result_.measured[Counter::UnorderedReadsTotal];
    if (early == 0) loads = nullptr;
    if (!arrivals && !loads) return;
    // A race names both places. A kernel that has no use for a barrier has another problem first.
    if (verdict_ == Verdict::Race || result_.measured[Counter::SharedWritesTotal] == 0 || !propose(Verdict::Barrier))
      return;
    if (arrivals && arrivals->used != 0) {
      refusal_.missed_barrier = Counter::BarriersTotal;
      refusal_.message = fmt::format("not all threads reach the barrier: {} arrival{} of at least {}", arrivals->used,
                                     arrivals->used == 1 ? "" : "s", arrivals->limit);
      refusal_.next =
          "every thread of the block must reach __syncthreads(): which ones return, or take another branch, before it?";
    } else {
      refusal_.missed_barrier = Counter::OrderedReadsTotal;
      refusal_.message =
          arrivals ? "no thread reaches a barrier"
                   : fmt::format("no barrier stands between a store to shared memory and {} load{} of what it stored",
                                 early, early == 1 ? "" : "s");
      refusal_.next = std::string(kBarrierBetween);
    }
  }

  // Threads that go past a barrier are why others do not find what they should have stored.
  void explain_by_conditions() {
    if (verdict_ == Verdict::Accepted) return;
    if (std::any_of(result_.findings.begin(), result_.findings.end(), goes_to_the_end)) propose(Verdict::Barrier);
  }

  // What is against a rule, and does no harm here.
  std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    if (verdict_ == Verdict::Barrier) return out;
    for (const Finding& finding : result_.findings)
      if (goes_to_the_end(finding))
        out.push_back(fmt::format("{}{}: CUDA allows that only where all threads of the block take the same branch",
                                  place_in_front(finding), finding.message));
    return out;
  }

  void stored_twice() {
    const auto& twice = result_.double_store;
    if (!twice || twice->array >= trial_.arrays.size()) return;
    auto known = [&](const Writer& w) { return w.site > 0 && w.site <= result_.sites.size() && w.block > 0; };
    if (!known(twice->first) || !known(twice->second)) return;
    auto named = [&](const Writer& w) { return who(result_.sites[w.site - 1], w.block - 1, w.thread); };
    refusal_.twice = StoredTwice{trial_.arrays[twice->array].parameter->name, twice->index, named(twice->first),
                                 named(twice->second)};
  }

  // One thread loops over the elements, and the others have nothing to do: what it reads again is not the matter.
  bool one_thread_does_all() const {
    constexpr uint64_t kSeveral = 2;
    const uint64_t writes = result_.measured[Counter::GlobalWrites];
    const auto& launch = trial_.shape.launch;
    uint64_t threads = 1, elements = 0;
    for (size_t axis = 0; axis < launch.block.size(); ++axis)
      threads *= uint64_t{launch.block[axis]} * launch.grid[axis];
    for (const TrialArray& array : trial_.arrays)
      if (array.parameter->is_output()) elements += array.count;
    return trial_.problem->kind == Kind::Kernel && threads > 1 && elements >= kSeveral && writes >= elements &&
           writes == result_.measured[Counter::GlobalWritesTotal];
  }

  void budget(const std::vector<BudgetLine>& lines) {
    for (const BudgetLine& line : lines) {
      if (line.kept() || (refusal_.budget.empty() && !propose(Verdict::OverBudget))) continue;
      refusal_.budget.push_back(line);
      if (line.least && refusal_.next.empty())
        refusal_.next = "the problem asks for at least this much: which step of the statement is left out?";
      if (!line.least && (line.counter == Counter::GlobalWritesTotal || line.counter == Counter::GlobalWrites)) {
        stored_twice();
        if (refusal_.twice) refusal_.next = "each element needs one thread that stores it: which of the two is it?";
      }
      const bool of_one_thread = !line.least && line.counter <= Counter::Atomics;
      if (of_one_thread && refusal_.next.empty() && one_thread_does_all())
        refusal_.next = "this thread does the work of all: the threads are the loop, and each takes one element";
      if (!refusal_.greatest && !line.least && line.counter <= Counter::Barriers)
        refusal_.greatest =
            who({{}, trial_.shape.launch.grid, trial_.shape.launch.block}, result_.measured.block[size_t(line.counter)],
                result_.measured.thread[size_t(line.counter)]);
    }
  }

  const Trial& trial_;
  const Reference& reference_;
  const TrialResult& result_;
  const TrialMemory& memory_;
  const bool budgets_;
  Verdict verdict_ = Verdict::Accepted;
  Refusal refusal_;
};

}  // namespace

Result<Assessment> assess(const Trial& trial, const Reference& reference, const TrialResult& result,
                          const TrialMemory& memory, bool budgets) {
  return Assessor(trial, reference, result, memory, budgets).assess();
}

bool reads_what_nothing_wrote(const Finding& finding) { return finding.code == "C0301" || finding.code == "C0302"; }

std::string place_in_front(const Finding& finding) {
  if (finding.parties.empty() || finding.parties[0].code.frames.empty()) return "";
  const SourcePlace& place = finding.parties[0].code.frames.front();
  return fmt::format("{}:{}: ", std::filesystem::path(place.file).filename().string(), place.line);
}

bool is_fatal(const TrialResult& result) {
  return result.bad_entry || !result.forbidden.empty() || result.failure != device::Failure::None ||
         std::any_of(result.findings.begin(), result.findings.end(),
                     [](const Finding& f) { return verdict_of(f) && decides(f); });
}

}  // namespace warpwise::lab
