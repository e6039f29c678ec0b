#include "base/finding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warpwise {
namespace {

constexpr Rule kRules[] = {
#define RULE(code, checker, severity, name, title, rule, next_step) \
  {code, Checker::checker, Severity::severity, name, title, rule, next_step},
#include "base/rules.inc"
#undef RULE
};

constexpr std::array<std::string_view, kCheckers> kCheckerNames = {"memory", "init", "race",    "sync",
                                                                   "assert", "api",  "numbers", "outputs"};

void append_place(std::string& out, const SourcePlace& place) {
  out += fmt::format("|{}:{}:{}", place.file, place.line, place.column);
}

}  // namespace

std::string_view name_of(Checker checker) { return kCheckerNames[unsigned(checker)]; }

std::optional<Checker> find_checker(std::string_view name) {
  auto found = std::find(kCheckerNames.begin(), kCheckerNames.end(), name);
  if (found == kCheckerNames.end()) return std::nullopt;
  return Checker(found - kCheckerNames.begin());
}

const Rule* find_rule(std::string_view code) {
  for (const Rule& rule : kRules)
    if (rule.code == code) return &rule;
  return nullptr;
}

std::vector<Rule> all_rules() { return {std::begin(kRules), std::end(kRules)}; }

Finding make_finding(std::string_view code, std::string message) {
  Finding finding;
  finding.code = code;
  if (const Rule* rule = find_rule(code)) finding.severity = rule->severity;
  finding.message = std::move(message);
  return finding;
}

std::string cause_of(const Finding& finding) {
  std::string cause = finding.code;
  for (const Party& party : finding.parties) {
    cause += fmt::format("/{}|{}", party.role, party.kernel);
    for (const SourcePlace& place : party.code.frames) append_place(cause, place);
    // Users correct lines. Where no lines are known, the text names the instruction.
    if (party.code.frames.empty()) cause += party.code.instruction;
    if (!party.code.known())
      for (const HostFrame& frame : party.host) cause += fmt::format("|{}+{:x}", frame.module, frame.offset);
  }
  return cause;
}

std::string describe_thread(const Party& party) {
  auto index = [](const Index3& i) { return fmt::format("({},{},{})", i.x, i.y, i.z); };
  std::string out;
  if (party.thread) out = fmt::format("thread {}", index(*party.thread));
  if (party.block) out += fmt::format("{}block {}", out.empty() ? "" : " of ", index(*party.block));
  return out;
}

FindingSink::Cause CollectingSink::report(Finding finding) {
  std::lock_guard lock(mutex_);
  std::string cause = cause_of(finding);
  auto known = std::find(causes_.begin(), causes_.end(), cause);
  if (known != causes_.end()) {
    Finding& shown = findings_[known - causes_.begin()];
    finding.threads += shown.threads;
    if (finding.order.before(shown.order))
      shown = std::move(finding);
    else
      shown.threads = finding.threads;
    return Cause(known - causes_.begin() + 1);
  }
  causes_.push_back(std::move(cause));
  findings_.push_back(std::move(finding));
  return Cause(findings_.size());
}

void CollectingSink::again(Cause cause, uint64_t threads) {
  std::lock_guard lock(mutex_);
  if (cause > 0 && cause <= findings_.size()) findings_[cause - 1].threads += threads;
}

void CollectingSink::note_unchecked(std::string_view what) {
  std::lock_guard lock(mutex_);
  if (std::find(not_checked_.begin(), not_checked_.end(), what) == not_checked_.end()) not_checked_.emplace_back(what);
}

std::vector<Finding> CollectingSink::findings() const {
  std::lock_guard lock(mutex_);
  return findings_;
}

std::vector<std::string> CollectingSink::not_checked() const {
  std::lock_guard lock(mutex_);
  return not_checked_;
}

}  // namespace warpwise
