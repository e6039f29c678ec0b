#include "toolchain/build.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <span>

#include "toolchain/hash.h"
#include "toolchain/includes.h"
#include "toolchain/inputs.h"
#include "toolchain/messages.h"
#include "toolchain/nvcc_spelling.h"
#include "toolchain/precompiled.h"
#include "toolchain/process.h"
#include "toolchain/route.h"
#include "toolchain/source_check.h"
#include "toolchain/undefined_variables.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

// Counts up when a cached result would be wrong for this version although all inputs are the same.
constexpr uint64_t kBuildFormat = 7;

// The clock that file systems stamp with, so that "before we started" can be compared exactly.
int64_t file_clock_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// In the folder of a result: what the compilers said.
constexpr const char* kMessages = "messages";

// What is to be made: something to run or to link, or PTX alone.
enum class Product { Program, Ptx };

// One build: what is asked, by which compiler, into which folder.
class Build {
 public:
  explicit Build(const BuildRequest& request) : request_(&request), installation_(Installation::find()) {}
  static Result<Build> plan(const BuildRequest& request, Product product);

  // The first key: everything known before compiling. `product` distinguishes a program from its PTX.
  Result<std::string> key_for(std::string_view product);
  // The key of a result whose inputs are all unchanged; "" when there is none.
  std::string find_result(const Cache& cache, const std::string& first_key) const;
  // Notes what was read, and gives the result its key; "" when the result must not be kept.
  std::string remember(const Cache& cache, const std::string& first_key) const;

  void work_in(const fs::path& folder);
  // Whether `folder` holds all results of the units: a program compiled by Clang runs nothing without the PTX that it
  // points to.
  bool complete(const fs::path& folder, bool program);
  Result<void> make_ptx();
  Result<void> make_objects(bool embed);
  // For a build without sources: the work that later builds find done.
  Result<void> prepare();
  Result<void> link(const fs::path& output);
  // -dlink, which nvcc alone can.
  Result<void> link_device_code(const fs::path& output);
  // -MD, -MMD: the make rule of what was made of these units.
  Result<void> write_dependencies(std::span<const Unit> units, const fs::path& target, const fs::path& file) const;
  void keep_program() { to_keep_ = true; }
  // What compilers have said, in the folder of the result, for those who want it again.
  Result<void> keep_messages() const;
  void repeat_messages(const fs::path& folder) const;

  bool uses_nvcc() const { return nvcc_; }
  std::vector<Unit>& units() { return units_; }

 private:
  Result<void> choose_compiler(Product product);
  Result<void> run(const std::vector<Job>& jobs, const char* what = "compiling");
  std::optional<Error> wrong_main(std::string_view messages) const;
  Route plain_route() const {
    return {.installation = installation_,
            .flags = request_->flags,
            .compiler = compiler_,
            .architecture = architecture_,
            .for_sm_100 = is_for_sm_100(request_->flags, request_->device_architecture),
            .color = request_->color,
            .for_check = for_check(),
            .mark_overflow = marks_overflow(),
            .warn_uninitialised = request_->warn_uninitialised,
            .for_library = request_->library};
  }
  // The precompiled parts are looked up only when something must be compiled.
  Route route();
  Result<void> compile_objects(bool embed);
  // What Clang needs and nvcc does not, source by source: its own spelling of launches, our header of texture
  // references.
  Result<void> adapt_sources();
  Result<void> lower(const Route& route);
  // Clang refused a precompiled header, for which it has more reasons than we test: use the text.
  bool refused(const Result<void>& made);
  bool for_check() const { return request_->purpose == BuildPurpose::Check; }
  bool marks_overflow() const { return request_->mark_overflow && for_check() && !nvcc_; }
  std::string title(const char* what) const;
  std::vector<std::string> library_files() const;

