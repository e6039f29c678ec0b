#include "lab/judge/compile_submission.h"

#include <fmt/format.h>

#include "lab/sandbox/compiler.h"
#include "toolchain/messages.h"

namespace warpwise::lab {

sandbox::Limits limits_of(const CompileOptions& options) {
  sandbox::Limits limits = sandbox::compiler_limits();
  if (options.compiler == toolchain::CompilerChoice::Nvcc) {
    limits.wall_seconds = 120;
    limits.processor_seconds = 60;
    limits.memory_bytes = uint64_t{3} << 30;
  }
  limits.wall_seconds *= options.patience;
  return limits;
}

bool loads_once(const CompileOptions& options) {
  return options.compiler == toolchain::CompilerChoice::Clang && options.purpose == toolchain::BuildPurpose::Check;
}

void explain_refusal(const Error& refusal, const sandbox::ConfinedCompiler& compiler, std::string& messages,
                     std::string& next) {
  if (!compiler.ended().empty())
    next = "look for a macro, a template or a constant that grows without end; on a busy machine, submit it again";
  if (refusal.code == "T0007") {
    messages = refusal.message;
    next = toolchain::find_nvcc() ? "submit it with --compiler=nvcc"
                                  : "write this part without that header, or install NVIDIA's CUDA toolkit";
  } else if (refusal.code == "T0013") {
    messages = refusal.message;
    next = "compute this in kernels of your own: they are what is judged";
  } else if (messages.empty()) {
    messages = refusal.message + "\n";
  } else if (const std::vector<std::string> missing = toolchain::missing_headers(messages); !missing.empty()) {
    next = fmt::format(
        "`{}` is neither beside the file nor a header of CUDA or C++: leave it out, or paste what the file needs of it",
        missing[0]);
  }
}

Result<CompiledSubmission> compile_device_half(const std::filesystem::path& source, const CompileOptions& options,
                                               const std::vector<std::string>& words) {
  toolchain::BuildRequest request;
  request.flags = TRY(toolchain::parse_flags(words.empty() ? std::vector{source.string()} : words));
  request.flags.cuda_language = true;
  // The compiler is named and not chosen by what the source includes, because the verdict must not depend on what else
  // is installed.
  request.compiler = options.compiler;
  request.purpose = options.purpose;
  request.warn_uninitialised = options.purpose == toolchain::BuildPurpose::Check;
  request.device_architecture = options.architecture;
  CompiledSubmission out;
  request.say = [&](std::string_view text) { out.messages += text; };
  sandbox::ConfinedCompiler compiler(source, options.sandbox ? sandbox::Isolation::Best : sandbox::Isolation::None,
                                     options.headers, limits_of(options), loads_once(options), options.place);
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
  if (!toolchain::is_refusal(made.error())) return made.error();
  const std::string said = out.messages;
  explain_refusal(made.error(), compiler, out.messages, out.next);
  out.forbidden = compiler.wanted(said);
  return out;
}

}  // namespace warpwise::lab
