#include "toolchain/build.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "toolchain/compilation.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

Result<TemporaryFolder> temporary_folder() {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (!error)
    if (auto folder = TemporaryFolder::create(parent)) return folder;
  return TemporaryFolder::create("/dev/shm");
}

Result<TemporaryFolder> working_folder(const BuildRequest& request, const Cache& cache) {
  return request.works_below.empty() ? cache.scratch() : TemporaryFolder::create(request.works_below);
}

// What a program folder keeps: the executable and the PTX it points to.
void keep_only_results(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    bool result =
        file.path().filename() == "program" || file.path().filename() == kMessages || file.path().extension() == ".ptx";
    if (!result) fs::remove(file.path(), error);
  }
}

}  // namespace

bool is_refusal(const Error& error) { return error.code == "T0003" || error.code == "T0007" || error.code == "T0013"; }

namespace {

using Chosen = std::function<void(bool nvcc)>;

// If the user has not chosen a compiler, nvcc decides: it may compile what Clang refuses (an extension of nvcc, a
// function that our headers lack). If it refuses, too, the mistake is in the program, and Clang's messages are better.
// `make` calls its second argument when it knows whether it takes nvcc: what is said then is said at once, as nvcc
// takes long.
template <class Make>
auto with_either_compiler(const BuildRequest& request, Make make) {
  if (request.compiler != CompilerChoice::Automatic || request.library || !find_clang() || !find_nvcc())
    return make(request, [](bool) {});
  bool by_nvcc = false;
  std::string said, said_by_nvcc;
  BuildRequest attempt = request;
  attempt.say = [&](std::string_view text) {
    if (by_nvcc) return request.say(text);
    said += text;
  };
  auto made = make(attempt, [&](bool nvcc) {
    by_nvcc = nvcc;
    if (nvcc && !said.empty()) request.say(std::exchange(said, ""));
  });
  if (!by_nvcc && !made && is_refusal(made.error())) {
    attempt.compiler = CompilerChoice::Nvcc;
    attempt.say = [&](std::string_view text) { said_by_nvcc += text; };
    auto again = make(attempt, [](bool) {});
    if (again) {
      request.say("warpwise: compiling with nvcc, because Clang refuses the program (--compiler=clang shows why)\n" +
                  said_by_nvcc);
      return again;
    }
    // Where Clang has not got beyond a header that only the toolkit has, nvcc has seen more of the program.
    if (made.error().code != "T0003" && is_refusal(again.error())) {
      request.say(said_by_nvcc);
      return again;
    }
  }
  if (!said.empty()) request.say(said);
  return made;
}

// Programs that run and vanish have no place for a dependency file.
Result<void> refuse_dependencies(const CompilerFlags& flags) {
  const auto& asked = flags.dependencies;
  if (!asked.wanted && asked.file.empty() && asked.target.empty() && asked.phonies.empty()) return {};
  return Error{"T0006", "only `warpwise nvcc` writes dependency files (-MD, -MMD, -MF, -MT, -MP)"};
}

Result<Program> build_program_once(const BuildRequest& request, const Cache& cache, const Chosen& chosen) {
  TRY(refuse_dependencies(request.flags));
  TRY(Installation::find().cuda_runtime());  // before anything is compiled in vain
  Compilation compilation = TRY(Compilation::plan(request, Product::Program));
  chosen(compilation.uses_nvcc());
  std::string key = TRY(compilation.key_for("program"));
  if (std::string result = compilation.find_result(cache, key); !result.empty())
    if (auto folder = cache.find_folder(result); folder && compilation.complete(*folder, /*program=*/true)) {
      compilation.repeat_messages(*folder);
      return Program{*folder / "program", compilation.uses_nvcc() ? fs::path() : *folder, std::nullopt, true,
                     compilation.uses_nvcc()};
    }

  auto folder = working_folder(request, cache);
  bool cached = folder.ok();
  if (!cached) folder = TRY(temporary_folder());
  compilation.work_in(folder->path());
  if (cached) compilation.take_known_units(cache);
  // Without a cache the folder goes away when the program has started, so the PTX must be inside.
  TRY(compilation.make_program(/*embed=*/!cached, folder->path() / "program"));
  if (request.on_made) request.on_made();

  if (cached) {
    compilation.keep_units(cache);
    if (std::string result =
            compilation.complete(folder->path(), /*program=*/true) ? compilation.remember(cache, key) : "";
        !result.empty()) {
      TRY(compilation.keep_messages());
      keep_only_results(folder->path());
      if (auto kept = cache.store_folder(result, *folder))
        return Program{*kept / "program", compilation.uses_nvcc() ? fs::path() : *kept, std::nullopt, false,
                       compilation.uses_nvcc()};
    }
    // It cannot be kept (a source changed during compilation, or the disk is full): make it self-contained and run it
    // from where it is.
    if (!compilation.uses_nvcc()) {
      TRY(compilation.make_objects(/*embed=*/true));
      TRY(compilation.link(folder->path() / "program"));
    }
  }
  Program program{folder->path() / "program", {}, std::nullopt, false, compilation.uses_nvcc()};
  program.temporary = std::move(*folder);
  return program;
}

Result<std::vector<PtxOfSource>> build_ptx_once(const BuildRequest& request, const Cache& cache, const Chosen& chosen) {
  TRY(refuse_dependencies(request.flags));
  Compilation compilation = TRY(Compilation::plan(request, Product::Ptx));
  chosen(compilation.uses_nvcc());
  std::string key = TRY(compilation.key_for("ptx"));
  std::vector<PtxOfSource> made;
  if (std::string result = compilation.find_result(cache, key); !result.empty())
    if (auto folder = cache.find_folder(result); folder && compilation.complete(*folder, /*program=*/false)) {
      compilation.repeat_messages(*folder);
      for (const Unit& unit : compilation.units())
        if (unit.kind == SourceKind::Cuda) made.push_back({unit.source, TRY(read_file(unit.ptx()))});
      return made;
    }
  auto folder = working_folder(request, cache);
  if (!folder) folder = TRY(temporary_folder());
  compilation.work_in(folder->path());
  TRY(compilation.make_ptx());
  if (request.on_made) request.on_made();
  for (const Unit& unit : compilation.units())
    if (unit.kind == SourceKind::Cuda) made.push_back({unit.source, TRY(read_file(unit.ptx()))});
  if (std::string result = compilation.remember(cache, key); !result.empty()) {
    TRY(compilation.keep_messages());
    keep_only_results(folder->path());
    cache.store_folder(result, *folder);
  }
  return made;
}

Result<void> build_files_once(const BuildRequest& request, const Chosen& chosen) {
  const CompilerFlags& flags = request.flags;
  Compilation compilation = TRY(Compilation::plan(request, flags.ptx_only ? Product::Ptx : Product::Program));
  chosen(compilation.uses_nvcc());
  bool one_output = compilation.units().size() == 1 || (!flags.compile_only && !flags.ptx_only) || flags.device_link;
  if (!one_output && !flags.output.empty())
    return Error{"T0005", "`-o` names one file, and several would be made; leave it out"};
  if (!one_output && !flags.dependencies.file.empty())
    return Error{"T0005", "`-MF` names one file, and several would be written; leave it out"};
  if (!flags.dependencies.wanted)
    for (const auto& [word, value] : {std::pair("-MF", flags.dependencies.file),
                                      {"-MT", flags.dependencies.target},
                                      {"-MP", flags.dependencies.phonies}})
      if (!value.empty()) return Error{"T0005", fmt::format("`{}` needs `-MD` or `-MMD`", word)};
  TRY(compilation.key_for("files"));
  TemporaryFolder folder = TRY(temporary_folder());
  compilation.work_in(folder.path());
  compilation.keep_program();
  const bool writes_rules = flags.dependencies.wanted && !flags.dry_run && !compilation.units().empty();
  if (flags.device_link)
    return compilation.link_device_code(flags.output.empty() ? "a_dlink.o" : fs::path(flags.output));

  auto deliver = [&](const fs::path& made, const fs::path& target) -> Result<void> {
    if (flags.dry_run) return {};
    return write_file(target, TRY(read_file(made)));
  };
  if (flags.ptx_only || flags.compile_only) {
    TRY(flags.ptx_only ? compilation.make_ptx() : compilation.make_objects(/*embed=*/true));
    for (const Unit& unit : compilation.units()) {
      fs::path target = flags.output;
      if (target.empty())
        target = fs::path(unit.source).filename().replace_extension(flags.ptx_only ? flags.ptx_extension : ".o");
      TRY(deliver(flags.ptx_only ? unit.ptx() : unit.object(), target));
      if (writes_rules)
        TRY(compilation.write_dependencies({&unit, 1}, target, fs::path(target).replace_extension(".d")));
    }
    return {};
  }
  TRY(Installation::find().cuda_runtime());
  TRY(compilation.make_objects(/*embed=*/true));
  TRY(compilation.link(flags.output.empty() ? "a.out" : fs::path(flags.output)));
  if (!writes_rules) return {};
  // nvcc names the rule after the output, or each source's after its object. With several sources and one file it keeps
  // the last source's rule alone; ours has them all.
  if (!flags.output.empty() || !flags.dependencies.file.empty()) {
    const fs::path target = flags.output.empty() ? fs::path("a.out") : fs::path(flags.output);
    return compilation.write_dependencies(compilation.units(), target, fs::path(target).replace_extension(".d"));
  }
  for (const Unit& unit : compilation.units()) {
    const fs::path name = fs::path(unit.source).filename();
    TRY(compilation.write_dependencies({&unit, 1}, fs::path(name).replace_extension(".o"),
                                       fs::path(name).replace_extension(".d")));
  }
  return {};
}

}  // namespace

Result<Program> build_program(const BuildRequest& request, const Cache& cache) {
  return with_either_compiler(
      request, [&](const BuildRequest& r, const Chosen& chosen) { return build_program_once(r, cache, chosen); });
}

Result<std::vector<PtxOfSource>> build_ptx(const BuildRequest& request, const Cache& cache) {
  return with_either_compiler(
      request, [&](const BuildRequest& r, const Chosen& chosen) { return build_ptx_once(r, cache, chosen); });
}

Result<void> build_files(const BuildRequest& request) { return with_either_compiler(request, build_files_once); }

Result<void> prepare_builds(const BuildRequest& request) {
  TRY(Installation::find().cuda_runtime());
  Compilation compilation(request);
  return compilation.prepare();
}

Result<bool> builds_are_prepared(const BuildRequest& request) {
  Compilation compilation(request);
  return compilation.is_prepared();
}

}  // namespace warpwise::toolchain