  const BuildRequest* request_;
  Installation installation_;
  Tool compiler_;
  bool nvcc_ = false;
  std::string architecture_;
  fs::path folder_;  // where everything is written
  std::vector<Unit> units_;
  std::vector<std::string> link_inputs_;  // objects and libraries that the user named
  int64_t started_ = file_clock_now();
  std::string said_;  // by compilers
  bool header_refused_ = false, may_retry_ = false;
  bool to_keep_ = false;  // programs, objects and PTX where the flags say: `warpwise nvcc`
};

Route Build::route() {
  Route route = plain_route();
  route.skips_system_headers =
      to_keep_ && request_->flags.dependencies.wanted && !request_->flags.dependencies.system_headers;
  if (nvcc_) return route;
  const bool cuda = std::any_of(units_.begin(), units_.end(), [](const Unit& u) { return u.kind == SourceKind::Cuda; });
  if (cuda && !header_refused_) {
    route.device_header = find_precompiled_header(route, Half::Device);
    route.host_header = find_precompiled_header(route, Half::Host);
  }
  route.names_link_libraries = to_keep_;
  // The command line that is shown is the compiler's own, which people and build systems can read.
  if (!to_keep_ && !request_->flags.verbose)
    if (auto words = find_link_words(route)) route.link_words = *words;
  return route;
}

bool Build::refused(const Result<void>& made) { return !made.ok() && std::exchange(may_retry_, false); }

Result<Build> Build::plan(const BuildRequest& request, Product product) {
  Build build(request);
  for (const std::string& input : request.flags.inputs) {
    SourceKind kind = request.flags.cuda_language ? SourceKind::Cuda : kind_of_source(input);
    if (kind == SourceKind::Other)
      return Error{"T0008", fmt::format("`{}` is neither a source (.cu, .cpp, .c) nor an object (.o, .a, .so)", input)};
    TRY(kind == SourceKind::Object || !request.explain_inputs ? check_object(input) : check_source(input));
    if (kind == SourceKind::Object)
      build.link_inputs_.push_back(input);
    else
      build.units_.push_back({.source = input, .kind = kind, .index = build.units_.size()});
  }
  if (build.units_.empty() && build.link_inputs_.empty()) return Error{"T0008", "there is nothing to compile"};
  TRY(build.choose_compiler(product));
  return build;
}

Result<void> Build::choose_compiler(Product product) {
  auto clang = find_clang();
  auto nvcc = find_nvcc();
  const BuildRequest& request = *request_;
  bool forced = request.compiler != CompilerChoice::Automatic || request.library;
  nvcc_ = request.compiler == CompilerChoice::Nvcc;
  if (nvcc_ && request.library) return Error{"T0006", "libraries to be loaded are compiled by Clang alone"};
  if (!forced && !clang && nvcc) {
    nvcc_ = true;
    request.say("warpwise: compiling with nvcc, because clang++-19 is not installed\n");
  } else if (!forced && nvcc) {
    HeaderSearch search{{}, installation_.headers, toolkit_headers(*nvcc)};
    for (const std::string& folder : request.flags.include_folders) search.user_folders.emplace_back(folder);
    for (const Unit& unit : units_) {
      std::string header = toolkit_only_header(unit.source, search);
      if (header.empty()) continue;
      nvcc_ = true;
      request.say(fmt::format("warpwise: compiling with nvcc, because of <{}>\n", header));
      break;
    }
  }
  if (const std::string& word = request.flags.relocatable; !word.empty() && !nvcc_) {
    // Clang's PTX is relocatable as it is: symbols that a module does not define are .extern, and no function is
    // dropped. Only nvcc makes programs from such parts.
    const bool nvcc_alone = product == Product::Program;
    if (!forced && nvcc) {
      nvcc_ = true;
      request.say(fmt::format("warpwise: compiling with nvcc, because of {}\n", word));
    } else if (nvcc_alone) {
      return Error{"T0006",
                   fmt::format("`{}` needs nvcc{}", word, nvcc ? ": --compiler=nvcc" : ", which is not installed")};
    }
  }
  if (nvcc_ && !nvcc) return Error{"T0002", "nvcc is not installed"};
  if (!nvcc_ && !clang) return Error{"T0002", "clang++-19 is not installed"};
  compiler_ = nvcc_ ? *nvcc : *clang;
  architecture_ = nvcc_ ? nvcc_architecture(request.flags, request.device_architecture)
                        : clang_architecture(request.flags, request.device_architecture);
  return {};
}

