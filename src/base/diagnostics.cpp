#include "base/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"

namespace warpwise {
namespace {

constexpr DiagnosticInfo kCatalogue[] = {
#define DIAGNOSTIC(code, title, story) {code, title, story},
#include "base/diagnostics.inc"
#undef DIAGNOSTIC
// What checkers find has its own list; its story is the rule that was broken.
#define RULE(code, checker, severity, name, title, rule, next_step) {code, title, rule},
#include "base/rules.inc"
#undef RULE
};

struct Paint {
  bool on;
  std::string operator()(const char* sgr, std::string_view text) const {
    return on ? fmt::format("\033[{}m{}\033[0m", sgr, text) : std::string(text);
  }
};

// "add.ptx:7:5: " or "" when there is no place.
std::string place_of(const Label& label) {
  if (!label.source) return "";
  LineColumn at = label.source->locate(label.span);
  if (at.line == 0) return fmt::format("{}: ", label.source->name());
  return fmt::format("{}:{}:{}: ", label.source->name(), at.line, at.column);
}

// The source line and a line of carets below it. Tabs stay tabs so that the carets line up.
std::string excerpt_of(const Label& label, const Paint& paint) {
  if (!label.source) return "";
  LineColumn at = label.source->locate(label.span);
  if (at.line == 0) return "";
  std::string_view line = label.source->line(at.line);
  constexpr size_t kWidest = 400;  // generated PTX has lines of megabytes
  if (at.column > kWidest) return "";
  line = line.substr(0, kWidest);
  std::string under;
  for (size_t i = 0; i + 1 < at.column && i < line.size(); ++i) under += line[i] == '\t' ? '\t' : ' ';
  size_t room = line.size() + 1 > at.column ? line.size() + 1 - at.column : 1;
  under += std::string(std::clamp<size_t>(label.span.size(), 1, room), '^');
  return fmt::format("{:5} | {}\n      | {}\n", at.line, line, paint("1;32", under));
}

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "error";
}

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error) ++errors_;
  if (kept_.size() < kMaxErrors) return kept_.emplace_back(std::move(diagnostic));
  return overflow_ = std::move(diagnostic);
}

Diagnostic& Diagnostics::error(std::string code, Label at, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = std::move(code);
  diagnostic.message = std::move(message);
  diagnostic.primary = std::move(at);
  return add(std::move(diagnostic));
}

Error Diagnostics::first_error() const {
  for (const Diagnostic& d : kept_)
    if (d.severity == Severity::Error) return {d.code, place_of(d.primary) + d.message};
  return {"X0001", "an error was expected here and none was recorded"};
}

const DiagnosticInfo* find_diagnostic(std::string_view code) {
  for (const DiagnosticInfo& info : kCatalogue)
    if (info.code == code) return &info;
  return nullptr;
}

std::vector<DiagnosticInfo> all_diagnostics() { return {std::begin(kCatalogue), std::end(kCatalogue)}; }

std::string render_text(const Diagnostic& d, bool color) {
  Paint paint{color};
  const char* sgr = d.severity == Severity::Error ? "1;31" : d.severity == Severity::Warning ? "1;35" : "1;36";
  std::string kind =
      d.code.empty() ? std::string(name_of(d.severity)) : fmt::format("{}[{}]", name_of(d.severity), d.code);
  std::string out = paint("1", place_of(d.primary)) + paint(sgr, kind + ":") + " " + paint("1", d.message) + "\n";
  out += excerpt_of(d.primary, paint);
  for (const Label& label : d.secondary) {
    out += fmt::format("{}{} {}\n", place_of(label), paint("1;36", "note:"), label.text);
    out += excerpt_of(label, paint);
  }
  for (const std::string& note : d.notes) out += fmt::format("      = note: {}\n", note);
  if (!d.help.empty()) out += fmt::format("      = help: {}\n", d.help);
  return out;
}

std::string render_text(const Diagnostics& diagnostics, bool color) {
  std::string out;
  size_t shown = 0;
  for (const Diagnostic& d : diagnostics.all()) {
    out += render_text(d, color);
    shown += d.severity == Severity::Error;
  }
  if (diagnostics.error_count() > shown) out += fmt::format("and {} more errors\n", diagnostics.error_count() - shown);
  return out;
}

std::string render_json(const Diagnostics& diagnostics) {
  nlohmann::json list = nlohmann::json::array();
  for (const Diagnostic& d : diagnostics.all()) {
    LineColumn at = d.primary.source ? d.primary.source->locate(d.primary.span) : LineColumn{};
    list.push_back({{"code", d.code},
                    {"severity", name_of(d.severity)},
                    {"message", d.message},
                    {"file", d.primary.source ? d.primary.source->name() : ""},
                    {"line", at.line},
                    {"column", at.column},
                    {"notes", d.notes},
                    {"help", d.help}});
  }
  return dump_json(list, 2);
}

}  // namespace warpwise
