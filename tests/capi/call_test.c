/* The C interface from C: a source is loaded and called; what is wrong comes back as an error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warpwise/capi.h"

static int failures = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "not so: %s\n", what);
  ++failures;
}

static void must(ww_error* error) {
  if (!error) return;
  fprintf(stderr, "%s: %s\n", ww_error_code(error), ww_error_message(error));
  exit(1);
}

static void must_fail(ww_error* error, const char* code, const char* words) {
  expect(error != NULL, words);
  if (!error) return;
  if (strncmp(ww_error_code(error), code, strlen(code)) != 0 || !strstr(ww_error_message(error), words)) {
    fprintf(stderr, "expected %s with `%s`, got %s: %s\n", code, words, ww_error_code(error), ww_error_message(error));
    ++failures;
  }
  ww_error_free(error);
}

int main(int count, char** words) {
  if (count != 2) return 2;
  expect(ww_capi_version() == WW_CAPI_VERSION, "header and library agree");

  ww_gpu *gpu, *second;
  must_fail(ww_gpu_open("{\"device\": \"nothing\"}", &gpu), "U0004", "nothing");
  must(ww_gpu_open(NULL, &gpu));
  must_fail(ww_gpu_open(NULL, &second), "U0030", "close it first");
  expect(strstr(ww_gpu_properties(gpu), "\"id\":\"h100\"") != NULL, "the GPU describes itself");

  ww_source source = {words[1], NULL, 0, 0, NULL, 0};
  ww_library* library;
  must(ww_library_load(gpu, &source, &library));
  expect(strstr(ww_library_functions(library), "{\"name\":\"scale\",\"kernel\":true") != NULL, "scale is a kernel");

  float values[100], factor = 3;
  for (int i = 0; i < 100; ++i) values[i] = (float)i;
  ww_argument arguments[] = {{(uint64_t)(uintptr_t)values, sizeof values, WW_READ_WRITE}, {0, 0, WW_VALUE}};
  memcpy(&arguments[1].value, &factor, sizeof factor);
  ww_launch launch = {{1, 1, 1}, {100, 1, 1}, {0, 0, 0}, 0, 0};
  must(ww_call(gpu, library, 0, &launch, arguments, 2, NULL, NULL));
  expect(values[99] == 297, "the kernel has run");

  must_fail(ww_call(gpu, library, 7, &launch, arguments, 2, NULL, NULL), "U0030", "no function 7");
  must_fail(ww_call(gpu, library, 0, NULL, arguments, 2, NULL, NULL), "U0030", "needs a grid");
  must_fail(ww_call(gpu, library, 0, &launch, arguments, 1, NULL, NULL), "U0030", "1 arguments for the 2 parameters");

  /* The function gets the address of element 50; the whole array is there for it. */
  ww_argument inside[] = {
      {(uint64_t)(uintptr_t)values, sizeof values, WW_READ_WRITE | (uint64_t)200 << WW_OFFSET_SHIFT}, arguments[1]};
  launch.block[0] = 1;
  must(ww_call(gpu, library, 0, &launch, inside, 2, NULL, NULL));
  expect(values[49] == 147 && values[50] == 450, "the view begins inside");
  launch.block[0] = 100;

  const char* ptx =
      ".version 8.5\n.target sm_90\n.visible .entry set(.param .u64 out, .param .u32 to) {\n"
      ".reg .b64 %a; .reg .b32 %v; ld.param.u64 %a, [out]; ld.param.u32 %v, [to]; st.global.u32 [%a], %v; ret;\n}\n";
  ww_library* of_ptx;
  const char* names[] = {"out", "to"};
  must(ww_library_load_ptx(gpu, ptx, "set.ptx", names, 2, &of_ptx));
  expect(strstr(ww_library_functions(of_ptx), "\"name\":\"to\"") != NULL, "parameters have the names given");
  int set = 0;
  ww_argument set_arguments[] = {{(uint64_t)(uintptr_t)&set, sizeof set, WW_READ_WRITE}, {7, 0, WW_VALUE}};
  must(ww_call(gpu, of_ptx, 0, &launch, set_arguments, 2, NULL, NULL));
  expect(set == 7, "the entry has run");
  /* Each thread sets the int that its word of a table leads to, and moves that word on to the int behind it. */
  const char* through =
      ".version 8.5\n.target sm_90\n.visible .entry through(.param .u64 table) {\n"
      ".reg .b64 %t, %a; .reg .b32 %i; ld.param.u64 %t, [table]; mov.u32 %i, %tid.x; mad.wide.u32 %t, %i, 8, %t;\n"
      "ld.global.u64 %a, [%t]; st.global.u32 [%a], %i; add.s64 %a, %a, 4; st.global.u64 [%t], %a; ret;\n}\n";
  ww_library* of_tables;
  must(ww_library_load_ptx(gpu, through, "through.ptx", NULL, 0, &of_tables));
  int first[4] = {9, 9, 9, 9}, second_array[4] = {9, 9, 9, 9};
  uint64_t table[] = {(uint64_t)(uintptr_t)&first[2], (uint64_t)(uintptr_t)second_array, (uint64_t)(uintptr_t)first};
  ww_argument led_to[] = {{(uint64_t)(uintptr_t)table, sizeof table, WW_ADDRESSES},
                          {(uint64_t)(uintptr_t)first, sizeof first, WW_READ_WRITE},
                          {(uint64_t)(uintptr_t)second_array, sizeof second_array, WW_READ_WRITE}};
  launch.block[0] = 3;
  must(ww_call(gpu, of_tables, 0, &launch, led_to, 3, NULL, NULL));
  expect(first[0] == 2 && first[1] == 9 && first[2] == 0 && second_array[0] == 1, "stored addresses were followed");
  expect(table[0] == (uint64_t)(uintptr_t)&first[3] && table[2] == (uint64_t)(uintptr_t)&first[1],
         "and are the host's again, those that the kernel has written, too");
  must_fail(ww_call(gpu, of_tables, 0, &launch, led_to, 2, NULL, NULL), "cudaErrorIllegalAddress", "");
  ww_argument no_array[] = {led_to[0], {1, 0, WW_VALUE}};
  must_fail(ww_call(gpu, of_tables, 0, &launch, no_array, 2, NULL, NULL), "U0030", "2 arguments for the 1 parameters");
  ww_library_close(of_tables);
  launch.block[0] = 100;

  must_fail(ww_library_load_ptx(gpu, "no PTX", "wrong.ptx", NULL, 0, &of_ptx), "P0", "wrong.ptx:1:1");

  char* made;
  must_fail(ww_compile_ir("no bitcode", 10, NULL, &made), "T0003", "error");
  must_fail(ww_compile_ir("", 0, "{\"fast\": true}", &made), "U0005", "no option `fast`");

  const uint64_t generation = ww_gpu_generation(gpu);
  must(ww_gpu_recover(gpu));
  expect(ww_gpu_generation(gpu) == generation, "nothing has failed");

  double half = 0, of = 5;
  ww_argument number = {0, 0, WW_VALUE};
  memcpy(&number.value, &of, sizeof of);
  must(ww_call(gpu, library, 1, NULL, &number, 1, &half, NULL));
  expect(half == 2.5, "a host function returns its result");

  char *text, *json;
  must_fail(ww_gpu_report(gpu, &text, &json), "U0030", "no watch");
  must(ww_gpu_watch(gpu, "{\"check\": [\"memory\"]}"));
  launch.block[0] = 128;
  ww_error_free(ww_call(gpu, library, 0, &launch, arguments, 2, NULL, NULL));
  must(ww_gpu_report(gpu, &text, &json));
  expect(strstr(text, "C0101") && strstr(json, "\"C0101\""), "the checkers have seen the accesses out of bounds");
  ww_text_free(text);
  ww_text_free(json);

  void* pages;
  must(ww_pages_allocate(gpu, 400, &pages));
  memcpy(pages, values, sizeof values);
  launch.block[0] = 100;
  arguments[0].value = (uint64_t)(uintptr_t)pages;
  must(ww_call(gpu, library, 0, &launch, arguments, 2, NULL, NULL));
  expect(((float*)pages)[99] == 3 * values[99], "pages are used in place");
  must(ww_pages_free(gpu, pages));
  must_fail(ww_pages_free(gpu, values), "U0030", "no memory of ww_pages_allocate");

  ww_library_close(library);
  ww_gpu_close(gpu);
  must(ww_gpu_open("{\"device\": \"a100\"}", &gpu));
  ww_gpu_close(gpu);
  return failures != 0;
}
