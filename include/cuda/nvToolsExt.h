// NVTX, annotations for profilers: `warpwise profile` shows them in its report and in its timeline. Without a profiler
// each call costs one test and does nothing. Colours, categories, payloads and names of threads and objects are
// accepted and not shown.
//
// The functions are inline, as in NVTX 3. libnvToolsExt, for programs that were linked with NVIDIA's, is also made from
// this header (src/cuda/nvtx/nv_tools_ext.cpp).
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef struct nvtxResourceHandle* nvtxResourceHandle_t;
enum { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 };
enum { NVTX_MESSAGE_UNKNOWN = 0, NVTX_MESSAGE_TYPE_ASCII = 1, NVTX_MESSAGE_TYPE_UNICODE = 2, NVTX_MESSAGE_TYPE_REGISTERED = 3 };
enum {
  NVTX_PAYLOAD_UNKNOWN = 0, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1, NVTX_PAYLOAD_TYPE_INT64 = 2, NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4, NVTX_PAYLOAD_TYPE_INT32 = 5, NVTX_PAYLOAD_TYPE_FLOAT = 6
};
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union payload_t { uint64_t ullValue; int64_t llValue; double dValue; uint32_t uiValue; int32_t iValue; float fValue; } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

// Warpwise's runtime library receives them (src/cuda/runtime/nvtx/nvtx.cpp); in a program without it they are ignored.
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    __attribute__((weak)) uint64_t warpwise_nvtx(int what, const void* domain, int message_type, const void* message, uint64_t id);

#ifndef WARPWISE_NVTX_FUNCTION
#define WARPWISE_NVTX_FUNCTION static inline
#endif
enum { WARPWISE_NVTX_PUSH, WARPWISE_NVTX_POP, WARPWISE_NVTX_START, WARPWISE_NVTX_END, WARPWISE_NVTX_MARK, WARPWISE_NVTX_REGISTER };

static inline uint64_t warpwise_nvtx_call(int what, const void* domain, int message_type, const void* message, uint64_t id, uint64_t otherwise) {
  return warpwise_nvtx ? warpwise_nvtx(what, domain, message_type, message, id) : otherwise;
}
static inline uint64_t warpwise_nvtx_event(int what, const void* domain, const nvtxEventAttributes_t* a, uint64_t otherwise) {
  return warpwise_nvtx_call(what, domain, a ? a->messageType : NVTX_MESSAGE_UNKNOWN, a ? (const void*)a->message.ascii : (const void*)0, 0, otherwise);
}
#define WARPWISE_NVTX_A(what, text, otherwise) warpwise_nvtx_call(what, 0, NVTX_MESSAGE_TYPE_ASCII, text, 0, otherwise)
#define WARPWISE_NVTX_W(what, text, otherwise) warpwise_nvtx_call(what, 0, NVTX_MESSAGE_TYPE_UNICODE, text, 0, otherwise)
#define WARPWISE_NVTX_DEPTH ((uint64_t)NVTX_NO_PUSH_POP_TRACKING)

WARPWISE_NVTX_FUNCTION void nvtxInitialize(const void* reserved) { (void)reserved; }

// Ranges that nest on a thread; the result is the depth, counted from 0.
WARPWISE_NVTX_FUNCTION int nvtxRangePushEx(const nvtxEventAttributes_t* attributes) {
  return (int)warpwise_nvtx_event(WARPWISE_NVTX_PUSH, 0, attributes, WARPWISE_NVTX_DEPTH);
}
WARPWISE_NVTX_FUNCTION int nvtxRangePushA(const char* message) { return (int)WARPWISE_NVTX_A(WARPWISE_NVTX_PUSH, message, WARPWISE_NVTX_DEPTH); }
WARPWISE_NVTX_FUNCTION int nvtxRangePushW(const wchar_t* message) { return (int)WARPWISE_NVTX_W(WARPWISE_NVTX_PUSH, message, WARPWISE_NVTX_DEPTH); }
WARPWISE_NVTX_FUNCTION int nvtxRangePop(void) { return (int)warpwise_nvtx_call(WARPWISE_NVTX_POP, 0, 0, 0, 0, WARPWISE_NVTX_DEPTH); }
// Ranges that any thread can end, by their number.
WARPWISE_NVTX_FUNCTION nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t* attributes) { return warpwise_nvtx_event(WARPWISE_NVTX_START, 0, attributes, 0); }
WARPWISE_NVTX_FUNCTION nvtxRangeId_t nvtxRangeStartA(const char* message) { return WARPWISE_NVTX_A(WARPWISE_NVTX_START, message, 0); }
WARPWISE_NVTX_FUNCTION nvtxRangeId_t nvtxRangeStartW(const wchar_t* message) { return WARPWISE_NVTX_W(WARPWISE_NVTX_START, message, 0); }
WARPWISE_NVTX_FUNCTION void nvtxRangeEnd(nvtxRangeId_t id) { warpwise_nvtx_call(WARPWISE_NVTX_END, 0, 0, 0, id, 0); }
WARPWISE_NVTX_FUNCTION void nvtxMarkEx(const nvtxEventAttributes_t* attributes) { warpwise_nvtx_event(WARPWISE_NVTX_MARK, 0, attributes, 0); }
WARPWISE_NVTX_FUNCTION void nvtxMarkA(const char* message) { WARPWISE_NVTX_A(WARPWISE_NVTX_MARK, message, 0); }
WARPWISE_NVTX_FUNCTION void nvtxMarkW(const wchar_t* message) { WARPWISE_NVTX_W(WARPWISE_NVTX_MARK, message, 0); }

