#include "simt/analysis/dialect_calls.h"

namespace warpwise::simt {
namespace {

struct Entry {
  const char* name;
  DialectClass cls;
};

constexpr Entry kEntries[] = {
#define DIALECT(id, name, signature, cls) {name, DialectClass::cls},
#include "simt/dialect.inc"
#undef DIALECT
};

const llvm::StringMap<Dialect>& by_name() {
  static const llvm::StringMap<Dialect> map = [] {
    llvm::StringMap<Dialect> result;
    for (unsigned i = 0; i < std::size(kEntries); ++i) result[kEntries[i].name] = static_cast<Dialect>(i);
    return result;
  }();
  return map;
}

}  // namespace

std::optional<Dialect> dialect_of(const llvm::Value* value) {
  auto* call = llvm::dyn_cast_or_null<llvm::CallInst>(value);
  if (!call) return std::nullopt;
  const llvm::Function* callee = call->getCalledFunction();
  if (!callee || !callee->getName().starts_with("ww.")) return std::nullopt;
  auto found = by_name().find(callee->getName());
  if (found != by_name().end()) return found->second;
  if (callee->getName().starts_with(kWgmmaPrefix)) return Dialect::Wgmma;
  if (callee->getName().starts_with(kMatrixProductPrefix)) return Dialect::MatrixProduct;
  if (callee->getName().starts_with(kTensorMovePrefix)) return Dialect::TensorMove;
  return std::nullopt;
}

DialectClass class_of(Dialect function) { return kEntries[static_cast<unsigned>(function)].cls; }
const char* name_of(Dialect function) { return kEntries[static_cast<unsigned>(function)].name; }

unsigned bytes_stored(const llvm::StoreInst& store) {
  const auto bytes = unsigned(store.getValueOperand()->getType()->getPrimitiveSizeInBits().getFixedValue() / 8);
  const llvm::MDNode* group = store.getMetadata("ww.group");
  if (!group) return bytes;
  return bytes * unsigned(llvm::mdconst::extract<llvm::ConstantInt>(group->getOperand(1))->getZExtValue());
}

}  // namespace warpwise::simt
