// warpwise explain WORD: the stories of diagnostics.inc, of CUDA errors and of the verdicts of the lab, and the advice
// pages (docs/advice).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/diagnostics.h"
#include "base/finding.h"
#include "base/suggest.h"
#include "check/report/rule_examples.h"
#include "cli/command.h"
#include "cli/support/terminal.h"
#include "cli/support/terminal_text.h"
#include "lab/judge/verdict.h"
#include "perf/advice/rules.h"
#include "toolchain/files.h"
#include "toolchain/installation.h"

namespace warpwise::cli {
namespace {

struct CudaError {
  std::string_view name;
  int value;
};
constexpr CudaError kCudaErrors[] = {
#define CUDA_ERROR(name, value) {#name, value},
#include "../include/cuda/warpwise/errors.inc"
#undef CUDA_ERROR
};

struct Story {
  std::string_view name, text;
};
constexpr Story kStories[] = {
#define STORY(name, text) {#name, text},
#include "cli/support/cuda_error_stories.inc"
#undef STORY
};

std::string_view story_of(std::string_view name) {
  for (const Story& story : kStories)
    if (story.name == name) return story.text;
  return "The documentation of the CUDA runtime lists it under cudaError_t. Warpwise has no explanation of its own.";
}

// By name (with or without the prefix cudaError) or by number.
const CudaError* find_cuda_error(std::string_view word) {
  int number = -1;
  auto [rest, bad] = std::from_chars(word.data(), word.data() + word.size(), number);
  bool is_number = bad == std::errc{} && rest == word.data() + word.size();
  for (const CudaError& error : kCudaErrors)
    if (is_number ? error.value == number : error.name == word || error.name == fmt::format("cudaError{}", word))
      return &error;
  return nullptr;
}

struct VerdictStory {
  lab::Verdict verdict;
  std::string_view codes, text, next_step;  // codes: of rules, with blanks between them
};
const VerdictStory kVerdictStories[] = {
#define VERDICT_STORY(verdict, codes, text, next) {lab::Verdict::verdict, codes, text, next},
#include "cli/support/verdict_stories.inc"
#undef VERDICT_STORY
};

std::string small(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

// By its name (`out-of-bounds`) or its words (`out of bounds`), in small letters.
const VerdictStory* find_verdict_story(std::string_view word) {
  for (const VerdictStory& story : kVerdictStories)
    if (word == lab::name_of(story.verdict) || word == small(lab::words_of(story.verdict))) return &story;
  return nullptr;
}

// Lines of at most 78 characters.
std::string wrapped(std::string_view text) {
  std::string out, line;
  while (!text.empty()) {
    size_t end = std::min(text.find(' '), text.size());
    if (!line.empty() && line.size() + 1 + end > 78) out += line + "\n", line.clear();
    if (!line.empty()) line += ' ';
    line += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + line + "\n";
}

std::string indented(std::string_view code) {
  std::string out = "    ";
  for (char c : code) out += c == '\n' ? "\n    " : std::string(1, c);
  return out + "\n";
}

// A rule of the checkers: what it demands, a program that breaks it, one that obeys it, and what to do.
void print_rule(const Rule& rule, bool color) {
  fmt::print("\nChecker {}, severity {}; suppressions may call it `{}`.\n", warpwise::name_of(rule.checker),
             warpwise::name_of(rule.severity), rule.name);
  if (const auto* example = check::report::find_example(rule.code))
    fmt::print("\n{}\n{}\n{}\n{}", styled(color, "1;31", "wrong:"), indented(example->wrong),
               styled(color, "1;32", "right:"), indented(example->right));
  fmt::print("\n{}", wrapped(fmt::format("What to do: {}.", rule.next_step)));
}

void print_verdict(const VerdictStory& story, bool color) {
  fmt::print("{}\n\n{}",
             styled(color, "1",
                    fmt::format("{}: a verdict of `warpwise lab`{}", lab::words_of(story.verdict),
                                lab::name_of(story.verdict) == lab::words_of(story.verdict)
                                    ? ""
                                    : fmt::format(" (`{}` in files)", lab::name_of(story.verdict)))),
             wrapped(story.text));
  fmt::print("\n{}", wrapped(fmt::format("What to do: {}.", story.next_step)));
  if (story.codes.empty()) return;
  fmt::print("\nRules that lead to it (`warpwise explain CODE`):\n");
  for (const Rule& rule : all_rules())
    if (story.codes.find(rule.code) != story.codes.npos) fmt::print("  {}  {}\n", rule.code, rule.title);
}

const perf::AdviceInfo* find_advice(std::string_view key) {
  for (const perf::AdviceInfo& info : perf::all_advice())
    if (info.key == key) return &info;
  return nullptr;
}

// Where the pages of the rules of `warpwise profile` are installed.
std::filesystem::path advice_folder() {
  return toolchain::Installation::find().root / "share/doc/warpwise/docs/advice";
}

class Explain : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("code", words_,
                   "a code such as T0003, a CUDA error by name or number, a verdict of the lab, or the key of a piece "
                   "of advice; without it, all of them")
        ->type_name("CODE");
    app.footer(
        "\nExamples:\n"
        "  warpwise explain T0003\n"
        "  warpwise explain C0201\n"
        "  warpwise explain cudaErrorIllegalAddress\n"
        "  warpwise explain 700\n"
        "  warpwise explain out-of-bounds\n"
        "  warpwise explain uncoalesced-loads");
  }

  Result<int> run() override {
    code_ = fmt::format("{}", fmt::join(words_, " "));  // `out of bounds` needs no quotes
    if (code_.empty()) {
      list();
      return kSuccess;
    }
    std::string upper = code_;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
    bool color = use_color(stdout);
    if (find_diagnostic(upper)) return explain_code(upper, color);
    const std::string lower = small(code_);
    if (const VerdictStory* story = find_verdict_story(lower)) {
      print_verdict(*story, color);
      return kSuccess;
    }
    // The name of a rule, as suppressions have it: `race-in-block`.
    for (const Rule& rule : all_rules())
      if (rule.name == lower) return explain_code(rule.code, color);
    if (const CudaError* error = find_cuda_error(code_)) {
      fmt::print("{}\n\n{}", styled(color, "1", fmt::format("{} ({})", error->name, error->value)),
                 wrapped(story_of(error->name)));
      return kSuccess;
    }
    if (const perf::AdviceInfo* info = find_advice(code_)) {
      const std::string page = TRY(toolchain::read_file(advice_folder() / fmt::format("{}.md", info->key)));
      fmt::print("{}\nThe programs are in\n    {}\n", terminal_text(page, color),
                 (advice_folder() / "examples").string());
      return kSuccess;
    }
    std::vector<std::string_view> known;
    for (const perf::AdviceInfo& info : perf::all_advice()) known.push_back(info.key);
    for (const DiagnosticInfo& info : all_diagnostics()) known.push_back(info.code);
    for (const CudaError& error : kCudaErrors) known.push_back(error.name);
    for (const VerdictStory& story : kVerdictStories) known.push_back(lab::name_of(story.verdict));
    return Error{"U0007", fmt::format("`{}` is no code, CUDA error, verdict or piece of advice{}", code_,
                                      did_you_mean(code_, known))};
  }

 private:
  // A code that has a diagnostic.
  static int explain_code(std::string_view code, bool color) {
    const DiagnosticInfo* info = find_diagnostic(code);
    fmt::print("{}\n\n{}", styled(color, "1", fmt::format("{}: {}", info->code, info->title)), wrapped(info->story));
    if (const Rule* rule = find_rule(code)) print_rule(*rule, color);
    return kSuccess;
  }

  struct Part {
    std::string title;
    std::vector<std::pair<std::string_view, std::string_view>> rows;
  };

  // What a code without a rule is about, by how it begins: the families of diagnostics.inc.
  static std::string_view family_of(std::string_view code) {
    constexpr std::pair<std::string_view, std::string_view> kFamilies[] = {
        {"P09", "PTX that Warpwise knows and does not run yet"},
        {"P", "PTX that is wrong"},
        {"T", "Compiling"},
        {"R", "Running a program"},
        {"L", "Problems and the judge of the lab"},
        {"S", "The sandbox"},
        {"U", "Options, files and this machine"},
        {"C", "The cache"},
        {"B", "Ladders and benchmarks"},
        {"V", "Recordings: trace files"},
        {"I", "Live images"},
        {"W", "The page and its server"},
        {"X", "Broken invariants of Warpwise: please report them"},
    };
    for (const auto& [prefix, title] : kFamilies)
      if (code.starts_with(prefix)) return title;
    return "Other codes";
  }

  static std::vector<Part> parts() {
    std::vector<Part> parts{{"Verdicts of `warpwise lab`, and what to do", {}}};
    for (const VerdictStory& story : kVerdictStories)
      parts[0].rows.emplace_back(lab::name_of(story.verdict), story.next_step);
    const auto add = [&](const std::string& title, std::string_view name, std::string_view meaning) {
      auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.title == title; });
      if (part == parts.end()) part = parts.insert(part, {title, {}});
      part->rows.emplace_back(name, meaning);
    };
    for (const Rule& rule : all_rules())
      add(fmt::format("What `warpwise check` finds: {}", warpwise::name_of(rule.checker)), rule.code, rule.title);
    for (const perf::AdviceInfo& info : perf::all_advice()) add("Advice of `warpwise profile`", info.key, info.title);
    for (const DiagnosticInfo& info : all_diagnostics())
      if (!find_rule(info.code)) add(std::string(family_of(info.code)), info.code, info.title);
    return parts;
  }

  static void list() {
    const bool color = use_color(stdout);
    for (const Part& part : parts()) {
      size_t width = 0;
      for (const auto& [name, meaning] : part.rows) width = std::max(width, name.size());
      fmt::print("{}\n", styled(color, "1", part.title));
      for (const auto& [name, meaning] : part.rows) fmt::print("  {:<{}}  {}\n", name, width, meaning);
      fmt::print("\n");
    }
    fmt::print("Errors of the CUDA runtime go by name or number: `warpwise explain 700`.\n");
  }

  std::vector<std::string> words_;
  std::string code_;
};

}  // namespace

std::unique_ptr<Command> make_explain() { return std::make_unique<Explain>(); }

}  // namespace warpwise::cli