WARPWISE_NVTX_FUNCTION void nvtxNameCategoryA(uint32_t category, const char* name) { (void)category, (void)name; }
WARPWISE_NVTX_FUNCTION void nvtxNameCategoryW(uint32_t category, const wchar_t* name) { (void)category, (void)name; }
WARPWISE_NVTX_FUNCTION void nvtxNameOsThreadA(uint32_t thread, const char* name) { (void)thread, (void)name; }
WARPWISE_NVTX_FUNCTION void nvtxNameOsThreadW(uint32_t thread, const wchar_t* name) { (void)thread, (void)name; }

// Domains separate the ranges of libraries from a program's: the domain's name precedes those of its ranges.
WARPWISE_NVTX_FUNCTION nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* text) {
  return (nvtxStringHandle_t)warpwise_nvtx_call(WARPWISE_NVTX_REGISTER, domain, NVTX_MESSAGE_TYPE_ASCII, text, 0, 0);
}
WARPWISE_NVTX_FUNCTION nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t* text) {
  return (nvtxStringHandle_t)warpwise_nvtx_call(WARPWISE_NVTX_REGISTER, domain, NVTX_MESSAGE_TYPE_UNICODE, text, 0, 0);
}
WARPWISE_NVTX_FUNCTION nvtxDomainHandle_t nvtxDomainCreateA(const char* name) { return (nvtxDomainHandle_t)WARPWISE_NVTX_A(WARPWISE_NVTX_REGISTER, name, 0); }
WARPWISE_NVTX_FUNCTION nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t* name) { return (nvtxDomainHandle_t)WARPWISE_NVTX_W(WARPWISE_NVTX_REGISTER, name, 0); }
WARPWISE_NVTX_FUNCTION void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
WARPWISE_NVTX_FUNCTION int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  return (int)warpwise_nvtx_event(WARPWISE_NVTX_PUSH, domain, attributes, WARPWISE_NVTX_DEPTH);
}
WARPWISE_NVTX_FUNCTION int nvtxDomainRangePop(nvtxDomainHandle_t domain) { return (int)warpwise_nvtx_call(WARPWISE_NVTX_POP, domain, 0, 0, 0, WARPWISE_NVTX_DEPTH); }
WARPWISE_NVTX_FUNCTION nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  return warpwise_nvtx_event(WARPWISE_NVTX_START, domain, attributes, 0);
}
WARPWISE_NVTX_FUNCTION void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id) { warpwise_nvtx_call(WARPWISE_NVTX_END, domain, 0, 0, id, 0); }
WARPWISE_NVTX_FUNCTION void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) { warpwise_nvtx_event(WARPWISE_NVTX_MARK, domain, attributes, 0); }
WARPWISE_NVTX_FUNCTION void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char* name) { (void)domain, (void)category, (void)name; }
WARPWISE_NVTX_FUNCTION void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category, const wchar_t* name) { (void)domain, (void)category, (void)name; }
WARPWISE_NVTX_FUNCTION nvtxResourceHandle_t nvtxDomainResourceCreate(nvtxDomainHandle_t domain, void* attributes) { return (void)domain, (void)attributes, (nvtxResourceHandle_t)0; }
WARPWISE_NVTX_FUNCTION void nvtxDomainResourceDestroy(nvtxResourceHandle_t resource) { (void)resource; }

#ifdef UNICODE
#define nvtxRangePush nvtxRangePushW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxMark nvtxMarkW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#define nvtxDomainCreate nvtxDomainCreateW
#define nvtxDomainRegisterString nvtxDomainRegisterStringW
#define nvtxDomainNameCategory nvtxDomainNameCategoryW
#else
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA
#endif
