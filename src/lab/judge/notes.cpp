#include "lab/judge/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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
  if (auto line = line_of_printed_read(text))
    refusal.notes.push_back(
        fmt::format("the printf in line {} reads memory for what it prints, and that counts: leave it out of what you "
                    "submit (`warpwise lab test` has no budgets)",
                    *line));
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
}

}  // namespace warpwise::lab
