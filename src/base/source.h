// A text that diagnostics can point into: a PTX file, a CUDA source, an option on the command line.
//
// Tokens are std::string_views into the text (a Span is one too); line and column are computed only
// when something is printed, so that nothing else has to carry them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise {

// A piece of a SourceText's text. Empty and null: "no place".
using Span = std::string_view;

struct LineColumn {
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1, in bytes
};

class SourceText {
 public:
  SourceText(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}
  SourceText(const SourceText&) = delete;
  SourceText& operator=(const SourceText&) = delete;

  const std::string& name() const { return name_; }  // what a reader calls it: "add.ptx"
  std::string_view text() const { return text_; }

  bool contains(Span span) const;
  LineColumn locate(Span span) const;            // of the span's first character; {} when not inside
  std::string_view line(uint32_t number) const;  // without its end; "" when there is none

 private:
  const std::vector<uint32_t>& line_starts() const;

  std::string name_;
  std::string text_;
  mutable std::vector<uint32_t> line_starts_;  // filled at first use
};

}  // namespace warpwise
