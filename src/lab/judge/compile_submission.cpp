#include "lab/judge/compile_submission.h"

#include "lab/sandbox/compiler.h"

namespace warpwise::lab {

Result<CompiledSubmission> compile_device_half(const std::filesystem::path& source, toolchain::BuildPurpose purpose,
                                               unsigned architecture, bool sandbox) {
  toolchain::BuildRequest request;
  request.flags = TRY(toolchain::parse_flags({source.string()}));
  request.flags.cuda_language = true;
  // One compiler for everybody: what a submission gets must not depend on what else is installed.
  request.compiler = toolchain::CompilerChoice::Clang;
  request.purpose = purpose;
  request.device_architecture = architecture;
  CompiledSubmission out;
  request.say = [&](std::string_view text) { out.messages += text; };
  sandbox::ConfinedCompiler compiler(source, sandbox ? sandbox::Isolation::Best : sandbox::Isolation::None);
  compiler.attach_to(request);
  auto made = toolchain::build_ptx(request, toolchain::Cache::from_environment());
  if (made) {
    out.compiled = true;
    for (toolchain::PtxOfSource& part : *made) out.ptx += part.ptx;
    return out;
  }
  // T0003: the compiler refused; T0007: a header that is not there for submissions.
  if (made.error().code != "T0003" && made.error().code != "T0007") return made.error();
  if (out.messages.empty() || made.error().code == "T0007") out.messages += made.error().message + "\n";
  out.forbidden = compiler.wanted(out.messages);
  return out;
}

}  // namespace warpwise::lab
