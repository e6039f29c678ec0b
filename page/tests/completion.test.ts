// What the editor offers at the cursor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { completionsAt } from "../src/model/completion.ts";
// @ts-ignore: plain JavaScript, for the build
import { runtimeFunctions } from "../runtime_functions.mjs";

const runtime: [string, string, string][] = [["cudaMalloc", "void** p, size_t bytes", "cudaError_t"]];
const names = (before: string, text = before, asked = false) => completionsAt(before, text, runtime, asked)?.list.map(({ name }) => name) ?? null;

test("CUDA's words, the runtime's functions and the words of the file are offered", () => {
  const text = "int column = 3; // never mention remark\nfloat other = co";
  const offered = names("float other = co", text)!;
  for (const name of ["__syncthreads", "cudaMalloc", "column", "other", "while"]) assert.ok(offered.includes(name), name);
  for (const name of ["co", "remark"]) assert.ok(!offered.includes(name), name);
  assert.equal(new Set(offered).size, offered.length, "each once");
  assert.equal(completionsAt("x = __sy", "", runtime, false)!.length, 4);
});

test("members of indices, and nothing where no word can stand", () => {
  assert.deepEqual(names("int i = threadIdx."), ["x", "y", "z"]);
  assert.equal(names("point."), null);
  assert.equal(names("a"), null, "one letter is too few");
  assert.ok(names("a", "a", true), "unless it is asked for");
  for (const before of ["// thr", '#include "st', 'puts("he', "x = 0xab"]) assert.equal(names(before), null, before);
});

test("the runtime's list is read as it is written", () => {
  const list = runtimeFunctions("CUDART(cudaGetLastError, Error, Ready, cudaError_t, ())\nCUDART(cudaNo, Error, Missing, cudaError_t, ())\nCUDART_PTSZ(cudaMemcpyAsync, Memory, Ready, cudaError_t, ((void*) dst, (const void*) src,\n       (size_t) bytes))\n");
  assert.deepEqual(list, [["cudaGetLastError", "", "cudaError_t"], ["cudaMemcpyAsync", "void* dst, const void* src, size_t bytes", "cudaError_t"]]);
});