Result<std::string> Build::key_for(std::string_view product) {
  Hasher hash;
  hash.add(kBuildFormat).add(WARPWISE_VERSION).add(product);
  hash.add(compiler_.identity)
      .add(architecture_)
      .add(uint64_t{is_for_sm_100(request_->flags, request_->device_architecture)});
  hash.add(uint64_t{request_->color}).add(uint64_t(request_->purpose)).add(uint64_t{marks_overflow()});
  hash.add(uint64_t{request_->library}).add(request_->epilogue);
  hash.add(uint64_t{request_->warn_uninitialised});
  hash.add(installation_.libraries.string()).add(installation_.headers.string());
  // -MD does not list the device library, so its stamp stands for it.
  if (auto stamp = stamp_of(installation_.device_library)) hash.add(stamp->size).add(uint64_t(stamp->modified_ns));
  const auto& clang = request_->flags.clang;
  const auto& nvcc = request_->flags.nvcc;
  for (const auto* words : {&clang.both, &clang.host, &clang.device, &clang.link, &nvcc.compile, &nvcc.link}) {
    hash.add(words->size());
    for (const std::string& word : *words) hash.add(word);
  }
  // What compilers take from the environment, and what relative names mean.
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "NVCC_PREPEND_FLAGS",
                           "NVCC_APPEND_FLAGS", "NVCC_CCBIN"}) {
    const char* value = std::getenv(name);
    hash.add(value ? value : "");
  }
  std::error_code error;
  hash.add(fs::current_path(error).string());
  for (const Unit& unit : units_) hash.add(unit.source).add(uint64_t(unit.kind)).add(TRY(read_file(unit.source)));
  for (const std::string& file : link_inputs_) hash.add(file);
  std::string key = hash.hex();
  for (Unit& unit : units_) unit.key = Hasher().add(key).add(unit.index).hex();
  return key;
}

std::string Build::find_result(const Cache& cache, const std::string& first_key) const {
  auto text = cache.load("inputs", first_key);
  if (!text) return "";
  auto variants = decode_variants(*text);
  if (!variants) return "";
  for (const InputVariant& variant : *variants)
    if (unchanged(variant)) return variant.result;
  return "";
}

// The files that -l names in the user's own -L folders: they change like sources do.
std::vector<std::string> Build::library_files() const {
  std::vector<std::string> folders, files;
  for (const std::string& word : request_->flags.clang.link)
    if (word.starts_with("-L")) folders.push_back(word.substr(2));
  for (const std::string& word : request_->flags.clang.link)
    if (word.starts_with("-l"))
      for (const std::string& folder : folders)
        for (const char* extension : {".so", ".a"}) {
          fs::path file = fs::path(folder) / ("lib" + word.substr(2) + extension);
          std::error_code error;
          if (fs::exists(file, error)) files.push_back(file);
        }
  return files;
}

