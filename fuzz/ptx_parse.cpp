// Fuzz target: any bytes as PTX. What loads must print, parse again and print the same.
//
// `make fuzz` gives it the words of ptx_parse.dict and the files of the folders in ptx_parse.seeds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "ptx/parse/parser.h"
#include "ptx/printer.h"

using namespace warpwise;

namespace {

[[noreturn]] void fail(const char* what, const std::string& text) {
  std::fprintf(stderr, "%s\n%s\n", what, text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Diagnostics diagnostics;
  auto source = std::make_shared<SourceText>("fuzz.ptx", std::string(reinterpret_cast<const char*>(data), size));
  std::optional<ptx::Module> module = ptx::load(source, diagnostics);
  std::string rendered = render_text(diagnostics, true);
  if (module.has_value() == diagnostics.has_errors()) fail("a module and errors, or neither", rendered);
  if (!module) return 0;
  std::string printed = ptx::print(*module);
  Diagnostics again;
  std::optional<ptx::Module> reparsed = ptx::load(std::make_shared<SourceText>("printed.ptx", printed), again);
  if (!reparsed) fail("what is printed does not load", printed + render_text(again, false));
  if (ptx::print(*reparsed) != printed) fail("printing twice differs", printed + "\n-----\n" + ptx::print(*reparsed));
  return 0;
}
