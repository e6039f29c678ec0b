#include "lab/judge/compile_submission.h"

#include "lab/sandbox/compiler.h"

namespace warpwise::lab {

sandbox::Limits limits_of(toolchain::CompilerChoice compiler) {
  sandbox::Limits limits = sandbox::compiler_limits();
  if (compiler != toolchain::CompilerChoice::Nvcc) return limits;
  limits.wall_seconds = 120;
  limits.processor_seconds = 60;
  limits.memory_bytes = uint64_t{3} << 30;
  return limits;
}

Result<CompiledSubmission> compile_device_half(const std::filesystem::path& source, const CompileOptions& options) {
  toolchain::BuildRequest request;
  request.flags = TRY(toolchain::parse_flags({source.string()}));
  request.flags.cuda_language = true;
  // The compiler is named and not chosen by what the source includes, because the verdict must not depend on what else
  // is installed.
  request.compiler = options.compiler;
  request.purpose = options.purpose;
  request.device_architecture = options.architecture;
  CompiledSubmission out;
  request.say = [&](std::string_view text) { out.messages += text; };
  sandbox::ConfinedCompiler compiler(source, options.sandbox ? sandbox::Isolation::Best : sandbox::Isolation::None,
                                     options.headers, limits_of(options.compiler));
  compiler.attach_to(request);
  auto made = toolchain::build_ptx(request, toolchain::Cache::from_environment());
  if (made) {
    for (toolchain::PtxOfSource& part : *made) out.ptx += part.ptx;
    // Excerpts of sources, and the checker of barriers, open the files that PTX names.
    if (auto outside = compiler.scope().outside_in_ptx(out.ptx))
      out.forbidden = *outside;
    else
      out.compiled = true;
    return out;
  }
  // T0003: the compiler refused; T0007: a header that is not there for submissions.
  if (made.error().code != "T0003" && made.error().code != "T0007") return made.error();
  if (out.messages.empty() || made.error().code == "T0007") out.messages += made.error().message + "\n";
  out.forbidden = compiler.wanted(out.messages);
  return out;
}

}  // namespace warpwise::lab
