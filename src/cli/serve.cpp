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
              "       warpwise serve [options] FILE.cu [options of trace] [--] [arguments]\n"
              "       warpwise serve [options] --class=NAME --lan");
    app.add_option("path", path_,
                   "a recording, a source, or a folder of them (default: the lab, and the files of this folder)")
        ->type_name("FILE");
    app.add_option("--problems", problems_, "the problems of the lab (default: those of Warpwise; WARPWISE_PROBLEMS)")
        ->type_name("DIR");
    app.add_option("--answer", answer_, "")->check(CLI::IsMember({"diagnose"}))->group("");  // for the page
    app.add_option("--port", port_, "the port of 127.0.0.1 (any that is free)")
        ->check(CLI::Range(0, 65535))
        ->type_name("N");
    app.add_option("--class", class_, "the lab for a class: students join with the code that is printed")
        ->type_name("NAME");
    app.add_flag("--lan", lan_, "with --class: for the machines of your network");
    app.add_option("--class-port", class_port_, "with --class: the port that students type (default: 8642)")
        ->check(CLI::Range(0, 65535))
        ->type_name("N");
    app.footer(
        "\nPrints a link for your browser and serves until ^C. The page is for this machine alone; with --class=NAME "
        "--lan\n"
        "students see the lab, and you see the class, on a page that stays on this machine.\n"
        "\nExamples:\n"
        "  warpwise serve\n"
        "  warpwise serve transpose.cu\n"
        "  warpwise serve race.wwt\n"
        "  warpwise serve --port=8642 .\n"
        "  warpwise serve --class=cs101 --lan\n"
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
    if (class_.empty() && (lan_ || class_port_ != kClassPort))
      return Error{"U0003", "--lan and --class-port go with --class=NAME: the page of one user stays on this machine"};
    const serve::Library library = TRY(serve::Library::open(path_.empty() ? "." : path_));
    std::error_code error;
    serve::ServerOptions options{.page = toolchain::Installation::find().root / "share/warpwise/page",
                                 .program = fs::read_symlink("/proc/self/exe", error),
                                 .trace_words = trace_words_,
                                 .images = toolchain::Installation::find().root / "share/warpwise/images",
                                 .problems = problems_,
                                 .lab_first = path_.empty(),
                                 .port = uint16_t(port_)};
    if (!class_.empty()) options.class_ = {.name = class_, .network = lan_, .port = uint16_t(class_port_)};
    TRY(serve::serve(library, options, [](const serve::Links& links) {
      fmt::print("{}\n", links.own);
      for (const std::string& address : links.for_class) fmt::print("{}  code {}\n", address, links.code);
      std::fflush(stdout);
      if (isatty(STDERR_FILENO))
        fmt::print(stderr, "{}",
                   links.for_class.empty()
                       ? "Open this link in your browser. ^C ends the server.\n"
                       : "The first link is yours alone. Students open the other one, and type the code. ^C "
                         "ends the server.\n");
    }));
    return kSuccess;
  }

 private:
  static constexpr int kClassPort = 8642;
  std::string path_, problems_, answer_, class_;
  int port_ = 0, class_port_ = kClassPort;
  bool lan_ = false;
  Words trace_words_;
};

}  // namespace

std::unique_ptr<Command> make_serve() { return std::make_unique<Serve>(); }

}  // namespace warpwise::cli
