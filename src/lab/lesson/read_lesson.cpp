// Reads the text of a lesson, line by line. What is in a fence of another kind than ours is Markdown like the rest.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "lab/lesson/lesson.h"
#include "lab/lesson/look.h"
#include "toolchain/files.h"

namespace warpwise::lab {
namespace {

namespace fs = std::filesystem;

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::vector<std::string> lines_of_text(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The "key: value" lines of a block, and its choices. A line that begins with blanks continues the one before.
struct Keys {
  std::map<std::string, std::string> of;
  std::vector<std::string> choices;
};

class LessonReader {
 public:
  LessonReader(const std::string& text, std::string name) : lines_(lines_of_text(text)), name_(std::move(name)) {}

  Result<Lesson> read() {
    lesson_.name = name_;
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      const std::string& line = lines_[at_];
      if (line.starts_with("# ") && lesson_.title.empty())
        lesson_.title = without_blanks(line.substr(2));
      else if (line.starts_with("## "))
        lesson_.steps.push_back({.title = std::string(without_blanks(line.substr(3)))});
      else if (lesson_.steps.empty())
        take_head(line);
      else if (line.starts_with("```"))
        take_fence(line.substr(3));
      else
        lesson_.steps.back().text += line + "\n";
    }
    if (lesson_.title.empty()) wrong("the lesson has no title: `# TITLE`");
    if (lesson_.chapter.empty()) wrong("the lesson has no `chapter:`");
    if (lesson_.steps.empty()) wrong("the lesson has no steps: `## TITLE`");
    for (LessonStep& step : lesson_.steps) {
      step.text = std::string(without_blanks(step.text));
      step.text.erase(0, step.text.find_first_not_of('\n') == step.text.npos ? 0 : step.text.find_first_not_of('\n'));
    }
    if (!mistakes_.empty()) return Error{"L0001", mistakes_};
    return std::move(lesson_);
  }

 private:
  void wrong(const std::string& what) {
    mistakes_ += fmt::format("{}{}.md:{}: {}", mistakes_.empty() ? "" : "\n", name_, at_ + 1, what);
  }

  void take_head(const std::string& line) {
    if (without_blanks(line).empty()) return;
    const size_t colon = line.find(": ");
    const std::string key = line.substr(0, colon);
    const std::string value(colon == line.npos ? "" : without_blanks(line.substr(colon + 2)));
    if (key == "chapter")
      lesson_.chapter = value;
    else if (key == "about")
      lesson_.about = value;
    else
      wrong("before the first step there are `# TITLE`, `chapter:` and `about:`");
  }

  void take_fence(const std::string& kind) {
    std::vector<std::string> inside;
    const size_t begin = at_;
    while (++at_ < lines_.size() && lines_[at_] != "```") inside.push_back(lines_[at_]);
    if (at_ == lines_.size()) wrong(fmt::format("the ``` of line {} has no end", begin + 1));
    LessonStep& step = lesson_.steps.back();
    if (kind == "kernel") {
      kernel_.clear();
      for (const std::string& line : inside) kernel_ += line + "\n";
      fresh_ = true;
      if (!step.picture) step.kernel = kernel_;
    } else if (kind == "picture") {
      take_picture(step, inside);
    } else if (kind == "question") {
      take_question(step, inside);
    } else {
      step.text += "```" + kind + "\n";
      for (const std::string& line : inside) step.text += line + "\n";
      step.text += "```\n";
    }
  }

  Keys keys_of(const std::vector<std::string>& inside) {
    Keys keys;
    std::string* last = nullptr;
    for (const std::string& line : inside) {
      if (line.starts_with("  ") && last) {
        *last += fmt::format(" {}", without_blanks(line));
      } else if (line.starts_with("- ")) {
        keys.choices.emplace_back(without_blanks(line.substr(2)));
        last = &keys.choices.back();
      } else if (const size_t colon = line.find(": "); colon != line.npos) {
        last = &keys.of[line.substr(0, colon)];
        *last = without_blanks(line.substr(colon + 2));
      } else if (!without_blanks(line).empty()) {
        wrong(fmt::format("`{}` is neither `KEY: VALUE` nor a choice", line));
      }
    }
    return keys;
  }
  static std::string taken(Keys& keys, const std::string& key) {
    const auto at = keys.of.find(key);
    if (at == keys.of.end()) return "";
    std::string value = std::move(at->second);
    keys.of.erase(at);
    return value;
  }
  unsigned number(Keys& keys, const std::string& key, unsigned otherwise) {
    const std::string text = taken(keys, key);
    if (text.empty()) return otherwise;
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || *end != '\0') wrong(fmt::format("`{}: {}` is no number", key, text));
    return value;
  }

