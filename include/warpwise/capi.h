/* The C interface of Warpwise: CUDA sources as functions that a running process calls, on a virtual GPU inside it.
 *
 *     ww_gpu* gpu;
 *     ww_error* error = ww_gpu_open("{\"device\": \"h100\"}", &gpu);
 *     ww_source source = {.path = "scale.cu"};
 *     ww_library* library;
 *     error = ww_library_load(gpu, &source, &library);
 *     ww_argument arguments[] = {{(uint64_t)values, 4096, WW_READ_WRITE}, {.kind = WW_VALUE}};
 *     memcpy(&arguments[1].value, &factor, sizeof factor);
 *     ww_launch launch = {.grid = {8, 1, 1}, .block = {128, 1, 1}};
 *     error = ww_call(gpu, library, 0, &launch, arguments, 2, NULL, NULL);
 *
 * It is what other languages are bound to (python/warpwise). Structures grow at their end alone, functions keep their
 * meaning, and WW_CAPI_VERSION rises when either is not so.
 *
 * Errors. A function that can fail returns null, or an error that the caller frees with ww_error_free. No exception
 * leaves a function. Texts are UTF-8; `char*` without const is the caller's, to be freed with ww_text_free.
 *
 * Threads. Every function may be called from any thread; calls that use the GPU run one after the other.
 *
 * The process has one GPU, which is also the one that the CUDA runtime of its libraries sees.
 */
#ifndef WARPWISE_CAPI_H
#define WARPWISE_CAPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

#define WW_CAPI_VERSION 1

typedef struct ww_error ww_error;
typedef struct ww_gpu ww_gpu;
typedef struct ww_library ww_library;

int ww_capi_version(void);
/* The version of Warpwise: "0.1.0". */
const char* ww_version(void);
void ww_text_free(char* text);

/* "cudaErrorIllegalAddress", "T0003", ...: what `warpwise explain CODE` explains. "U0031": ^C ended a kernel. */
const char* ww_error_code(const ww_error* error);
const char* ww_error_message(const ww_error* error);
void ww_error_free(ww_error* error);

/* --- the GPU --------------------------------------------------------------------------------------------------- */

/* Opens the GPU of the process. `options`: a JSON object as in WARPWISE_OPTIONS (docs/engine_options.md), or null for
 * the defaults. Fails while another one is open. */
ww_error* ww_gpu_open(const char* options, ww_gpu** gpu);
void ww_gpu_close(ww_gpu* gpu);

/* The figures of the GPU that serves now as a JSON object: {"id": "h100", "name": ..., "architecture": 90, ...}. Owned
 * by the GPU, and valid until a watch begins or ends. */
const char* ww_gpu_properties(const ww_gpu* gpu);

/* From here until ww_gpu_report all calls are watched. `watch`: a JSON object, {"check": ["memory", "race"]} or
 * {"profile": true, "exact": false}; other members change options of ww_gpu_open meanwhile ({"device": "a100"},
 * {"schedule": "shuffle:1"}). Device variables start from their initial values.
 *
 * {"trace": {"output": FILE, "kernel": "scan", "launch": 0, "block": [3, 0, 0], "first": 0, "steps": 65536,
 * "lines": [17], "report": REPORT}} records what the warps of a block do in FILE (docs/trace_format.md). Of the members
 * `output` alone must be there: the first launch of the kernel (of any), and its first block, or, with the JSON of a
 * check, the block of its first finding. `lines`: of the source, whose values are recorded. */
ww_error* ww_gpu_watch(ww_gpu* gpu, const char* watch);
/* Ends the watch. `text` is the report for people, `json` the one for programs (docs/checking.md, docs/counters.md,
 * docs/trace_format.md: the summary). V0006, V0007 when nothing was recorded. */
ww_error* ww_gpu_report(ww_gpu* gpu, char** text, char** json);

/* What kernels have printed since the last call; "" when it is nothing. */
char* ww_gpu_printed(ww_gpu* gpu);

/* How often the GPU has been replaced: by a watch, its report, or after a failed kernel. What other users of the CUDA
 * libraries in this process hold of an earlier one (modules, memory, streams) is gone. */
uint64_t ww_gpu_generation(const ww_gpu* gpu);
/* For kernels that were launched in another way than by ww_call: if one has failed, its error, and the GPU is as new;
 * null: none has. */
ww_error* ww_gpu_recover(ww_gpu* gpu);

/* What findings call the allocation that begins at an address of the GPU; nothing where no checker looks on. */
void ww_gpu_name_memory(ww_gpu* gpu, uint64_t address, const char* name);

/* Memory of whole pages of its own, zeroed, that host and kernels use in place, at one address for the caller. */
ww_error* ww_pages_allocate(ww_gpu* gpu, size_t bytes, void** pages);
ww_error* ww_pages_free(ww_gpu* gpu, void* pages);

/* --- libraries ------------------------------------------------------------------------------------------------- */

typedef struct {
  const char* path;         /* a CUDA source */
  const char* const* flags; /* of the compiler, in nvcc's language; without names of files */
  size_t flag_count;
  int checked;                  /* not 0: no access is optimised away, as `warpwise check` compiles */
  const char* const* functions; /* host functions to offer although they are not extern "C", by name */
  size_t function_count;
} ww_source;

