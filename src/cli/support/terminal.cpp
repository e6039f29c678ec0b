#include "cli/support/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>

#include "cli/support/terminal_text.h"

namespace warpwise::cli {

bool use_color(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  bool refused = (no_color && *no_color) || (term && std::string_view(term) == "dumb");
  return !refused && isatty(fileno(stream));
}

size_t terminal_width(std::FILE* stream) {
  if (!isatty(fileno(stream))) return 0;
  size_t columns = 0;
  if (const char* given = std::getenv("COLUMNS")) {
    const std::string_view text = given;
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (bad == std::errc{} && end == text.data() + text.size() && columns > 0) return columns;
  }
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string styled(bool color, const char* sgr, std::string_view text) {
  return color ? fmt::format("\033[{}m{}\033[0m", sgr, text) : std::string(text);
}

void print_fitted(std::string_view sentence) { fmt::print("{}\n", fitted(sentence, terminal_width(stdout))); }

void report(const Error& error, std::string_view help) {
  bool color = use_color(stderr);
  std::string kind = error.code.empty() ? "error:" : fmt::format("error[{}]:", error.code);
  std::string text = fmt::format("{} {}\n", styled(color, "1;31", kind), styled(color, "1", error.message));
  if (!help.empty()) text += fmt::format("      = help: {}\n", help);
  std::fputs(text.c_str(), stderr);
}

std::string next_step(const Error& error, std::string_view command) {
  struct Step {
    std::string_view code, text;
  };
  constexpr Step kSteps[] = {
      {"T0002", "apt-get install clang-19"},
      {"T0003", "the compiler's messages are above; -v shows its command line"},
      {"T0004", "`warpwise doctor` lists what is missing"},
      {"T0005", "`warpwise explain T0005`; options of your program come after its source"},
      {"T0006", "`warpwise explain T0006`"},
      {"T0007", "install NVIDIA's CUDA toolkit (no GPU or driver needed) and let Warpwise choose"},
      {"T0008", "`warpwise {} --help` has examples"},
      {"T0013", "compute this part in kernels of your own; `warpwise explain T0013`"},
      {"T0012", "`warpwise check --each FOLDER` checks every source as a program of its own"},
      {"B0001", "`warpwise explain B0001`"},
      {"B0002", "WARPWISE_LADDERS names a folder of ladders"},
      {"B0003", "`warpwise ladder` lists them"},
      {"B0006", "`nvidia-smi` shows what runs there; measure again when it has ended"},
      {"B0007", "let the GPU cool down, and measure again"},
      {"B0008", "`warpwise {} --json=FILE` writes one"},
      {"B0009", "measure the baseline again, here: --json=FILE"},
      {"U0004", "`warpwise devices` lists them"},
      {"U0014", "`warpwise profile --history` lists what is kept"},
      {"W0001", "`warpwise explain W0001`; `warpwise view` shows a recording as text"},
      {"W0002", "leave --port out to use any port that is free; --class-port=N chooses that of a class"},
  };
  for (const Step& step : kSteps)
    if (step.code == error.code) return fmt::format(fmt::runtime(step.text), command);
  return "";
}

void Progress::show(std::string_view what) {
  if (!isatty(fileno(stderr))) return;
  fmt::print(stderr, "\r\033[K{} …", what);
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

void Table::print() const {
  std::vector<size_t> widths;
  for (const auto& row : rows_)
    for (size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], columns_of(row[i]));
    }
  const bool color = use_color(stdout);
  const size_t width = terminal_width(stdout);
  bool head = true;
  for (const auto& row : rows_) {
    std::string text;
    for (size_t i = 0; i + 1 < row.size(); ++i) text += row[i] + std::string(widths[i] + 2 - columns_of(row[i]), ' ');
    // The last column is a sentence, which may take several lines.
    const size_t before = columns_of(text);
    text += row.empty() ? "" : in_columns(row.back(), before, width);
    std::fputs((styled(color && head, "1", text) + "\n").c_str(), stdout);
    head = false;
  }
}

}  // namespace warpwise::cli