std::string Build::remember(const Cache& cache, const std::string& first_key) const {
  std::set<std::string> paths(link_inputs_.begin(), link_inputs_.end());
  for (const std::string& file : library_files()) paths.insert(file);
  for (const Unit& unit : units_) {
    paths.insert(unit.source);
    for (const fs::path& file : {unit.device_dependencies(), unit.host_dependencies()})
      if (auto rule = read_file(file))
        for (const std::string& path : parse_dependencies(*rule)) {
          // The pointer file is ours and goes away; its content follows from the key.
          if (path != unit.pointer()) paths.insert(path);
        }
  }
  auto files = take_inputs({paths.begin(), paths.end()}, started_);
  if (!files) return "";
  Hasher hash;
  hash.add(first_key);
  for (const InputFile& file : *files) hash.add(file.path).add(file.hash);
  std::string result = hash.hex();

  std::vector<InputVariant> variants{{std::move(*files), result}};
  if (auto text = cache.load("inputs", first_key))
    if (auto older = decode_variants(*text))
      for (InputVariant& variant : *older)
        if (variant.result != result && variants.size() < kMaxVariants) variants.push_back(std::move(variant));
  cache.store("inputs", first_key, encode_variants(variants));
  return result;
}

void Build::work_in(const fs::path& folder) {
  folder_ = folder;
  for (Unit& unit : units_) unit.folder = folder;
}

std::string Build::title(const char* what) const {
  std::string first = units_.empty() ? link_inputs_[0] : fs::path(units_[0].source).filename().string();
  size_t others = units_.empty() ? 0 : units_.size() - 1;
  return fmt::format("{} {}{} ({}, sm_{})", what, first, others ? fmt::format(" and {} more", others) : "",
                     nvcc_ ? "nvcc" : "Clang", architecture_);
}

Result<void> Build::run(const std::vector<Job>& jobs, const char* what) {
  bool slow = false;
  RunOptions options;
  if (request_->on_slow)
    options.on_slow = [&] {
      slow = true;
      request_->on_slow(title(what));
    };
  if (request_->flags.verbose || request_->flags.dry_run)
    for (const Job& job : jobs) request_->say(shell_quoted(job.command) + "\n");
  if (request_->flags.dry_run) return {};
  if (request_->runner) options.runner = [&](const Job& job) { return request_->runner(job, folder_); };
  auto results = run_jobs(jobs, options);
  if (slow && request_->on_done) request_->on_done();
  if (!results) return results.error();

  bool failed = false;
  MessageFilter once;  // both halves of a compilation say most things alike
  std::string messages;
  for (const JobResult& result : *results) {
    failed = failed || result.exit_code != 0;
    messages += once.unseen(result.output);
  }
  if (failed && !header_refused_ && messages.find(".pch'") != messages.npos) {
    header_refused_ = may_retry_ = true;
    return Error{"T0003", "the precompiled header does not fit"};
  }
  if (failed && request_->explain_inputs)
    if (auto error = wrong_main(messages)) return *error;
  if (!messages.empty()) request_->say(messages);
  said_ += messages;
  if (!failed) return {};
  for (const std::string& header : missing_headers(messages))
    if (looks_like_toolkit_header(header) && !nvcc_)
      return Error{"T0007", fmt::format("`{}` comes with NVIDIA's CUDA toolkit{}", header,
                                        find_nvcc() ? ": --compiler=nvcc finds it" : ", and nvcc is not installed")};
  return Error{"T0003", fmt::format("{} failed", title(what))};
}

Result<void> Build::keep_messages() const {
  if (!request_->warn_uninitialised || said_.empty()) return {};
  // What a compiler may have left there under this name is not followed.
  std::error_code error;
  fs::remove(folder_ / kMessages, error);
  return write_file(folder_ / kMessages, said_);
}

void Build::repeat_messages(const fs::path& folder) const {
  if (!request_->warn_uninitialised) return;
  if (auto text = read_file(folder / kMessages)) request_->say(*text);
}

