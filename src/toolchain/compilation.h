// One compilation: what is asked, by which compiler, into which folder. build.h says in which order its steps are
// taken.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "toolchain/build.h"
#include "toolchain/cache.h"
#include "toolchain/installation.h"
#include "toolchain/process.h"
#include "toolchain/route.h"

namespace warpwise::toolchain {

// What is to be made: something to run or to link, or PTX alone.
enum class Product { Program, Ptx };

// In the folder of a result: what the compilers said.
inline constexpr const char* kMessages = "messages";

class Compilation {
 public:
  explicit Compilation(const BuildRequest& request);
  static Result<Compilation> plan(const BuildRequest& request, Product product);

  // The first key: everything known before compiling. `product` distinguishes a program from its PTX.
  Result<std::string> key_for(std::string_view product);
  // The key of a result whose inputs are all unchanged; "" when there is none.
  std::string find_result(const Cache& cache, const std::string& first_key) const;
  // Notes what was read, and gives the result its key; "" when the result must not be kept.
  std::string remember(const Cache& cache, const std::string& first_key) const;

  // Programs of several sources often share some: a ladder's steps their reference, a benchmark's versions its main().
  // Takes the objects and PTX of sources that were compiled before, as these would be now; they are not compiled again.
  void take_known_units(const Cache& cache);
  // Keeps those of the others for programs to come. Nothing is kept of what a compiler had something to say about: it
  // would not say it again.
  void keep_units(const Cache& cache) const;

  void work_in(const std::filesystem::path& folder);
  // Whether `folder` holds all results of the units: a program compiled by Clang runs nothing without the PTX that it
  // points to.
  bool complete(const std::filesystem::path& folder, bool program);
  Result<void> make_ptx();
  Result<void> make_objects(bool embed);
  // For a build without sources: the work that later builds find done, and whether they do.
  Result<void> prepare();
  Result<bool> is_prepared();
  Result<void> link(const std::filesystem::path& output);
  // The objects, and the program of them.
  Result<void> make_program(bool embed, const std::filesystem::path& output);
  // -dlink, which nvcc alone can.
  Result<void> link_device_code(const std::filesystem::path& output);
  // -MD, -MMD: the make rule of what was made of these units.
  Result<void> write_dependencies(std::span<const Unit> units, const std::filesystem::path& target,
                                  const std::filesystem::path& file) const;
  void keep_program() { to_keep_ = true; }
  // What compilers have said, in the folder of the result, for those who want it again.
  Result<void> keep_messages() const;
  void repeat_messages(const std::filesystem::path& folder) const;

  bool uses_nvcc() const { return nvcc_; }
  std::vector<Unit>& units() { return units_; }

 private:
  Result<void> choose_compiler(Product product);
  Result<void> run(const std::vector<Job>& jobs, const char* what = "compiling");
  std::optional<Error> wrong_main(std::string_view messages) const;
  std::optional<std::string> advice_on(std::string_view messages) const;
  Route plain_route() const {
    return {.installation = installation_,
            .flags = flags(),
            .compiler = compiler_,
            .architecture = architecture_,
            .for_sm_100 = is_for_sm_100(request_->flags, request_->device_architecture),
            .for_check = for_check(),
            .mark_overflow = marks_overflow(),
            .warn_uninitialised = request_->warn_uninitialised,
            .for_library = request_->library};
  }
  // The precompiled parts are looked up only when something must be compiled, of the halves that will be: that asks for
  // the stamps of some hundred files.
  Route route(std::initializer_list<Half> halves);
  bool all_begin_with(std::string_view header) const;  // the CUDA sources
  Result<void> compile_halves(bool embed);
  Result<void> compile_units(bool embed);
  // What Clang needs and nvcc does not, source by source: its own spelling of launches, our header of texture
  // references.
  Result<void> adapt_sources();
  Result<std::vector<Job>> lower_jobs();
  Result<void> lower();
  Job link_job(const std::filesystem::path& output);
  // Clang refused a precompiled header, for which it has more reasons than we test: use the text.
  bool refused(const Result<void>& made);
  const CompilerFlags& flags() const { return serial_flags_ ? *serial_flags_ : request_->flags; }
  bool wants_openmp() const;
  bool for_check() const { return request_->purpose == BuildPurpose::Check; }
  bool marks_overflow() const { return request_->mark_overflow && for_check() && !nvcc_; }
  // What compilers have said, in colour, or without where it goes to no terminal.
  std::string as_wanted(const std::string& messages) const;
  std::string title(const char* what) const;
  std::vector<std::string> library_files() const;
  // What decides a result beside sources and headers.
  std::string settings() const;
  // Programs whose sources are worth keeping apart.
  bool shares_units() const { return !nvcc_ && !request_->library && !request_->flags.dry_run && units_.size() > 1; }
  std::set<std::string> files_read_by(const Unit& unit) const;
  std::string remember(const Cache& cache, const std::string& first_key, const std::set<std::string>& paths) const;

  const BuildRequest* request_;
  std::optional<CompilerFlags> serial_flags_;  // the request's, where Clang has no OpenMP (openmp.h)
  Installation installation_;
  Tool compiler_;
  bool nvcc_ = false;
  std::string architecture_;
  std::filesystem::path folder_;  // where everything is written
  std::vector<Unit> units_;
  std::vector<std::string> link_inputs_;  // objects and libraries that the user named
  int64_t started_;                       // by the clock that file systems stamp with
  std::string said_;                      // by compilers
  bool header_refused_ = false, may_retry_ = false;
  bool to_keep_ = false;  // programs, objects and PTX where the flags say: `warpwise nvcc`
};

}  // namespace warpwise::toolchain
