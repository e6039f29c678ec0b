#include "toolchain/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace warpwise::toolchain {
namespace {

bool begins_message(std::string_view line) {
  return line.find("error: ") != line.npos || line.find("warning: ") != line.npos ||
         line.starts_with("In file included from ");
}

// "3 errors generated when compiling for sm_90a."
bool is_summary(std::string_view line) {
  return line.find(" generated") != line.npos &&
         (line.find("error") != line.npos || line.find("warning") != line.npos) && line[0] >= '0' && line[0] <= '9';
}

// The message without the notes that `drop` is true of, with their excerpts.
template <class Drop>
std::string without_notes(std::string_view message, Drop drop) {
  std::string kept;
  for (bool dropping = false; !message.empty();) {
    const std::string_view line = message.substr(0, message.find('\n'));
    const size_t whole = std::min(line.size() + 1, message.size());
    const std::string text = without_colours(line);
    if (text.find(": note: ") != text.npos) dropping = drop(text);
    if (!dropping) kept += message.substr(0, whole);
    message.remove_prefix(whole);
  }
  return kept;
}

// Clang's header makes `threadIdx.x` a call of this function, and says so where host code asks for it.
constexpr std::string_view kThreadInHostCode = "reference to __device__ function '__fetch_builtin_";

std::string about_threads(std::string message) {
  constexpr std::string_view kEnd = "' in __host__ function";
  const size_t begin = message.find(kThreadInHostCode), end = message.find(kEnd, begin);
  if (begin == message.npos || end == message.npos) return message;
  message.replace(begin, end + kEnd.size() - begin,
                  "threadIdx, blockIdx, blockDim and gridDim are for device code: does the function lack __global__ or "
                  "__device__?");
  return without_notes(message, [](std::string_view) { return true; });
}

// Of all the overloads that headers have of a function, those that tell why it cannot be called.
std::string about_calls(std::string message) {
  // Those of ours that are for device code or templates are not meant.
  if (message.find("no matching function for call to 'cuda") != message.npos)
    return without_notes(message, [](std::string_view note) {
      return note.find("/warpwise/cuda/") != note.npos &&
             (note.find("candidate template ignored") != note.npos ||
              note.find("call to __device__ function from __host__") != note.npos);
    });
  // half * 2: that it is ambiguous, and not between which of all types of numbers.
  if (message.find("is ambiguous (with operand types") != message.npos)
    return without_notes(message,
                         [](std::string_view note) { return note.find(": note: built-in candidate") != note.npos; });
  // std::cout and std::vector in a kernel: one reason will do.
  static constexpr std::string_view kHostFunction = "call to __host__ function from __";
  const bool streams = message.find("invalid operands to binary expression ('ostream'") != message.npos;
  if (!streams && message.find(kHostFunction) == message.npos) return message;
  return without_notes(message, [told = streams](std::string_view note) mutable {
    if (!note.starts_with('/')) return false;
    const bool keep = !told && note.find(kHostFunction) != note.npos;
    told = told || keep;
    return !keep;
  });
}

}  // namespace

std::string without_colours(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033' && i + 1 < text.size() && text[i + 1] == '[') {
      // Up to the letter that ends it: `\033[1;31m`, and GCC's `\033[K`.
      for (i += 2; i < text.size() && (text[i] < '@' || text[i] > '~');) ++i;
      continue;
    }
    out += text[i];
  }
  return out;
}

std::string MessageFilter::unseen(std::string_view output) {
  std::string kept, message;
  bool includes_only = false;  // `In file included from` opens a message that the error line continues
  auto finish = [&] {
    threads_in_host_code_ = threads_in_host_code_ || message.find(kThreadInHostCode) != message.npos;
    // What follows from it.
    const bool follows =
        threads_in_host_code_ && message.find("cannot find suitable getter for property") != message.npos;
    if (!message.empty() && seen_.insert(without_colours(message)).second && !follows)
      kept += about_calls(about_threads(std::move(message)));
    message.clear();
  };
  while (!output.empty()) {
    size_t end = std::min(output.find('\n'), output.size() - 1);
    std::string_view line = output.substr(0, end + 1);
    output.remove_prefix(end + 1);
    std::string text = without_colours(line);
    bool include = text.starts_with("In file included from ") || text.starts_with("                 from ");
    if (is_summary(text)) {
      finish();
      continue;
    }
    if (begins_message(text) && !includes_only) finish();
    includes_only = include;
    message += line;
  }
  finish();
  if (!kept.empty() && kept.back() != '\n') kept += '\n';
  return kept;
}

