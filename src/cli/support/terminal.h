// Output for people: colours and progress only on a terminal, errors in one form.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::cli {

// Whether to colour this stream: it is a terminal, NO_COLOR is not set (no-color.org) and TERM is not dumb.
bool use_color(std::FILE* stream);

// How many columns this stream shows: COLUMNS, or what the terminal says. 0 where there is no terminal: lines of any
// length, for the programs that read them.
size_t terminal_width(std::FILE* stream);

// `text` in an SGR style such as "1;31", when `color`.
std::string styled(bool color, const char* sgr, std::string_view text);

// A sentence and the end of its line on standard output, broken between words where the terminal ends.
void print_fitted(std::string_view sentence);

// error[T0002]: clang++-19 is not installed
//       = help: …
void report(const Error& error, std::string_view help = "");

// The next step after an error of `warpwise COMMAND`, where one line can say it; "" otherwise.
std::string next_step(const Error& error, std::string_view command);

// A line on stderr that is visible while something takes long, if stderr is a terminal.
class Progress {
 public:
  void show(std::string_view what);
  void clear();
  ~Progress() { clear(); }

 private:
  bool shown_ = false;
};

// Prints rows in columns, each as wide as its widest cell, with a bold head.
class Table {
 public:
  explicit Table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace warpwise::cli
