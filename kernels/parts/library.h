// A library that is opened at run time, for peers: nothing needs it to build.
//
//     static const Library cublas({"libcublas.so.13", "libcublas.so.12"});
//     static auto create = cublas.function<int(void**)>("cublasCreate_v2");
//
// `warpwise bench` has looked for the library before it starts a peer. Where it is not there all the same, or lacks a
// function, the process says so and ends. CUDA must have been called before, so that the library finds the same driver.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

class Library {
 public:
  explicit Library(std::initializer_list<const char*> names) : name_(*names.begin()) {
    for (const char* name : names)
      if ((library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL))) return;
    std::fprintf(stderr, "%s is not there\n", name_);
    std::exit(1);
  }

  template <class Function>
  Function* function(const char* name) const {
    void* found = dlsym(library_, name);
    if (!found) {
      std::fprintf(stderr, "%s has no %s\n", name_, name);
      std::exit(1);
    }
    return reinterpret_cast<Function*>(found);
  }

 private:
  const char* name_;
  void* library_ = nullptr;
};
