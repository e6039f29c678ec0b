#include "lab/judge/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lab/judge/assess.h"
#include "lab/judge/barrier_text.h"
#include "lab/judge/printed_reads.h"
#include "lab/judge/signature.h"

namespace warpwise::lab {
namespace {

// What does not fit, one sentence each. True: nothing that the code does with such parameters means anything.
bool compare_signatures(const Problem& problem, const std::string& text, Verdict verdict, Refusal& refusal) {
  if (verdict == Verdict::Forbidden || verdict == Verdict::OverBudget || verdict == Verdict::DoesNotCompile)
    return false;
  const OwnSignature own = signature_in(text, problem.entry);
  if (verdict == Verdict::WrongSignature && problem.kind == Kind::Kernel && own.found && !own.kernel)
    refusal.notes.push_back(fmt::format("`{}` is a function here: a kernel has __global__ before it", problem.entry));
  if (verdict == Verdict::WrongSignature && !own.found)
    if (const OtherName other = entry_by_another_name(problem, text); !other.name.empty())
      refusal.notes.push_back(fmt::format("`{}` (line {}) has the parameters of the problem, and the judge calls `{}`",
                                          other.name, other.line, problem.entry));
  Differences found = differences(problem, own);
  if (verdict == Verdict::WrongSignature && problem.kind == Kind::Solve && own.found && found.sentences.empty())
    refusal.notes.push_back(fmt::format(
        "`{}` is defined in line {}, and the compiler does not take it: {}", problem.entry, own.line,
        own.condition.empty() ? "is it static, or in a namespace?"
                              : fmt::format("it stands under `{}` (line {})", own.condition, own.line_of_condition)));
  std::move(found.sentences.begin(), found.sentences.end(), std::back_inserter(refusal.notes));
  if (own.found && (found.decisive || verdict == Verdict::WrongSignature))
    refusal.notes.push_back(fmt::format("this file has: {}", own.text));
  return found.decisive;
}

// Many files add to an output without setting it first.
void explain_outputs(const Problem& problem, Verdict verdict, Refusal& refusal) {
  if (verdict != Verdict::Uninitialised || refusal.findings.empty() || !refusal.findings[0].memory) return;
  for (const Parameter& p : problem.parameters)
    if (p.role == Role::Output && p.name == refusal.findings[0].memory->name)
      refusal.notes.push_back(fmt::format("`{}` is an output: nothing is in it before `{}` begins, no zeros either",
                                          p.name, problem.entry));
}

void explain_printing(const std::string& text, Verdict verdict, Refusal& refusal) {
  const bool reads = std::any_of(refusal.budget.begin(), refusal.budget.end(),
                                 [](const BudgetLine& line) { return !line.least && is_read(line.counter); });
  if (verdict != Verdict::OverBudget || !reads || refusal.printed.empty()) return;
  const auto line = line_of_printed_read(text);
  if (!line) return;
  refusal.message = fmt::format("the printf in line {} reads memory for what it prints, and that counts", *line);
  refusal.next = fmt::format(
      "take the printf in line {} out of what you submit; `warpwise lab test` has no budgets, and shows what it prints",
      *line);
}

void show_line(size_t line, Judgement& judgement) {
  if (!judgement.sources.empty()) judgement.refusal->at = SourcePlace{judgement.sources[0], unsigned(line), 0};
}

// Where a barrier stands that should stand elsewhere, and what ends threads in front of it.
void explain_barriers(const std::string& text, Judgement& judgement) {
  Refusal& refusal = *judgement.refusal;
  const bool too_few_loads = judgement.verdict == Verdict::OverBudget &&
                             std::any_of(refusal.budget.begin(), refusal.budget.end(), [](const BudgetLine& line) {
                               return line.least && line.counter == Counter::SharedReadsTotal;
                             });
  if (too_few_loads || refusal.missed_barrier == Counter::OrderedReadsTotal) {
    const auto load = load_before_barrier(text);
    if (!load) return;
    // A load right behind a store of the same thread is answered from a register, and not counted.
    judgement.verdict = Verdict::Barrier;
    refusal.budget.clear(), refusal.greatest.reset(), refusal.twice.reset();
    refusal.message = fmt::format("no barrier stands between the store to `{}` in line {} and the load in line {}",
                                  load->array, load->store, load->load);
    if (load->barrier != 0)
      refusal.notes.push_back(fmt::format("the barrier in line {} stands {}", load->barrier,
                                          load->barrier >= load->load ? "behind the load" : "in front of the store"));
    refusal.next = std::string(kBarrierBetween);
    show_line(load->load, judgement);
  } else if (refusal.missed_barrier) {
    const auto barrier = first_barrier(text);
    if (!barrier) return;
    if (barrier->leaves != 0)
      refusal.notes.push_back(fmt::format("the `return` in line {} stands in front of the barrier in line {}",
                                          barrier->leaves, barrier->barrier));
    show_line(barrier->leaves != 0 ? barrier->leaves : barrier->barrier, judgement);
  }
}

}  // namespace

void add_notes(const Problem& problem, const std::string& text, Judgement& judgement) {
  if (!judgement.refusal) return;
  Refusal& refusal = *judgement.refusal;
  if (compare_signatures(problem, text, judgement.verdict, refusal)) {
    // The cause of whatever its cases have shown, which the refusal goes on to say.
    judgement.verdict = Verdict::WrongSignature;
    refusal.next = fmt::format("the problem asks for: {}", problem.signature());
    return;
  }
  explain_printing(text, judgement.verdict, refusal);
  explain_outputs(problem, judgement.verdict, refusal);
  explain_barriers(text, judgement);
}

}  // namespace warpwise::lab