std::vector<std::string> missing_headers(std::string_view messages) {
  std::vector<std::string> names;
  std::string text = without_colours(messages);
  constexpr std::string_view kClang = "' file not found", kGcc = ": No such file or directory";
  for (size_t at = 0; (at = text.find(kClang, at)) != text.npos; at += kClang.size())
    if (size_t open = text.rfind('\'', at - 1); open != text.npos)
      names.push_back(text.substr(open + 1, at - open - 1));
  for (size_t at = 0; (at = text.find(kGcc, at)) != text.npos; at += kGcc.size())
    if (size_t open = text.rfind(' ', at - 1); open != text.npos) names.push_back(text.substr(open + 1, at - open - 1));
  return names;
}

std::vector<std::string> undefined_functions(std::string_view messages) {
  std::vector<std::string> names;
  const std::string text = without_colours(messages);
  constexpr std::string_view kGnu = "undefined reference to `", kLld = "undefined symbol: ";
  for (size_t at = 0; (at = text.find(kGnu, at)) != text.npos; at += kGnu.size())
    names.push_back(text.substr(at + kGnu.size(), text.find_first_of("'\n", at) - at - kGnu.size()));
  for (size_t at = 0; (at = text.find(kLld, at)) != text.npos; at += kLld.size())
    names.push_back(text.substr(at + kLld.size(), text.find('\n', at) - at - kLld.size()));
  return names;
}

std::optional<std::string> function_to_add(std::string_view messages) {
  constexpr std::string_view kStub = "__device_stub__";  // the host's half of a kernel, as Clang names it
  const std::vector<std::string> names = undefined_functions(messages);
  if (names.empty()) return std::nullopt;
  const bool kernel = names[0].starts_with(kStub);
  return fmt::format("none of the sources defines {}`{}`: name the file that does, too{}", kernel ? "the kernel " : "",
                     kernel ? names[0].substr(kStub.size()) : names[0], kernel ? "" : ", or its library (-l)");
}

bool refuses_launch_in_kernel(std::string_view messages) {
  const std::string text = without_colours(messages);
  const auto has = [&](std::string_view part) { return text.find(part) != text.npos; };
  const bool clang = has("error: reference to __global__ function ") &&
                     (has("in __global__ function\n") || has("in __device__ function\n"));
  return clang || has("requires separate compilation mode");
}

namespace {

// The number behind the last `before` of `place`, which then ends before it; 0: there is none.
unsigned take_number(std::string_view& place, char before) {
  const size_t at = place.rfind(before);
  unsigned number = 0;
  if (at == place.npos || at + 1 == place.size()) return 0;
  const auto [end, error] = std::from_chars(place.data() + at + 1, place.data() + place.size(), number);
  if (error != std::errc() || end != place.data() + place.size()) return 0;
  place = place.substr(0, at);
  return number;
}

}  // namespace

std::vector<CompilerWarning> uninitialised_variables(std::string_view messages) {
  constexpr std::string_view kWarning = ": warning: ";
  std::vector<CompilerWarning> found;
  const std::string text = without_colours(messages);
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    const size_t warning = line.find(kWarning), flag = line.rfind(" [-W");
    if (warning == line.npos || flag == line.npos || flag < warning) continue;
    const std::string_view name = line.substr(flag + 2);
    if (name != "-Wuninitialized]" && name != "-Wsometimes-uninitialized]") continue;
    // FILE:LINE:COLUMN
    std::string_view place = line.substr(0, warning);
    if (take_number(place, ':') == 0) continue;
    const unsigned number = take_number(place, ':');
    if (number == 0) continue;
    found.push_back({.file = std::string(place),
                     .text = std::string(line.substr(warning + kWarning.size(), flag - warning - kWarning.size())),
                     .line = number});
  }
  return found;
}

std::vector<CompilerError> compiler_errors(std::string_view messages) {
  std::vector<CompilerError> found;
  const std::string text = without_colours(messages);
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    for (std::string_view kind : {": error: ", ": fatal error: ", ": catastrophic error: "}) {
      const size_t at = line.find(kind);
      if (at == line.npos) continue;
      CompilerError error{.file = "", .text = std::string(line.substr(at + kind.size()))};
      std::string_view place = line.substr(0, at);
      if (place.ends_with(')')) {
        place.remove_suffix(1);
        error.line = take_number(place, '(');
      } else {
        error.line = take_number(place, ':');
        // FILE:LINE:COLUMN, or FILE:LINE
        if (const unsigned number = take_number(place, ':'); number != 0)
          error.column = std::exchange(error.line, number);
      }
      error.file = place;
      if (error.line != 0) found.push_back(std::move(error));
      break;
    }
  }
  return found;
}

}  // namespace warpwise::toolchain
