#include "lab/report/judgement_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/report/excerpt.h"
#include "check/report/report.h"
#include "check/report/same_statement.h"
#include "perf/report/format.h"

namespace warpwise::lab {
namespace {

using check::report::short_path;

constexpr size_t kMostMessageLines = 40;

const SourcePlace* place_of(const CodePlace& code) { return code.frames.empty() ? nullptr : &code.frames.front(); }

// What a submission prints, or makes a compiler say, must not drive the terminal: controls other than tabs and line
// ends become `\x1b`. The second bytes of U+0080 to U+009F are such characters, too, for terminals that know them.
std::string without_controls(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    const bool c1 = c == 0xc2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0;
    if (c1)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[++at]));
    else if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
      result += fmt::format("\\x{:02x}", c);
    else
      result += text[at];
  }
  return result;
}

constexpr size_t kLabelColumns = 11, kNarrowest = 20;

// Broken between words, so that each line ends before `width` when its first begins behind a label.
std::string beside_label(std::string_view text, size_t width) {
  const size_t room = width < kLabelColumns + kNarrowest ? 0 : width - kLabelColumns;
  std::string out;
  size_t used = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const size_t columns = size_t(std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xc0) != 0x80; }));
    if (room != 0 && used != 0 && used + 1 + columns > room) {
      out += "\n" + std::string(kLabelColumns, ' ');
      used = 0;
    } else if (!out.empty()) {
      out += ' ';
      ++used;
    }
    out += word;
    used += columns;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

class JudgementWriter {
 public:
  JudgementWriter(const Problem& problem, const Judgement& judgement, const TextStyle& style)
      : problem_(problem), j_(judgement), style_(style) {}

