// warpwise serve: the page. The lab in a browser, recordings of `warpwise trace`, and recordings made of sources.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "cli/command.h"
#include "cli/support/help_format.h"
#include "serve/lab/diagnoses.h"
#include "serve/server.h"
#include "toolchain/installation.h"

namespace warpwise::cli {
namespace {

namespace fs = std::filesystem;

class Serve : public Command {
 public:
  void declare(CLI::App& app) override {
    set_usage(app,
              "warpwise serve [options] [FILE.wwt|FOLDER]\n"
              "       warpwise serve [options] FILE.cu [options of trace] [--] [arguments]");
    app.add_option("path", path_,
                   "a recording, a source, or a folder of them (default: the lab, and the files of this folder)")
        ->type_name("FILE");
    app.add_option("--problems", problems_, "the problems of the lab (default: those of Warpwise; WARPWISE_PROBLEMS)")
        ->type_name("DIR");
    app.add_option("--answer", answer_, "")->check(CLI::IsMember({"diagnose"}))->group("");  // for the page
    app.add_option("--port", port_, "the port of 127.0.0.1 (any that is free)")
        ->check(CLI::Range(0, 65535))
        ->type_name("N");
    app.footer(
        "\nPrints a link for your browser and serves until ^C. The page is for this machine alone.\n"
        "\nExamples:\n"
        "  warpwise serve\n"
        "  warpwise serve transpose.cu\n"
        "  warpwise serve race.wwt\n"
        "  warpwise serve --port=8642 .\n"
        "  warpwise serve reduce.cu --kernel=reduce --block=3 -- 4096");
  }

  // What follows a source is for `warpwise trace`, but for our own options.
  Result<Words> own_words(const CLI::App& app, Words words) override {
    Words own;
    bool source = false;
    for (size_t n = 0; n < words.size(); ++n) {
      const std::string& word = words[n];
      const std::string name = word.substr(0, word.find('='));
      const CLI::Option* option = word[0] == '-' && trace_words_.empty() ? app.get_option_no_throw(name) : nullptr;
      if (source && !option) {
        trace_words_.push_back(word);
        continue;
      }
      own.push_back(word);
      const bool value_follows = option && option->get_items_expected_max() > 0 && name == word;
      if (value_follows && n + 1 < words.size()) own.push_back(words[++n]);
      source = source || (!option && word.ends_with(".cu"));
    }
    return own;
  }

  Result<int> run() override {
    if (!answer_.empty()) {
      serve::answer_diagnoses(STDIN_FILENO);
      return kSuccess;
    }
    const serve::Library library = TRY(serve::Library::open(path_.empty() ? "." : path_));
    std::error_code error;
    const serve::ServerOptions options{.page = toolchain::Installation::find().root / "share/warpwise/page",
                                       .program = fs::read_symlink("/proc/self/exe", error),
                                       .trace_words = trace_words_,
                                       .images = toolchain::Installation::find().root / "share/warpwise/images",
                                       .problems = problems_,
                                       .lab_first = path_.empty(),
                                       .port = uint16_t(port_)};
    TRY(serve::serve(library, options, [](const std::string& link) {
      fmt::print("{}\n", link);
      std::fflush(stdout);
      if (isatty(STDERR_FILENO)) fmt::print(stderr, "Open this link in your browser. ^C ends the server.\n");
    }));
    return kSuccess;
  }

 private:
  std::string path_, problems_, answer_;
  int port_ = 0;
  Words trace_words_;
};

}  // namespace

std::unique_ptr<Command> make_serve() { return std::make_unique<Serve>(); }

}  // namespace warpwise::cli
