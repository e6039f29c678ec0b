#include "toolchain/compilation.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "toolchain/hash.h"
#include "toolchain/includes.h"
#include "toolchain/inputs.h"
#include "toolchain/messages.h"
#include "toolchain/nvcc_spelling.h"
#include "toolchain/nvidia_libraries.h"
#include "toolchain/openmp.h"
#include "toolchain/precompiled.h"
#include "toolchain/process.h"
#include "toolchain/source_check.h"
#include "toolchain/undefined_variables.h"

namespace warpwise::toolchain {
namespace fs = std::filesystem;
namespace {

// Counts up when a cached result would be wrong for this version although all inputs are the same.
constexpr uint64_t kBuildFormat = 10;

// The clock that file systems stamp with, so that "before we started" can be compared exactly.
int64_t file_clock_now() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
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

}  // namespace

Compilation::Compilation(const BuildRequest& request)
    : request_(&request), installation_(Installation::find()), started_(file_clock_now()) {}

Route Compilation::route(std::initializer_list<Half> halves) {
  Route route = plain_route();
  route.skips_system_headers =
      to_keep_ && request_->flags.dependencies.wanted && !request_->flags.dependencies.system_headers;
  if (nvcc_) return route;
  const bool cuda = std::any_of(units_.begin(), units_.end(), [](const Unit& u) { return u.kind == SourceKind::Cuda; });
  if (cuda && !header_refused_) {
    const bool halfs = all_begin_with(kHalfHeader);
    for (const Half half : halves) {
      fs::path& header = half == Half::Device ? route.device_header : route.host_header;
      if (halfs) header = find_precompiled_header(route, half, kHalfHeader);
      if (header.empty()) header = find_precompiled_header(route, half, kRuntimeHeader);
    }
  }
  route.names_link_libraries = to_keep_;
  // The command line that is shown is the compiler's own, which people and build systems can read.
  if (!to_keep_ && !request_->flags.verbose)
    if (auto words = find_link_words(route)) route.link_words = *words;
  return route;
}

// A folder of -I may hold another header of that name, or of one above it.
bool Compilation::all_begin_with(std::string_view header) const {
  return request_->flags.include_folders.empty() && std::all_of(units_.begin(), units_.end(), [&](const Unit& unit) {
           if (unit.kind != SourceKind::Cuda) return true;
           const auto text = read_file(unit.source);
           return text && begins_with_header(*text, header);
         });
}

bool Compilation::refused(const Result<void>& made) { return !made.ok() && std::exchange(may_retry_, false); }

Result<Compilation> Compilation::plan(const BuildRequest& request, Product product) {
  Compilation build(request);
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

Result<void> Compilation::choose_compiler(Product product) {
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
  if (!nvcc_ && clang && wants_openmp() && !has_openmp(*clang)) {
    if (!forced && nvcc) {
      nvcc_ = true;
      request.say("warpwise: compiling with nvcc, because of OpenMP (with libomp-19-dev Clang has it)\n");
    } else {
      serial_flags_ = without_openmp(request.flags, installation_);
      request.say("warpwise: OpenMP's parallel regions have one thread, because Clang has none here (libomp-19-dev)\n");
    }
  }
  if (nvcc_ && !nvcc) return Error{"T0002", "nvcc is not installed"};
  if (!nvcc_ && !clang) return Error{"T0002", "clang++-19 is not installed"};
  compiler_ = nvcc_ ? *nvcc : *clang;
  architecture_ = nvcc_ ? nvcc_architecture(request.flags, request.device_architecture)
                        : clang_architecture(request.flags, request.device_architecture);
  return {};
}

bool Compilation::wants_openmp() const {
  const std::vector<fs::path> folders(request_->flags.include_folders.begin(), request_->flags.include_folders.end());
  return asks_for_openmp(request_->flags) || std::any_of(units_.begin(), units_.end(), [&](const Unit& unit) {
           return includes_openmp(unit.source, folders);
         });
}

std::string Compilation::settings() const {
  Hasher hash;
  hash.add(kBuildFormat).add(WARPWISE_VERSION);
  hash.add(compiler_.identity)
      .add(architecture_)
      .add(uint64_t{is_for_sm_100(request_->flags, request_->device_architecture)});
  hash.add(uint64_t(request_->purpose)).add(uint64_t{marks_overflow()});
  hash.add(uint64_t{request_->library}).add(request_->epilogue);
  hash.add(uint64_t{request_->warn_uninitialised});
  hash.add(installation_.libraries.string()).add(installation_.headers.string());
  // -MD does not list the device library, so its stamp stands for it.
  if (auto stamp = stamp_of(installation_.device_library)) hash.add(stamp->size).add(uint64_t(stamp->modified_ns));
  const auto& clang = flags().clang;
  const auto& nvcc = flags().nvcc;
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
  return hash.hex();
}

Result<std::string> Compilation::key_for(std::string_view product) {
  const std::string common = settings();
  Hasher program;
  program.add(common).add(product);
  std::set<std::string> keys;
  for (Unit& unit : units_) {
    const std::string text = TRY(read_file(unit.source));
    program.add(unit.source).add(uint64_t(unit.kind)).add(text);
    // Not of the program: others may have the same source. (One that is named twice is two units of this one.)
    Hasher hash;
    unit.key = hash.add(common).add("unit").add(unit.source).add(uint64_t(unit.kind)).add(text).hex();
    if (!keys.insert(unit.key).second) unit.key = Hasher().add(unit.key).add(unit.index).hex();
  }
  for (const std::string& file : link_inputs_) program.add(file);
  return program.hex();
}

std::string Compilation::find_result(const Cache& cache, const std::string& first_key) const {
  auto text = cache.load("inputs", first_key);
  if (!text) return "";
  auto variants = decode_variants(*text);
  if (!variants) return "";
  for (const InputVariant& variant : *variants)
    if (unchanged(variant)) return variant.result;
  return "";
}

// The files that -l names in the user's own -L folders: they change like sources do.
std::vector<std::string> Compilation::library_files() const {
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

std::set<std::string> Compilation::files_read_by(const Unit& unit) const {
  std::set<std::string> paths{unit.source};
  for (const fs::path& file : {unit.device_dependencies(), unit.host_dependencies()})
    if (auto rule = read_file(file))
      for (const std::string& path : parse_dependencies(*rule)) {
        // The pointer file is ours and goes away; its content follows from the key. (Its folder is that of the program
        // for which the unit was compiled.)
        if (fs::path(path).filename() != unit.pointer().filename()) paths.insert(path);
      }
  return paths;
}

std::string Compilation::remember(const Cache& cache, const std::string& first_key) const {
  std::set<std::string> paths(link_inputs_.begin(), link_inputs_.end());
  for (const std::string& file : library_files()) paths.insert(file);
  for (const Unit& unit : units_) paths.merge(files_read_by(unit));
  return remember(cache, first_key, paths);
}

std::string Compilation::remember(const Cache& cache, const std::string& first_key,
                                  const std::set<std::string>& paths) const {
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

namespace {

// A unit's files, by their names in a folder of its own.
std::vector<std::pair<fs::path, const char*>> files_of(const Unit& unit) {
  std::vector<std::pair<fs::path, const char*>> out{{unit.object(), "unit.o"}, {unit.host_dependencies(), "host.d"}};
  if (unit.kind == SourceKind::Cuda) {
    out.emplace_back(unit.ptx(), "unit.ptx");
    out.emplace_back(unit.device_dependencies(), "device.d");
  }
  return out;
}

}  // namespace

void Compilation::take_known_units(const Cache& cache) {
  if (!shares_units()) return;
  for (Unit& unit : units_) {
    const std::string result = find_result(cache, unit.key);
    const auto folder = result.empty() ? std::nullopt : cache.find_folder(result);
    if (!folder) continue;
    const auto files = files_of(unit);
    unit.is_made = std::all_of(files.begin(), files.end(), [&](const auto& file) {
      std::error_code error;
      return fs::copy_file(*folder / file.second, file.first, fs::copy_options::overwrite_existing, error);
    });
  }
}

void Compilation::keep_units(const Cache& cache) const {
  if (!shares_units() || !said_.empty()) return;
  for (const Unit& unit : units_) {
    if (unit.is_made) continue;
    auto folder = cache.scratch();
    if (!folder) return;
    const auto files = files_of(unit);
    const bool copied = std::all_of(files.begin(), files.end(), [&](const auto& file) {
      std::error_code error;
      return fs::copy_file(file.first, folder->path() / file.second, error);
    });
    if (!copied) continue;
    if (const std::string result = remember(cache, unit.key, files_read_by(unit)); !result.empty())
      cache.store_folder(result, *folder);
  }
}

void Compilation::work_in(const fs::path& folder) {
  folder_ = folder;
  for (Unit& unit : units_) unit.folder = folder;
}

std::string Compilation::title(const char* what) const {
  std::string first = units_.empty() ? link_inputs_[0] : fs::path(units_[0].source).filename().string();
  size_t others = units_.empty() ? 0 : units_.size() - 1;
  return fmt::format("{} {}{} ({}, sm_{})", what, first, others ? fmt::format(" and {} more", others) : "",
                     nvcc_ ? "nvcc" : "Clang", architecture_);
}

Result<void> Compilation::run(const std::vector<Job>& jobs, const char* what) {
  bool slow = false;
  RunOptions options;
  if (request_->on_slow)
    options.on_slow = [&] {
      slow = true;
      request_->on_slow(title(what));
    };
  if (request_->on_very_slow) options.on_very_slow = [&] { request_->on_very_slow(title(what)); };
  // nvcc needs a second for the smallest program, and half a minute for one with Thrust.
  options.very_slow = std::chrono::seconds(nvcc_ ? 3 : 10);
  if (request_->flags.verbose || request_->flags.dry_run)
    for (const Job& job : jobs) request_->say(shell_quoted(job.command) + "\n");
  if (request_->flags.dry_run) return {};
  if (request_->runner) options.runner = [&](const Job& job) { return request_->runner(job, folder_); };
  auto results = run_jobs(jobs, options);
  if (slow && request_->on_done) request_->on_done();
  if (!results) return results.error();

  bool failed = false;
  MessageFilter once;  // both halves of a compilation say most things alike
  std::string coloured;
  for (const JobResult& result : *results) {
    failed = failed || result.exit_code != 0;
    coloured += once.unseen(result.output);
  }
  const std::string messages = without_colours(coloured);
  if (failed && !header_refused_ && messages.find(".pch'") != messages.npos) {
    header_refused_ = may_retry_ = true;
    return Error{"T0003", "the precompiled header does not fit"};
  }
  if (failed && request_->explain_inputs)
    if (auto error = wrong_main(messages)) return *error;
  if (!messages.empty()) request_->say(as_wanted(coloured));
  said_ += coloured;
  if (!failed) return {};
  if (auto why = missing_nvidia_library(messages)) return Error{"T0013", *why};
  for (const std::string& header : missing_headers(messages))
    if (looks_like_toolkit_header(header) && !nvcc_)
      return Error{"T0007", fmt::format("`{}` comes with NVIDIA's CUDA toolkit{}", header,
                                        find_nvcc() ? ": --compiler=nvcc finds it" : ", and nvcc is not installed")};
  const std::optional<std::string> advice = advice_on(messages);
  return Error{"T0003", fmt::format("{} failed{}", title(what), advice ? ": " + *advice : "")};
}

// What to add to the command line, where the messages show that something is missing there.
std::optional<std::string> Compilation::advice_on(std::string_view messages) const {
  if (auto library = library_to_link(messages)) return library;
  if (refuses_launch_in_kernel(messages))
    return fmt::format("kernels that launch kernels need -rdc=true{}",
                       find_nvcc() ? "" : ", and nvcc, which is missing");
  return request_->explain_inputs && !request_->library ? function_to_add(messages) : std::nullopt;
}

Result<void> Compilation::keep_messages() const {
  if (!request_->warn_uninitialised || said_.empty()) return {};
  // What a compiler may have left there under this name is not followed.
  std::error_code error;
  fs::remove(folder_ / kMessages, error);
  return write_file(folder_ / kMessages, said_);
}

void Compilation::repeat_messages(const fs::path& folder) const {
  if (!request_->warn_uninitialised) return;
  if (auto text = read_file(folder / kMessages)) request_->say(as_wanted(*text));
}

std::string Compilation::as_wanted(const std::string& messages) const {
  const auto asks_for_colour = [](const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word == "-fcolor-diagnostics" || word.starts_with("-fdiagnostics-color");
    });
  };
  const auto& clang = flags().clang;
  const bool wanted =
      request_->color || asks_for_colour(clang.both) || asks_for_colour(clang.host) || asks_for_colour(clang.device);
  return wanted ? messages : without_colours(messages);
}

// A program without main(), or with two, in terms of the sources; the linker's message mentions start files.
std::optional<Error> Compilation::wrong_main(std::string_view messages) const {
  std::vector<std::string> names;
  for (const Unit& unit : units_) names.push_back(fmt::format("`{}`", unit.source));
  for (const std::string& file : link_inputs_) names.push_back(fmt::format("`{}`", file));
  switch (main_function_of(messages)) {
    case MainFunction::Unknown:
      return std::nullopt;
    case MainFunction::Missing:
      if (units_.size() == 1 && link_inputs_.empty() && units_[0].kind == SourceKind::Cuda)
        return Error{"T0011", fmt::format("{} has no main(): is it for the lab? {}", names[0],
                                          shell_quoted({"warpwise", "lab", "submit", units_[0].source}))};
      if (names.size() == 1) return Error{"T0011", fmt::format("{} has no main()", names[0])};
      return Error{"T0011", fmt::format("none of {} has a main()", fmt::join(names, ", "))};
    case MainFunction::Repeated:
      return Error{"T0012", fmt::format("several of {} define main(): all sources of a command line are one program",
                                        fmt::join(names, ", "))};
  }
  return std::nullopt;
}

bool Compilation::complete(const fs::path& folder, bool program) {
  work_in(folder);
  std::error_code error;
  if (program && !fs::exists(folder / "program", error)) return false;
  if (nvcc_ && program) return true;
  return std::all_of(units_.begin(), units_.end(),
                     [&](const Unit& u) { return u.kind != SourceKind::Cuda || fs::exists(u.ptx(), error); });
}

Result<void> Compilation::adapt_sources() {
  if (nvcc_ || request_->flags.dry_run) return {};
  const std::vector<fs::path> folders(request_->flags.include_folders.begin(), request_->flags.include_folders.end());
  for (Unit& unit : units_) {
    if (unit.kind != SourceKind::Cuda || unit.is_made) continue;
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

Result<void> Compilation::make_ptx() {
  TRY(adapt_sources());
  const Route route = this->route({Half::Device});
  std::vector<Job> jobs;
  for (const Unit& unit : units_)
    if (unit.kind == SourceKind::Cuda)
      jobs.push_back(nvcc_ ? nvcc_ptx_job(route, unit) : clang_device_job(route, unit));
  auto made = run(jobs);
  if (refused(made)) return make_ptx();
  return made.ok() ? lower() : made;
}

// The second step of Clang's device half, in builds for checkers.
Result<std::vector<Job>> Compilation::lower_jobs() {
  std::vector<Job> jobs;
  if (nvcc_ || !for_check()) return jobs;
  const Route route = plain_route();
  for (const Unit& unit : units_) {
    if (unit.kind != SourceKind::Cuda || unit.is_made) continue;
    if (!request_->flags.dry_run)
      TRY(write_file(unit.unoptimised(), keep_undefined_variables(TRY(read_file(unit.unoptimised())))));
    jobs.push_back(clang_lower_job(route, unit));
  }
  return jobs;
}

Result<void> Compilation::lower() {
  const std::vector<Job> jobs = TRY(lower_jobs());
  return jobs.empty() ? Result<void>() : run(jobs);
}

// `embed`: the PTX goes into the object; otherwise a pointer to it does, and both halves compile at once.
Result<void> Compilation::make_objects(bool embed) {
  TRY(compile_halves(embed));
  return embed ? Result<void>() : lower();
}

Result<void> Compilation::compile_halves(bool embed) {
  if (embed)
    for (Unit& unit : units_) unit.is_made = false;  // its object points to its PTX
  if (embed && !nvcc_) TRY(make_ptx());
  auto made = compile_units(embed);
  return refused(made) ? compile_units(embed) : made;
}

Result<void> Compilation::compile_units(bool embed) {
  TRY(adapt_sources());
  const Route route = embed ? this->route({Half::Host}) : this->route({Half::Device, Half::Host});
  std::vector<Job> jobs;
  if (nvcc_) {
    for (const Unit& unit : units_) jobs.push_back(nvcc_compile_job(route, unit));
    return run(jobs);
  }
  for (const Unit& unit : units_) {
    if (unit.is_made) continue;
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
  return run(jobs);
}

Job Compilation::link_job(const fs::path& output) {
  std::vector<std::string> objects;
  for (const Unit& unit : units_) objects.push_back(unit.object());
  for (const std::string& file : link_inputs_) objects.push_back(file);
  // Objects that are named may hold relocatable device code.
  bool device_link = !request_->flags.relocatable.empty() || !link_inputs_.empty();
  return nvcc_ ? nvcc_link_job(route({}), objects, output, device_link) : clang_link_job(route({}), objects, output);
}

Result<void> Compilation::link(const fs::path& output) { return run({link_job(output)}, "linking"); }

// The second step of the device half and the link need nothing of each other: they run side by side.
Result<void> Compilation::make_program(bool embed, const fs::path& output) {
  TRY(compile_halves(embed));
  std::vector<Job> jobs;
  if (!embed) jobs = TRY(lower_jobs());
  if (jobs.empty()) return link(output);
  jobs.push_back(link_job(output));
  return run(jobs);
}

Result<void> Compilation::link_device_code(const fs::path& output) {
  if (!nvcc_) return Error{"T0006", "`-dlink` needs nvcc: Clang links no device code"};
  std::vector<std::string> objects;
  for (const Unit& unit : units_) objects.push_back(unit.object());
  for (const std::string& file : link_inputs_) objects.push_back(file);
  return run({nvcc_device_link_job(route({}), objects, output)}, "linking the device code of");
}

Result<void> Compilation::write_dependencies(std::span<const Unit> units, const fs::path& target,
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

Result<void> Compilation::prepare() {
  TRY(choose_compiler(Product::Program));
  return prepare_ahead(plain_route());
}

Result<bool> Compilation::is_prepared() {
  TRY(choose_compiler(Product::Program));
  return is_prepared_ahead(plain_route());
}

}  // namespace warpwise::toolchain
