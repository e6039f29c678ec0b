// warpwise-ptxas: takes the place of ptxas for compilers that make PTX and then insist on an assembler.
//
//     kernel.ptx ──check──► kernel.cubin, the same text
//
// The virtual GPU runs PTX, so the "machine code" is the text itself, and cuModuleLoadData takes it. What ptxas is
// still good for is done: PTX that is wrong is refused, in ptxas's form, which compilers look for.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/diagnostics.h"
#include "ptx/parse/parser.h"
#include "ptxas/command_line.h"
#include "toolchain/files.h"

namespace {

using namespace warpwise;

constexpr int kFailed = 255;  // ptxas's exit code

// The release of the toolkit that compilers are told of: it decides which version of PTX they write. 12.8 has PTX 8.7.
constexpr const char* kRelease = "12.8";

int fatal(std::string_view message) {
  fmt::print(stderr, "ptxas fatal   : {}\n", message);
  return kFailed;
}

void print_version() {
  fmt::print("ptxas: PTX checker of Warpwise {}\nCuda compilation tools, release {}, V{}.0\n", WARPWISE_VERSION,
             kRelease, kRelease);
}

void print_errors(const SourceText& source, const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const char* severity = diagnostic.severity == Severity::Error ? "error  " : "warning";
    fmt::print(stderr, "ptxas {}, line {}; {} : {} [{}]\n", source.name(), source.locate(diagnostic.primary.span).line,
               severity, diagnostic.message, diagnostic.code);
  }
}

int assemble(const ptxas::CommandLine& line) {
  auto text = toolchain::read_file(line.input);
  if (!text) return fatal(fmt::format("{}: {}", line.input, text.error().message));
  const auto source = std::make_shared<SourceText>(line.input, std::move(text).value());
  Diagnostics diagnostics;
  const auto module = ptx::load(source, diagnostics);
  print_errors(*source, diagnostics);
  if (!module || diagnostics.has_errors()) return fatal("Ptx assembly aborted due to errors");
  // The driver reads the result as a string: it ends in a zero.
  const std::string image = std::string(source->text()) + '\0';
  if (auto written = toolchain::write_file(line.output, image); !written)
    return fatal(fmt::format("{}: {}", line.output, written.error().message));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto line = ptxas::read_command_line({argv + 1, static_cast<size_t>(argc - 1)});
  if (!line) return fatal(line.error().message);
  if (line->version) return print_version(), 0;
  return assemble(*line);
}
