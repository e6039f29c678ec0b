// Diagnostics as data: what is wrong, where, by which rule, and what to do next.
//
// One type serves PTX errors, wrong options, checker findings and unsupported features; one renderer
// turns it into text with carets or JSON. Codes are listed once, in diagnostics.inc (those of
// checkers in rules.inc), with the text that `warpwise explain CODE` prints. Wording: lower case, no full stop, the
// offending text in backquotes, the message says what is wrong and the help says what to do.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"

namespace warpwise {

enum class Severity { Error, Warning, Note };
std::string_view name_of(Severity severity);  // "error"

// A place in a source text, with a message about it.
struct Label {
  std::shared_ptr<const SourceText> source;  // null: a place outside any text we hold
  Span span;
  std::string text;  // "" for the primary place, whose text is the message
};

struct Diagnostic {
  Severity severity = Severity::Error;
  std::string code;  // "P0203"; listed in diagnostics.inc
  std::string message;
  Label primary;
  std::vector<Label> secondary;
  std::vector<std::string> notes;  // rules and facts: "PTX ISA 9.7.3.1: ..."
  std::string help;                // the next step; "" where none is known
};

// Collects the diagnostics of one job. After kMaxErrors errors further ones are counted, not kept,
// so that a broken file of a million lines gives a readable page.
class Diagnostics {
 public:
  static constexpr size_t kMaxErrors = 50;

  Diagnostic& add(Diagnostic diagnostic);
  Diagnostic& error(std::string code, Label at, std::string message);

  bool has_errors() const { return errors_ != 0; }
  size_t error_count() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return kept_; }

  // The first error as an Error, for callers that return a Result. Only when has_errors().
  Error first_error() const;

 private:
  std::vector<Diagnostic> kept_;
  Diagnostic overflow_;  // what add() hands out once kMaxErrors are kept
  size_t errors_ = 0;
};

// One catalogue entry of diagnostics.inc.
struct DiagnosticInfo {
  std::string_view code;
  std::string_view title;
  std::string_view story;
};
const DiagnosticInfo* find_diagnostic(std::string_view code);
std::vector<DiagnosticInfo> all_diagnostics();

// Text as a compiler prints it, `name:line:column: error[P0203]: message`, the source line and a
// caret under the span, then notes and help. `color` adds ANSI colours.
std::string render_text(const Diagnostic& diagnostic, bool color);
std::string render_text(const Diagnostics& diagnostics, bool color);
// A JSON array of objects: code, severity, message, file, line, column, notes, help.
std::string render_json(const Diagnostics& diagnostics);

}  // namespace warpwise
