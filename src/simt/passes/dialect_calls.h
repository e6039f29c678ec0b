// Recognising calls of the dialect's functions (simt/dialect.h).
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Instructions.h>

#include <optional>

#include "simt/dialect.h"

namespace warpwise::simt {

enum class Dialect : unsigned {
#define DIALECT(id, name, signature, cls) id,
  WARPWISE_DIALECT(DIALECT)
#undef DIALECT
};

enum class DialectClass : unsigned { Thread, Block, Warp, Barrier, Cluster, Effect, Pure };

// Which dialect function a call calls, if it calls one.
std::optional<Dialect> dialect_of(const llvm::Value* value);
DialectClass class_of(Dialect function);
const char* name_of(Dialect function);

}  // namespace warpwise::simt
