#include "check/report/annotations.h"

#include <fmt/format.h>

#include "check/report/excerpt.h"

namespace warpwise::check::report {
namespace {

// A command is one line; in a property a comma and a colon would end the value.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return out;
}

std::string annotation(const char* level, const std::string& place, std::string_view title, std::string_view message) {
  return fmt::format("::{} {},title={}::{}\n", level, place, escaped(title, true), escaped(message, false));
}

const char* annotation_level(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "notice";
}

std::string place_in(const std::string& file, uint32_t line, uint32_t column) {
  std::string out = "file=" + escaped(short_path(file), true);
  if (line) out += fmt::format(",line={}", line);
  if (column) out += fmt::format(",col={}", column);
  return out;
}

}  // namespace

std::string to_annotations(Reports reports) {
  std::string out;
  for (const Report& report : reports) {
    const std::string program = place_in(report.program, 0, 0);
    if (!report.failure.empty()) {
      for (const CompileError& error : report.compile_errors)
        out += annotation("error", place_in(error.place.file, error.place.line, error.place.column), "does not compile",
                          error.message);
      if (!report.compile_errors.empty()) continue;
      out += annotation("error", program, "not checked", report.failure + "\n" + report.output);
      continue;
    }
    for (const ReportedFinding& found : report.findings) {
      if (!found.counts()) continue;
      const SourcePlace* at = place_of(found.finding);
      out +=
          annotation(annotation_level(found.finding.severity), at ? place_in(at->file, at->line, at->column) : program,
                     found.finding.code, fmt::format("{}\n{}", found.finding.message, help_of(found.finding)));
    }
    if (!report.end.ok())
      out += annotation("error", program, "program failed",
                        fmt::format("the program ended with {}", describe(report.end)));
  }
  return out;
}

}  // namespace warpwise::check::report