  // The line of the kernel that contains a text; a comment for the reader may be what marks it.
  unsigned line_with(const std::string& text) {
    if (text.empty()) return wrong("there is no `at:`, which says which line to look at"), 0;
    const std::vector<std::string> lines = lines_of_text(kernel_);
    unsigned found = 0;
    for (unsigned n = 0; n < lines.size(); ++n)
      if (lines[n].find(text) != std::string::npos) {
        if (found) wrong(fmt::format("`at: {}`: two lines of the kernel have this", text));
        found = n + 1;
      }
    if (found == 0) wrong(fmt::format("`at: {}`: no line of the kernel has this", text));
    return found;
  }

  // `launch`, `block` and `finding` are the last ones for this kernel, unless they are given.
  LessonLook take_look(Keys& keys, bool values) {
    LessonLook look;
    if (kernel_.empty()) wrong("there is no kernel before this");
    if (fresh_) run_ = {};
    const std::string launch = taken(keys, "launch"), block = taken(keys, "block"), finding = taken(keys, "finding");
    if (!launch.empty()) run_.launch = launch, run_.block.clear(), run_.finding.clear();
    if (!block.empty()) run_.block = block;
    if (!finding.empty()) run_.finding = finding == "none" ? "" : finding;
    run_.kernel = kernel_, fresh_ = false;
    if (run_.launch.empty()) wrong("there is no `launch:` for this kernel");
    look.line = line_with(taken(keys, "at"));
    look.warp = number(keys, "warp", 0), look.time = number(keys, "time", 1), look.of = taken(keys, "of");
    run_.values = taken(keys, "values") == "yes" || values ? look.line : 0;
    auto& runs = lesson_.runs;
    const auto same = std::find(runs.begin(), runs.end(), run_);
    look.run = size_t(same - runs.begin());
    if (same == runs.end()) runs.push_back(run_);
    std::string show = taken(keys, "show");
    for (char& c : show)
      if (c == ',') c = ' ';
    for (size_t begin = 0; (begin = show.find_first_not_of(' ', begin)) != show.npos;) {
      const size_t end = std::min(show.find(' ', begin), show.size());
      const std::string part = show.substr(begin, end - begin);
      if (part != "source" && part != "warps" && part != "lanes" && part != "memory")
        wrong(fmt::format("`show: {}`: there are source, warps, lanes and memory", part));
      look.show.push_back(part);
      begin = end;
    }
    if (look.show.empty()) look.show = {"lanes"};
    return look;
  }
  void finish(const Keys& keys) {
    for (const auto& [key, value] : keys.of) wrong(fmt::format("`{}:` means nothing here", key));
  }

  void take_picture(LessonStep& step, const std::vector<std::string>& inside) {
    if (step.picture || step.question) return wrong("a step has one picture, before its question");
    Keys keys = keys_of(inside);
    step.picture = take_look(keys, false);
    if (!keys.choices.empty()) wrong("a picture has no choices");
    finish(keys);
  }

  void take_question(LessonStep& step, const std::vector<std::string>& inside) {
    if (step.question) return wrong("a step has one question");
    Keys keys = keys_of(inside);
    LessonQuestion q;
    q.ask = taken(keys, "ask"), q.because = taken(keys, "because"), q.figure = taken(keys, "figure");
    const std::string shown = step.kernel;
    if (fresh_ && kernel_ != shown) q.kernel = kernel_;
    q.look = take_look(keys, q.figure.starts_with("value "));
    for (const std::string& choice : keys.choices) {
      const size_t equals = choice.find(" = ");
      const std::string key = choice.substr(0, equals == choice.npos ? choice.find(' ') : equals);
      q.choices.push_back({key, equals == choice.npos ? choice : choice.substr(equals + 3)});
    }
    if (q.ask.empty() || q.because.empty()) wrong("a question has `ask:` and `because:`");
    if (q.choices.size() < 2) wrong("a question has two choices or more");
    if (!is_figure(q.figure)) wrong(fmt::format("`figure: {}`: there are {}", q.figure, kFigureNames));
    finish(keys);
    step.question = std::move(q);
  }

  const std::vector<std::string> lines_;
  const std::string name_;
  Lesson lesson_;
  size_t at_ = 0;
  std::string mistakes_, kernel_;
  bool fresh_ = false;  // the kernel has not been launched yet
  LessonRun run_;
};

}  // namespace

Result<Lesson> read_lesson(const std::string& text, const std::string& file_name) {
  return LessonReader(text, file_name).read();
}

Result<Lesson> load_lesson(const fs::path& file) { return read_lesson(TRY(toolchain::read_file(file)), file.stem()); }

std::vector<std::string> lesson_names(const fs::path& problems) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(problems / "lessons", error), end; at != end && !error; at.increment(error))
    if (at->path().extension() == ".md") names.push_back(at->path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

fs::path lesson_file(const fs::path& problems, const std::string& name) {
  return problems / "lessons" / (name + ".md");
}

}  // namespace warpwise::lab