// A program without main(), or with two, in terms of the sources; the linker's message mentions start files.
std::optional<Error> Build::wrong_main(std::string_view messages) const {
  std::vector<std::string> names;
  for (const Unit& unit : units_) names.push_back(fmt::format("`{}`", unit.source));
  for (const std::string& file : link_inputs_) names.push_back(fmt::format("`{}`", file));
  switch (main_function_of(messages)) {
    case MainFunction::Unknown:
      return std::nullopt;
    case MainFunction::Missing:
      if (units_.size() == 1 && link_inputs_.empty() && units_[0].kind == SourceKind::Cuda)
        return Error{"T0011", fmt::format("{} has no main(): is it for the lab? warpwise lab submit {}", names[0],
                                          units_[0].source)};
      if (names.size() == 1) return Error{"T0011", fmt::format("{} has no main()", names[0])};
      return Error{"T0011", fmt::format("none of {} has a main()", fmt::join(names, ", "))};
    case MainFunction::Repeated:
      return Error{"T0012", fmt::format("several of {} define main(): all sources of a command line are one program",
                                        fmt::join(names, ", "))};
  }
  return std::nullopt;
}

bool Build::complete(const fs::path& folder, bool program) {
  work_in(folder);
  std::error_code error;
  if (program && !fs::exists(folder / "program", error)) return false;
  if (nvcc_ && program) return true;
  return std::all_of(units_.begin(), units_.end(),
                     [&](const Unit& u) { return u.kind != SourceKind::Cuda || fs::exists(u.ptx(), error); });
}

Result<void> Build::adapt_sources() {
  if (nvcc_ || request_->flags.dry_run) return {};
  const std::vector<fs::path> folders(request_->flags.include_folders.begin(), request_->flags.include_folders.end());
  for (Unit& unit : units_) {
    if (unit.kind != SourceKind::Cuda) continue;
    unit.texture_references = uses_texture_references(unit.source, folders);
    const std::string text = TRY(read_file(unit.source));
    std::optional<std::string> respelled = spelled_for_clang(text);
    if (!request_->epilogue.empty()) {
      if (!respelled) respelled = text;
      *respelled += fmt::format("\n#line 1 \"{}\"\n{}", kEpilogueName, request_->epilogue);
    }
    unit.respelled = respelled.has_value();
    if (respelled) TRY(write_file(unit.respelling(), *respelled));
  }
  return {};
}

Result<void> Build::make_ptx() {
  TRY(adapt_sources());
  const Route route = this->route();
  std::vector<Job> jobs;
  for (const Unit& unit : units_)
    if (unit.kind == SourceKind::Cuda)
      jobs.push_back(nvcc_ ? nvcc_ptx_job(route, unit) : clang_device_job(route, unit));
  auto made = run(jobs);
  if (refused(made)) return make_ptx();
  return made.ok() ? lower(route) : made;
}

// The second step of Clang's device half, in builds for checkers.
Result<void> Build::lower(const Route& route) {
  if (nvcc_ || !for_check()) return {};
  std::vector<Job> jobs;
  for (const Unit& unit : units_) {
    if (unit.kind != SourceKind::Cuda) continue;
    if (!request_->flags.dry_run)
      TRY(write_file(unit.unoptimised(), keep_undefined_variables(TRY(read_file(unit.unoptimised())))));
    jobs.push_back(clang_lower_job(route, unit));
  }
  return run(jobs);
}

// `embed`: the PTX goes into the object; otherwise a pointer to it does, and both halves compile at once.
Result<void> Build::make_objects(bool embed) {
  if (embed && !nvcc_) TRY(make_ptx());
  auto made = compile_objects(embed);
  return refused(made) ? compile_objects(embed) : made;
}