  std::string text() {
    headline();
    if (j_.refusal) refusal(*j_.refusal);
    if (j_.accepted())
      accepted();
    else if (style_.verbose)
      cases();
    for (const std::string& what : j_.not_checked) line("{} not checked: {}", paint("1;35", "warning:"), what);
    if (!j_.printed.empty()) {
      line("{}", label("printed"));
      indented(j_.printed);
    }
    return std::move(out_);
  }
  std::vector<Fact> facts() {
    (void)text();
    return std::move(facts_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    out_ += '\n';
  }
  std::string paint(const char* sgr, std::string_view text) const {
    return style_.color ? fmt::format("\033[{}m{}\033[0m", sgr, text) : std::string(text);
  }
  std::string label(std::string_view name) const { return paint("2", fmt::format("  {:<9}", name)); }
  void fact(std::string_view name, const std::string& text) {
    if (text.empty()) return;
    const std::string clean = without_controls(text);
    line("{}{}", label(name), beside_label(clean, style_.width));
    facts_.push_back({std::string(name), clean});
  }
  void indented(std::string_view text) {
    size_t lines = 0;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      if (++lines > kMostMessageLines) {
        line("    … and more");
        return;
      }
      const std::string clean = without_controls(text.substr(0, end));
      line("    {}", clean);
      facts_.push_back({"", clean});
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  void headline() {
    const char* sgr = j_.accepted() ? "1;32" : "1;31";
    line("{}: {}", paint("1", problem_.slug), paint(sgr, words_of(j_.verdict)));
  }

  void notes(const Refusal& r) {
    for (const std::string& note : r.notes) fact("note", note);
  }

  void refusal(const Refusal& r) {
    // The cause stands before what follows from it.
    const bool by_signature = j_.verdict == Verdict::WrongSignature;
    if (by_signature) notes(r);
    if (!r.case_name.empty())
      fact("case", fmt::format("{} ({}{})", r.case_name, r.shape, r.shrunk ? "; the smallest found that fails" : ""));
    // The failure's own message, unless a finding explains it better.
    if (!r.message.empty() && r.findings.empty()) {
      if (r.message.find('\n') == r.message.npos)
        fact("what", r.message);
      else
        indented(r.message);
      if (r.at) source(*r.at);
    }
    if (!r.findings.empty()) findings(r.findings);
    if (r.wrong) wrong(*r.wrong);
    if (!by_signature) notes(r);
    for (const BudgetLine& b : r.budget)
      fact("budget",
           fmt::format("{}: {}, {} {}", words_of(b.counter), b.used, b.least ? "at least" : "allowed", b.limit));
    if (r.twice) {
      fact("what", fmt::format("two threads store {}[{}]", r.twice->array, r.twice->index));
      for (const WroteIt* thread : {&r.twice->first, &r.twice->second}) {
        fact(thread == &r.twice->first ? "by" : "and", thread_text(*thread));
        if (const SourcePlace* place = place_of(thread->code)) source(*place);
      }
    } else if (r.greatest) {
      fact("by", thread_text(*r.greatest));
    }
    warnings();
    fact("next", next_step(j_));
  }

  void warnings() {
    for (const std::string& warning : j_.warnings) fact("warning", warning);
  }

  // The first, and how many say the same of its statement, or of others.
  void findings(const std::vector<Finding>& findings) {
    std::vector<const Finding*> all;
    for (const Finding& f : findings) all.push_back(&f);
    const std::vector<size_t> group = check::report::by_statement(all)[0];
    finding(findings[0]);
    fact("", check::report::describe_others(group, all));
    if (const size_t others = findings.size() - group.size(); others != 0)
      fact("", fmt::format("{} more of the same kind", others));
  }

  void finding(const Finding& f) {
    fact("what", f.message);
    bool first = true;
    for (const Party& party : f.parties) {
      // Some parties are not threads: the kernel, a copy.
      const std::string thread = describe_thread(party);
      fact(first ? "by" : "and", fmt::format("{}{}{}", party.role, thread.empty() ? "" : " by ", thread));
      if (const SourcePlace* place = place_of(party.code)) source(*place);
      first = false;
    }
    if (f.threads > 1) fact("", check::report::describe_count(f));
  }

  void source(const SourcePlace& place) {
    fact("at", fmt::format("{}:{}", short_path(place.file), place.line));
    facts_.back().at = place;
    // A source can name any file (`#line 1 "/etc/passwd"`): only the submission's own are quoted.
    std::error_code error;
    const std::string file = std::filesystem::absolute(place.file, error).lexically_normal();
    if (std::find(j_.sources.begin(), j_.sources.end(), file) != j_.sources.end())
      out_ += sources_.excerpt(place, style_.color);
  }

  void wrong(const WrongReport& w) {
    const std::string got = number_text(w.element.got, w.type);
    const std::string expected = w.element.expected ? number_text(rounded_to(*w.element.expected, w.type), w.type) : "";
    const std::string element = fmt::format("{}[{}]{}", w.array, w.index,
                                            w.row_and_column.empty() ? "" : fmt::format(" ({})", w.row_and_column));
    if (j_.verdict == Verdict::ChangedInput) {
      fact("what", fmt::format("{} was {} and is {}", element, expected, got));
    } else if (w.element.unwritten) {
      fact("what", fmt::format("{} was never written{}", element,
                               expected.empty() ? "" : fmt::format("; expected {}", expected)));
    } else {
      fact("what",
           fmt::format("{} is {}{}", element, got, expected.empty() ? "" : fmt::format(", expected {}", expected)));
      if (w.element.expected && w.element.allowed > 0)
        fact("", fmt::format("off by {:.3g}, allowed {:.3g}", std::fabs(w.element.got - *w.element.expected),
                             w.element.allowed));
    }
    fact("why", w.element.why);
    if (w.element.wrong > 1)
      fact("", fmt::format("{} of {} elements of `{}` are not right; this is the first", w.element.wrong, w.count,
                           w.array));
    if (!w.writer) return;
    fact("by", fmt::format("{} wrote it", thread_text(*w.writer)));
    if (const SourcePlace* place = place_of(w.writer->code)) source(*place);
  }

  // What an accepted kernel used, and how fast it would be.
  void accepted() {
    size_t passed = 0;
    for (const CaseReport& c : j_.cases) passed += c.passed;
    fact("cases", fmt::format("{} of {} passed, {}", passed, j_.cases.size(), checkers_text()));
    std::vector<BudgetLine> tightest;  // of all cases, by counter
    for (const CaseReport& c : j_.cases)
      for (const BudgetLine& b : c.budget) {
        auto same = std::find_if(tightest.begin(), tightest.end(),
                                 [&](const BudgetLine& t) { return t.counter == b.counter && t.least == b.least; });
        if (same == tightest.end())
          tightest.push_back(b);
        else if (closeness(b) > closeness(*same))
          *same = b;
      }
    for (const BudgetLine& b : tightest)
      fact("budget", fmt::format("{}: {} of {}{}", words_of(b.counter), b.used, b.least ? "at least " : "", b.limit));
    warnings();
    if (j_.performance) performance(*j_.performance);
    if (style_.verbose) cases();
  }

  // The large case has its own, fewer checkers.
  std::string checkers_text() const {
    std::string large;
    for (const CaseSpec& spec : problem_.cases)
      if (spec.timed &&
          std::any_of(j_.cases.begin(), j_.cases.end(), [&](const auto& c) { return c.name == spec.name; }))
        large = spec.name;
    return large.empty() || !j_.not_checked.empty()
               ? "under all checkers"
               : fmt::format("under all checkers (`{}`: out of bounds, uninitialised)", large);
  }

  void performance(const Performance& p) {
    using perf::seconds_text;
    fact("time", fmt::format("{} on {}, modelled for the case `{}` ({} to {})", seconds_text(p.seconds), p.device,
                             p.case_name, seconds_text(p.low), seconds_text(p.high)));
    fact("", fmt::format("{}limited by {}", p.launches > 1 ? fmt::format("{} launches; ", p.launches) : "", p.limiter));
    if (p.of_roofline)
      fact("roofline", fmt::format("{} of what {} allows for the work that the kernels do",
                                   perf::percent_text(*p.of_roofline), p.roof));
    if (p.best_before) {
      const double times = p.best_before->seconds / p.seconds;
      fact("before",
           fmt::format("your best was {} (attempt {}): {}", seconds_text(p.best_before->seconds), p.best_before->id,
                       times > 1.02   ? fmt::format("this is {:.2f} times faster", times)
                       : times < 0.98 ? fmt::format("this is {:.2f} times slower", 1 / times)
                                      : "this is as fast"));
    }
    if (p.advice) {
      const NextStep& a = *p.advice;
      fact("advice",
           fmt::format("{}{}{}", a.title, a.file.empty() ? "" : fmt::format(" ({}:{})", short_path(a.file), a.line),
                       a.gain > 1.02 ? fmt::format(": up to {:.1f} times faster", a.gain) : ""));
      fact("", a.evidence);
      fact("", fmt::format("{} (warpwise explain {})", a.remedy, a.key));
    }
    out_ += ladder_text(p, style_);
  }
  // How close a rule is to being broken.
  static double closeness(const BudgetLine& b) {
    if (b.least) return double(b.limit) / double(std::max<uint64_t>(b.used, 1));
    return double(b.used) / double(std::max<uint64_t>(b.limit, 1));
  }

  void cases() {
    for (const CaseReport& c : j_.cases) {
      line("{}{} {} ({})", label("case"), c.passed ? paint("32", "✓") : paint("31", "✗"), c.name, c.shape);
      for (const BudgetLine& b : c.budget)
        fact("", fmt::format("    {}: {} of {}{}", words_of(b.counter), b.used, b.least ? "at least " : "", b.limit));
    }
  }

  const Problem& problem_;
  const Judgement& j_;
  const TextStyle style_;
  std::string out_;
  std::vector<Fact> facts_;  // the same
  check::report::SourceFiles sources_;
};

// So many elements are not followed by hand, and the smaller cases, which come first, hide what is wrong.
bool fails_for_its_size(const Judgement& judgement) {
  constexpr uint64_t kMostByHand = 10'000;
  return judgement.refusal->wrong && judgement.refusal->wrong->count > kMostByHand && !judgement.cases.empty() &&
         judgement.cases.front().passed;
}

// A value that is off by less than a hundredth, where some error is allowed: few mistakes of an index are so near.
bool is_nearly_right(const Judgement& judgement) {
  constexpr double kNear = 0.01;
  if (judgement.verdict != Verdict::WrongValue || !judgement.refusal->wrong) return false;
  const WrongElement& wrong = judgement.refusal->wrong->element;
  return wrong.expected && wrong.allowed > 0 &&
         std::fabs(wrong.got - *wrong.expected) < kNear * std::fabs(*wrong.expected);
}

// A race of a statement with itself, in one block: the race checker gives it words of its own, because no barrier can
// stand inside of a statement.
bool is_of_one_statement(const Refusal& refusal) {
  return !refusal.findings.empty() && !refusal.findings[0].help.empty() &&
         (refusal.findings[0].code == "C0201" || refusal.findings[0].code == "C0202");
}
constexpr std::string_view kStepForOneStatement =
    "several threads use this element in one statement: should one thread do it, an atomic operation, or each thread "
    "on an element of its own? Between rounds of a loop, where must one wait for the other?";

// "map.cu:3:5: error: …", "map.cu(3): error: …", "fatal error: …".
size_t errors_in(std::string_view messages) {
  constexpr std::string_view kError = "error: ";
  size_t count = 0;
  for (size_t at = messages.find(kError); at != messages.npos; at = messages.find(kError, at + 1)) ++count;
  return count;
}

std::string step_without_finding(const Judgement& judgement) {
  if (judgement.verdict == Verdict::DoesNotCompile && errors_in(judgement.refusal->message) == 1)
    return "look at the place that the message names: what is missing may belong just before it";
  // In the timed case writers are not recorded, nor are they for what a copy brought.
  const bool no_writer =
      judgement.verdict == Verdict::WrongValue && judgement.refusal->wrong && !judgement.refusal->wrong->writer;
  if (no_writer && fails_for_its_size(judgement))
    return "smaller cases passed: which number of elements, blocks or bytes does the code take to be small?";
  if (is_nearly_right(judgement))
    return "the value is nearly right: does something round more than float does (half, tf32, fast division), or is a "
           "term left out or counted twice?";
  if (no_writer) return "work this case out by hand, and compare what each kernel, and each copy, leaves behind";
  return std::string(next_step_of(judgement.verdict));
}

}  // namespace

std::string next_step(const Judgement& judgement) {
  if (!judgement.refusal) return "";
  const Refusal& r = *judgement.refusal;
  if (!r.next.empty()) return r.next;
  // A finding's code says more than the verdict that it belongs to.
  const std::string code = r.findings.empty() ? r.code : r.findings[0].code;
  const bool has_party = !r.findings.empty() && !r.findings[0].parties.empty();
  const std::string role = has_party ? r.findings[0].parties[0].role : "";
  std::string next(is_of_one_statement(r) ? kStepForOneStatement : next_step_for(code, role));
  if (next.empty()) next = step_without_finding(judgement);
  if (code.empty()) return next;
  return next.empty() ? fmt::format("`warpwise explain {}`", code)
                      : fmt::format("{} (`warpwise explain {}`)", next, code);
}

std::string number_text(double value, ElementType type) {
  switch (type) {
    case ElementType::Float:
      return fmt::format("{:.9g}", value);
    case ElementType::Double:
      return fmt::format("{:.17g}", value);
    case ElementType::Half:
      return fmt::format("{:.5g}", value);
    default:
      return fmt::format("{:.0f}", value);
  }
}

std::string thread_text(const WroteIt& who) {
  return fmt::format("thread ({},{},{}) of block ({},{},{})", who.thread.x, who.thread.y, who.thread.z, who.block.x,
                     who.block.y, who.block.z);
}

std::string ladder_text(const Performance& p, const TextStyle& style) {
  if (p.ladder.empty()) return "";
  const std::string label = style.color ? "\033[2m  ladder   \033[0m" : "  ladder   ";
  auto named = [](const LadderStep& step) {
    return fmt::format("{} ({}: {})", perf::seconds_text(step.seconds), step.file, step.about);
  };
  // Of the steps that are faster the slowest, and of the others the fastest.
  const LadderStep *above = nullptr, *below = nullptr;
  const size_t place = place_in(p.ladder, p.seconds);
  for (const LadderStep& step : p.ladder) {
    const bool faster = place_in({step}, p.seconds) > 1;
    if (faster && (!above || step.seconds > above->seconds)) above = &step;
    if (!faster && (!below || step.seconds < below->seconds)) below = &step;
  }
  const char* ending = place % 10 == 1 && place % 100 != 11   ? "st"
                       : place % 10 == 2 && place % 100 != 12 ? "nd"
                       : place % 10 == 3 && place % 100 != 13 ? "rd"
                                                              : "th";
  std::string out =
      fmt::format("{}{}{} of {} (yours and our {})\n", label, place, ending, p.ladder.size() + 1, p.ladder.size());
  // Times of the model that are this near to each other rank as equal (place_in).
  auto relation = [&](const LadderStep& step) {
    LadderStep yours = step;
    yours.seconds = p.seconds;
    return place_in({yours}, step.seconds) > 1 ? "next slower" : "as fast as yours";
  };
  auto beside = [&](std::string_view what, const LadderStep& step) {
    out += fmt::format("{:11}{}\n", "", beside_label(fmt::format("{} {}", what, named(step)), style.width));
  };
  if (above) beside("next faster", *above);
  if (below) beside(relation(*below), *below);
  return out;
}

std::string to_text(const Problem& problem, const Judgement& judgement, const TextStyle& style) {
  return JudgementWriter(problem, judgement, style).text();
}

std::vector<Fact> facts_of(const Problem& problem, const Judgement& judgement) {
  return JudgementWriter(problem, judgement, {}).facts();
}

}  // namespace warpwise::lab