/* Compiles a source for the GPU that serves now, unless an unchanged one is in the cache, and loads it. Its functions
 * are those that the source itself defines as __global__, or as extern "C" and not static. Errors as those of
 * compile_cuda (warpwise/compile.h). */
ww_error* ww_library_load(ww_gpu* gpu, const ww_source* source, ww_library** library);
/* The entries of a PTX text as functions, which are kernels all. `name` stands for the text in messages.
 * `parameter_names`: of each entry, or null: PTX has no names that tell anything. A parameter of 64 bits that is no
 * float takes an array as well as a number. */
ww_error* ww_library_load_ptx(ww_gpu* gpu, const char* ptx, const char* name, const char* const* parameter_names,
                              size_t parameter_name_count, ww_library** library);
/* Nothing of the library may be used any more. */
void ww_library_close(ww_library* library);

/* {"functions": [{"name", "kernel", "result": TYPE, "parameters": [TYPE + "name", ...]}, ...],
 *  "left_out": [{"name", "why"}, ...], "messages": "warnings of the compiler"}
 * A kernel of PTX has "registers", too: an estimate of those of a thread.
 * TYPE: {"spelling": "const float *", "kind": "void|bool|signed|unsigned|floating|other", "pointer", "const", "bytes"};
 * of a pointer, kind, const and bytes are those of what it points to. A function's index in the list is its number.
 * Owned by the library. */
const char* ww_library_functions(const ww_library* library);

/* --- code of other compilers ---------------------------------------------------------------------------------- */

/* PTX of LLVM bitcode for a GPU, as libNVVM makes it: its `__nv_...` functions are ours. `options`: a JSON object with
 * {"architecture": 90, "checked": false, "contract": true, "precise_division": true, "precise_root": true}, or null;
 * "checked" keeps every access. T0002, T0003, T0004 as compile_cuda. */
ww_error* ww_compile_ir(const void* bitcode, size_t bytes, const char* options, char** ptx);

/* --- calls ----------------------------------------------------------------------------------------------------- */

enum {
  WW_VALUE = 0,      /* value: the argument's bytes, the lowest first; at most 8 */
  WW_ADDRESS = 1,    /* value: an address that kernels may use as it is */
  WW_READ = 2,       /* value: a host address, and `bytes` from there on: the function reads them */
  WW_READ_WRITE = 3, /* the same: the function reads and writes them */
  WW_TENSOR_MAP = 4, /* value: the address of a ww_tensor_map; a kernel's parameter of 128 bytes gets the CUtensorMap */
  WW_ADDRESSES = 5,  /* as WW_READ_WRITE, of words of 8 bytes: one that is an address inside an array of this call is,
                        while the function runs, the address of that byte on the GPU */
};

/* The upper bits of `kind`: the function gets the address of that byte of the array, for a view that begins inside. */
enum { WW_KIND = 0xff, WW_OFFSET_SHIFT = 8 };

typedef struct {
  uint64_t value;
  uint64_t bytes;
  uint64_t kind;
} ww_argument;

/* What cuTensorMapEncodeTiled is given, in CUDA's numbers; the innermost dimension comes first. */
typedef struct {
  ww_argument array; /* the tensor's memory: an argument as for a pointer */
  uint32_t type, rank, interleave, swizzle, promotion, fill;
  uint64_t sizes[5];   /* elements */
  uint64_t strides[4]; /* bytes, of the second dimension and those behind it */
  uint32_t box[5], element_strides[5];
} ww_tensor_map;

typedef struct {
  uint32_t grid[3], block[3], cluster[3]; /* cluster: 0 or 1 where there is none */
  uint32_t dynamic_shared_bytes;
  uint32_t cooperative;
} ww_launch;

/* Runs a function and waits for everything that it has submitted. `launch`: of a kernel; null for a host function.
 * `result`: where a host function's result goes, or null for void. `printed` (or null) becomes 1 when ww_gpu_printed
 * has text.
 *
 * Host arrays. Those in memory of ww_pages_allocate are used in place. Others are copied to memory of the GPU before
 * the call and, but for WW_READ, back after it; arrays that overlap become one copy. A function gets the address of
 * that memory. Arguments behind those of the function's parameters are arrays, too: what WW_ADDRESSES leads to.
 *
 * A failure of a kernel leaves host arrays that are copied as they were, and the GPU is as new for the next call: what
 * the library had allocated on it is gone. */
ww_error* ww_call(ww_gpu* gpu, ww_library* library, size_t function, const ww_launch* launch,
                  const ww_argument* arguments, size_t argument_count, void* result, int* printed);

/* The same on a real GPU, number `ordinal` of NVIDIA's driver, in its primary context: beside PyTorch, for example,
 * whose memory it can use. Arguments are WW_VALUE and WW_ADDRESS, addresses of that GPU; nothing is copied, checked or
 * counted. Stream 0 of the function is `stream`, a CUstream (null: the default one), and the call does not wait for
 * what it submits. A process has one such GPU: another number is U0030, and so is one that is older than the GPU that
 * the library was compiled for. R0601, R0602: there is none, or no driver. */
ww_error* ww_call_on_gpu(ww_gpu* gpu, ww_library* library, size_t function, const ww_launch* launch,
                         const ww_argument* arguments, size_t argument_count, void* result, unsigned ordinal,
                         void* stream);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