Result<void> Build::compile_objects(bool embed) {
  TRY(adapt_sources());
  const Route route = this->route();
  std::vector<Job> jobs;
  if (nvcc_) {
    for (const Unit& unit : units_) jobs.push_back(nvcc_compile_job(route, unit));
    return run(jobs);
  }
  for (const Unit& unit : units_) {
    bool cuda = unit.kind == SourceKind::Cuda;
    if (cuda && !embed) {
      jobs.push_back(clang_device_job(route, unit));
      // The runtime gets an address without a length, so the text must mark its own end.
      TRY(write_file(unit.pointer(), fmt::format("warpwise-ptx: {}\n", unit.key) + '\0'));
    } else if (cuda && !request_->flags.dry_run) {
      std::string text = TRY(read_file(unit.ptx()));
      if (!text.ends_with('\0')) TRY(write_file(unit.ptx(), text + '\0'));
    }
    jobs.push_back(clang_host_job(route, unit, cuda ? (embed ? unit.ptx() : unit.pointer()) : fs::path()));
  }
  TRY(run(jobs));
  return embed ? Result<void>() : lower(route);
}

Result<void> Build::link(const fs::path& output) {
  std::vector<std::string> objects;
  for (const Unit& unit : units_) objects.push_back(unit.object());
  for (const std::string& file : link_inputs_) objects.push_back(file);
  // Objects that are named may hold relocatable device code.
  bool device_link = !request_->flags.relocatable.empty() || !link_inputs_.empty();
  return run({nvcc_ ? nvcc_link_job(route(), objects, output, device_link) : clang_link_job(route(), objects, output)},
             "linking");
}

Result<void> Build::link_device_code(const fs::path& output) {
  if (!nvcc_) return Error{"T0006", "`-dlink` needs nvcc: Clang links no device code"};
  std::vector<std::string> objects;
  for (const Unit& unit : units_) objects.push_back(unit.object());
  for (const std::string& file : link_inputs_) objects.push_back(file);
  return run({nvcc_device_link_job(route(), objects, output)}, "linking the device code of");
}

