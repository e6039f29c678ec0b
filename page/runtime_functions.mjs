// The functions of the CUDA runtime that Warpwise has, from the one list of them (src/cuda/runtime/api.inc), for the
// editor's completion: ["cudaMalloc", "void** devPtr, size_t size", "cudaError_t"] each.
const row = /^CUDART(?:_PTSZ|_PTDS|_13_ABI|_13_ABI_PTSZ)?\((\w+), \w+, Ready, ([^,]+), \((.*)\)\)$/gm;

// "((void**) dst, (size_t) bytes)" has parameters "(type) name".
const parameters = (list) => list.replaceAll(/\(((?:[^()]|\([^()]*\))*)\) ?(\w+)/g, (_, type, name) => `${type} ${name}`);

export function runtimeFunctions(text) {
  const joined = text.replaceAll(/,\n\s+/g, ", ");
  const found = new Map();
  for (const [, name, result, list] of joined.matchAll(row)) if (!found.has(name)) found.set(name, [name, parameters(list), result]);
  return [...found.values()].sort(([a], [b]) => (a < b ? -1 : 1));
}
