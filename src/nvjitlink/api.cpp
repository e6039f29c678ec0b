// The functions that libnvJitLink exports.
//
// NVIDIA's header renames them to names with a version (__nvJitLinkCreate_12_4), so that a program gets the library
// that it was compiled for. All versions are the same functions here; each name is an alias.
#include <cstring>
#include <memory>

#include "base/live_handles.h"
#include "nvjitlink/linker.h"

namespace {

using Linkers = warpwise::LiveHandles<nvJitLink>;

// No exception may reach the program.
template <class Body>
nvJitLinkResult guarded(Body&& body) {
  try {
    return body();
  } catch (...) {
    return NVJITLINK_ERROR_INTERNAL;
  }
}

// For a linker that exists.
template <class Body>
nvJitLinkResult with(nvJitLinkHandle linker, Body&& body) {
  if (!linker) return NVJITLINK_ERROR_NULL_INPUT;
  if (!Linkers::instance().contains(linker)) return NVJITLINK_ERROR_INVALID_INPUT;
  return guarded([&] { return body(*linker); });
}

// A text is returned in two calls: first its size, including the terminating zero, then the text. An empty log has size
// 0.
nvJitLinkResult size_of(const std::string& text, size_t* size) {
  if (!size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = text.empty() ? 0 : text.size() + 1;
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult copy_of(const std::string& text, void* out) {
  if (!out) return NVJITLINK_ERROR_NULL_INPUT;
  if (!text.empty()) std::memcpy(out, text.c_str(), text.size() + 1);
  return NVJITLINK_SUCCESS;
}

// The result of linking, requested as PTX or as a cubin. -ptx decided which of the two exists.
template <class Body>
nvJitLinkResult with_linked(nvJitLinkHandle handle, bool as_ptx, Body&& body) {
  return with(handle, [&](nvJitLink& linker) {
    if (as_ptx && !linker.options.ptx) return NVJITLINK_ERROR_INVALID_INPUT;
    if (linker.linked.empty() || linker.options.ptx != as_ptx) return NVJITLINK_ERROR_INTERNAL;
    return body(linker.linked);
  });
}

}  // namespace

#pragma GCC visibility push(default)

nvJitLinkResult nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
  if (!major || !minor) return NVJITLINK_ERROR_NULL_INPUT;
  *major = 13;
  *minor = 0;
  return NVJITLINK_SUCCESS;
}

// A linker is created even for wrong options, so that its log can say what is wrong with them.
nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle* handle, uint32_t count, const char** options) {
  if (!handle || !options) return NVJITLINK_ERROR_NULL_INPUT;
  return guarded([&] {
    auto linker = std::make_unique<nvJitLink>();
    const nvJitLinkResult result = warpwise::nvjitlink::parse_options({options, count}, &linker->options);
    if (result == NVJITLINK_ERROR_NULL_INPUT) return result;
    if (result != NVJITLINK_SUCCESS)
      linker->errors = "nvJitLinkCreate: the options are invalid or contradict each other\n";
    Linkers::instance().add(linker.get());
    *handle = linker.release();
    return result;
  });
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle* handle) {
  if (!handle || !*handle) return NVJITLINK_ERROR_NULL_INPUT;
  if (!Linkers::instance().remove(*handle)) return NVJITLINK_ERROR_INVALID_INPUT;
  delete *handle;
  *handle = nullptr;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void* data, size_t size,
                                 const char* name) {
  return with(handle, [&](nvJitLink& linker) {
    if (!data) return NVJITLINK_ERROR_NULL_INPUT;
    return linker.add(type, {static_cast<const char*>(data), size}, name && *name ? name : "input");
  });
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char* path) {
  return with(handle,
              [&](nvJitLink& linker) { return path ? linker.add_file(type, path) : NVJITLINK_ERROR_NULL_INPUT; });
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle) {
  return with(handle, [](nvJitLink& linker) { return linker.complete(); });
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t* size) {
  return with_linked(handle, /*as_ptx=*/false, [&](const std::string& text) { return size_of(text, size); });
}
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void* cubin) {
  return with_linked(handle, /*as_ptx=*/false, [&](const std::string& text) { return copy_of(text, cubin); });
}
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t* size) {
  return with_linked(handle, /*as_ptx=*/true, [&](const std::string& text) { return size_of(text, size); });
}
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char* ptx) {
  return with_linked(handle, /*as_ptx=*/true, [&](const std::string& text) { return copy_of(text, ptx); });
}

nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t* size) {
  return with(handle, [&](nvJitLink& linker) { return size_of(linker.errors, size); });
}
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char* log) {
  return with(handle, [&](nvJitLink& linker) { return copy_of(linker.errors, log); });
}

// The log contains errors alone.
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t* size) {
  return with(handle, [&](nvJitLink&) { return size_of({}, size); });
}
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char* log) {
  return with(handle, [&](nvJitLink&) { return copy_of({}, log); });
}

// The versioned names: those of each release of CUDA 12 and 13.
extern "C" {
#define NVJITLINK_NAMED(name, version) extern decltype(name) __##name##_##version __attribute__((alias(#name)));
// clang-format off
#define NVJITLINK(name, parameters) \
  NVJITLINK_NAMED(name, 12_0) NVJITLINK_NAMED(name, 12_1) NVJITLINK_NAMED(name, 12_2) NVJITLINK_NAMED(name, 12_3) \
  NVJITLINK_NAMED(name, 12_4) NVJITLINK_NAMED(name, 12_5) NVJITLINK_NAMED(name, 12_6) NVJITLINK_NAMED(name, 12_7) \
  NVJITLINK_NAMED(name, 12_8) NVJITLINK_NAMED(name, 12_9) NVJITLINK_NAMED(name, 13_0) NVJITLINK_NAMED(name, 13_1)
// clang-format on
#include "warpwise/nvjitlink_api.inc"
#undef NVJITLINK
}

#pragma GCC visibility pop