// A name as make reads it in a rule.
std::string escaped_for_make(std::string_view name) {
  std::string out;
  for (char c : name) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

Result<void> Build::write_dependencies(std::span<const Unit> units, const fs::path& target,
                                       const fs::path& file) const {
  const auto& wanted = request_->flags.dependencies;
  std::set<std::string> headers;
  for (const Unit& unit : units)
    for (const fs::path& part : {unit.device_dependencies(), unit.host_dependencies()})
      if (auto rule = read_file(part))
        for (const std::string& path : parse_dependencies(*rule))
          // Files of ours that exist while we compile are not the program's.
          if (!path.starts_with(folder_.string())) headers.insert(path);
  // The target is written as it is given, as gcc's -MT does.
  std::string rule = (wanted.target.empty() ? escaped_for_make(target.string()) : wanted.target) + ":";
  for (const Unit& unit : units) headers.erase(unit.source), rule += " " + escaped_for_make(unit.source);
  for (const std::string& header : headers) rule += fmt::format(" \\\n  {}", escaped_for_make(header));
  rule += "\n";
  if (!wanted.phonies.empty())
    for (const std::string& header : headers) rule += fmt::format("\n{}:\n", escaped_for_make(header));
  return write_file(wanted.file.empty() ? file : fs::path(wanted.file), rule);
}

Result<void> Build::prepare() {
  TRY(choose_compiler(Product::Program));
  return prepare_ahead(plain_route());
}

Result<TemporaryFolder> temporary_folder() {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (!error)
    if (auto folder = TemporaryFolder::create(parent)) return folder;
  return TemporaryFolder::create("/dev/shm");
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

// If the user has not chosen a compiler, nvcc decides: it may compile what Clang refuses (an extension of nvcc, a
// function that our headers lack). If it refuses, too, the mistake is in the program, and Clang's messages are better.
// `make` reports whether it chose nvcc.
template <class Make>
auto with_either_compiler(const BuildRequest& request, Make make) {
  bool by_nvcc = false;
  if (request.compiler != CompilerChoice::Automatic || request.library || !find_clang() || !find_nvcc())
    return make(request, &by_nvcc);
  std::string said, said_by_nvcc;
  BuildRequest attempt = request;
  attempt.say = [&](std::string_view text) { said += text; };
  auto made = make(attempt, &by_nvcc);
  bool refused_by_clang = !by_nvcc && !made && (made.error().code == "T0003" || made.error().code == "T0007");
  if (refused_by_clang) {
    attempt.compiler = CompilerChoice::Nvcc;
    attempt.say = [&](std::string_view text) { said_by_nvcc += text; };
    if (auto again = make(attempt, &by_nvcc)) {
      request.say("warpwise: compiling with nvcc, because Clang refuses the program (--compiler=clang shows why)\n" +
                  said_by_nvcc);
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

Result<Program> build_program_once(const BuildRequest& request, const Cache& cache, bool* by_nvcc) {
  TRY(refuse_dependencies(request.flags));
  TRY(Installation::find().cuda_runtime());  // before anything is compiled in vain
  Build build = TRY(Build::plan(request, Product::Program));
  *by_nvcc = build.uses_nvcc();
  std::string key = TRY(build.key_for("program"));
  if (std::string result = build.find_result(cache, key); !result.empty())
    if (auto folder = cache.find_folder(result); folder && build.complete(*folder, /*program=*/true)) {
      build.repeat_messages(*folder);
      return Program{*folder / "program", build.uses_nvcc() ? fs::path() : *folder, std::nullopt, true,
                     build.uses_nvcc()};
    }

  auto folder = cache.scratch();
  bool cached = folder.ok();
  if (!cached) folder = TRY(temporary_folder());
  build.work_in(folder->path());
  // Without a cache the folder goes away when the program has started, so the PTX must be inside.
  auto made = build.make_objects(/*embed=*/!cached);
  if (!made) return made.error();
  TRY(build.link(folder->path() / "program"));

  if (cached) {
    if (std::string result = build.complete(folder->path(), /*program=*/true) ? build.remember(cache, key) : "";
        !result.empty()) {
      TRY(build.keep_messages());
      keep_only_results(folder->path());
      if (auto kept = cache.store_folder(result, *folder))
        return Program{*kept / "program", build.uses_nvcc() ? fs::path() : *kept, std::nullopt, false,
                       build.uses_nvcc()};
    }
    // It cannot be kept (a source changed during compilation, or the disk is full): make it self-contained and run it
    // from where it is.
    if (!build.uses_nvcc()) {
      TRY(build.make_objects(/*embed=*/true));
      TRY(build.link(folder->path() / "program"));
    }
  }
  Program program{folder->path() / "program", {}, std::nullopt, false, build.uses_nvcc()};
  program.temporary = std::move(*folder);
  return program;
}

Result<std::vector<PtxOfSource>> build_ptx_once(const BuildRequest& request, const Cache& cache, bool* by_nvcc) {
  TRY(refuse_dependencies(request.flags));
  Build build = TRY(Build::plan(request, Product::Ptx));
  *by_nvcc = build.uses_nvcc();
  std::string key = TRY(build.key_for("ptx"));
  std::vector<PtxOfSource> made;
  if (std::string result = build.find_result(cache, key); !result.empty())
    if (auto folder = cache.find_folder(result); folder && build.complete(*folder, /*program=*/false)) {
      build.repeat_messages(*folder);
      for (const Unit& unit : build.units())
        if (unit.kind == SourceKind::Cuda) made.push_back({unit.source, TRY(read_file(unit.ptx()))});
      return made;
    }
  auto folder = cache.scratch();
  if (!folder) folder = TRY(temporary_folder());
  build.work_in(folder->path());
  TRY(build.make_ptx());
  for (const Unit& unit : build.units())
    if (unit.kind == SourceKind::Cuda) made.push_back({unit.source, TRY(read_file(unit.ptx()))});
  if (std::string result = build.remember(cache, key); !result.empty()) {
    TRY(build.keep_messages());
    keep_only_results(folder->path());
    cache.store_folder(result, *folder);
  }
  return made;
}

Result<void> build_files_once(const BuildRequest& request, bool* by_nvcc) {
  const CompilerFlags& flags = request.flags;
  Build build = TRY(Build::plan(request, flags.ptx_only ? Product::Ptx : Product::Program));
  *by_nvcc = build.uses_nvcc();
  bool one_output = build.units().size() == 1 || (!flags.compile_only && !flags.ptx_only) || flags.device_link;
  if (!one_output && !flags.output.empty())
    return Error{"T0005", "`-o` names one file, and several would be made; leave it out"};
  if (!one_output && !flags.dependencies.file.empty())
    return Error{"T0005", "`-MF` names one file, and several would be written; leave it out"};
  if (!flags.dependencies.wanted)
    for (const auto& [word, value] : {std::pair("-MF", flags.dependencies.file),
                                      {"-MT", flags.dependencies.target},
                                      {"-MP", flags.dependencies.phonies}})
      if (!value.empty()) return Error{"T0005", fmt::format("`{}` needs `-MD` or `-MMD`", word)};
  TRY(build.key_for("files"));
  TemporaryFolder folder = TRY(temporary_folder());
  build.work_in(folder.path());
  build.keep_program();
  const bool writes_rules = flags.dependencies.wanted && !flags.dry_run && !build.units().empty();
  if (flags.device_link) return build.link_device_code(flags.output.empty() ? "a_dlink.o" : fs::path(flags.output));

  auto deliver = [&](const fs::path& made, const fs::path& target) -> Result<void> {
    if (flags.dry_run) return {};
    return write_file(target, TRY(read_file(made)));
  };
  if (flags.ptx_only || flags.compile_only) {
    TRY(flags.ptx_only ? build.make_ptx() : build.make_objects(/*embed=*/true));
    for (const Unit& unit : build.units()) {
      fs::path target = flags.output;
      if (target.empty())
        target = fs::path(unit.source).filename().replace_extension(flags.ptx_only ? flags.ptx_extension : ".o");
      TRY(deliver(flags.ptx_only ? unit.ptx() : unit.object(), target));
      if (writes_rules) TRY(build.write_dependencies({&unit, 1}, target, fs::path(target).replace_extension(".d")));
    }
    return {};
  }
  TRY(Installation::find().cuda_runtime());
  TRY(build.make_objects(/*embed=*/true));
  TRY(build.link(flags.output.empty() ? "a.out" : fs::path(flags.output)));
  if (!writes_rules) return {};
  // nvcc names the rule after the output, or each source's after its object. With several sources and one file it keeps
  // the last source's rule alone; ours has them all.
  if (!flags.output.empty() || !flags.dependencies.file.empty()) {
    const fs::path target = flags.output.empty() ? fs::path("a.out") : fs::path(flags.output);
    return build.write_dependencies(build.units(), target, fs::path(target).replace_extension(".d"));
  }
  for (const Unit& unit : build.units()) {
    const fs::path name = fs::path(unit.source).filename();
    TRY(build.write_dependencies({&unit, 1}, fs::path(name).replace_extension(".o"),
                                 fs::path(name).replace_extension(".d")));
  }
  return {};
}

}  // namespace

Result<Program> build_program(const BuildRequest& request, const Cache& cache) {
  return with_either_compiler(
      request, [&](const BuildRequest& r, bool* by_nvcc) { return build_program_once(r, cache, by_nvcc); });
}

Result<std::vector<PtxOfSource>> build_ptx(const BuildRequest& request, const Cache& cache) {
  return with_either_compiler(request,
                              [&](const BuildRequest& r, bool* by_nvcc) { return build_ptx_once(r, cache, by_nvcc); });
}

Result<void> build_files(const BuildRequest& request) { return with_either_compiler(request, build_files_once); }

Result<void> prepare_builds(const BuildRequest& request) {
  TRY(Installation::find().cuda_runtime());
  Build build(request);
  return build.prepare();
}

}  // namespace warpwise::toolchain
