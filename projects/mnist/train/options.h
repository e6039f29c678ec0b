// The words of a command line: --name=value, or words without dashes. An option that the command does not know is an error.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "../error.h"
#include "../steps/step.h"

#ifndef MNIST_DEFAULT_STEP
#define MNIST_DEFAULT_STEP 1
#endif

namespace mnist {

class Options {
 public:
  Options(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      std::string word = argv[i];
      if (word.rfind("--", 0) != 0) {
        words.push_back(word);
        continue;
      }
      size_t equals = word.find('=');
      values_[word.substr(2, equals == std::string::npos ? equals : equals - 2)] = equals == std::string::npos ? "" : word.substr(equals + 1);
    }
  }

  std::string text(const std::string& name, const std::string& otherwise) {
    auto found = values_.find(name);
    if (found == values_.end()) return otherwise;
    std::string value = found->second;
    values_.erase(found);
    if (value.empty()) fail("--%s needs a value: --%s=…", name.c_str(), name.c_str());
    return value;
  }
  double number(const std::string& name, double otherwise, double least, double most) {
    std::string value = text(name, "");
    if (value.empty()) return otherwise;
    char* end;
    double n = std::strtod(value.c_str(), &end);
    if (*end || !(n >= least && n <= most)) fail("--%s=%s: a number from %g to %g is expected", name.c_str(), value.c_str(), least, most);
    return n;
  }
  int count(const std::string& name, int otherwise, int least, int most) {
    double n = number(name, otherwise, least, most);
    if (n != int(n)) fail("--%s: a whole number is expected", name.c_str());
    return int(n);
  }
  int step() { return count("step", MNIST_DEFAULT_STEP, 0, all_steps().back().number); }
  Precision precision() {
    std::string name = text("precision", "fp32");
    for (Precision p : {Precision::Fp32, Precision::Tf32, Precision::Bf16})
      if (name == name_of(p)) return p;
    fail("--precision=%s: there are fp32, tf32 and bf16", name.c_str());
  }
  // After all that is known was asked for.
  void finish(size_t words_allowed = 0) {
    if (!values_.empty()) fail("--%s is not an option of this command; `mnist help` lists them", values_.begin()->first.c_str());
    if (words.size() > words_allowed) fail("`%s` is one word too many; `mnist help` shows what there is", words.back().c_str());
  }

  std::vector<std::string> words;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace mnist
