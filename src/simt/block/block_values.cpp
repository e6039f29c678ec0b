#include "simt/block/block_values.h"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "simt/abi.h"

namespace warpwise::simt {

using namespace llvm;

Value* load_block_field(IRBuilder<>& b, Value* block, unsigned offset, Type* type, const char* name) {
  auto* load = b.CreateAlignedLoad(type, b.CreateConstGEP1_64(b.getInt8Ty(), block, offset),
                                   Align(type->isIntegerTy(32) ? 4 : 8), name);
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(b.getContext(), {}));
  return load;
}

Value* load_block_value(IRBuilder<>& b, Value* block, Dialect which, const BlockShape& shape) {
  Type* i32 = b.getInt32Ty();
  Type* i64 = b.getInt64Ty();
  auto field = [&](unsigned offset, Type* type, const char* name) {
    return load_block_field(b, block, offset, type, name);
  };
  auto element = [&](unsigned offset, Dialect first, const char* name) {
    return field(offset + 4 * (unsigned(which) - unsigned(first)), i32, name);
  };
  auto generic = [&](Value* address) { return b.CreateSub(address, b.getInt64(kAliasOffset)); };
  switch (which) {
    case Dialect::NtidX:
    case Dialect::NtidY:
    case Dialect::NtidZ:
      return b.getInt32(shape.size[unsigned(which) - unsigned(Dialect::NtidX)]);
    case Dialect::CtaidX:
    case Dialect::CtaidY:
    case Dialect::CtaidZ:
      return element(offsetof(BlockContext, ctaid), Dialect::CtaidX, "ctaid");
    case Dialect::NctaidX:
    case Dialect::NctaidY:
    case Dialect::NctaidZ:
      return element(offsetof(BlockContext, nctaid), Dialect::NctaidX, "nctaid");
    case Dialect::ClusterIdX:
    case Dialect::ClusterIdY:
    case Dialect::ClusterIdZ:
      return element(offsetof(BlockContext, clusterid), Dialect::ClusterIdX, "clusterid");
    case Dialect::NclusterIdX:
    case Dialect::NclusterIdY:
    case Dialect::NclusterIdZ:
      return element(offsetof(BlockContext, nclusterid), Dialect::NclusterIdX, "nclusterid");
    case Dialect::ClusterCtaidX:
    case Dialect::ClusterCtaidY:
    case Dialect::ClusterCtaidZ:
      return element(offsetof(BlockContext, cluster_ctaid), Dialect::ClusterCtaidX, "cluster_ctaid");
    case Dialect::ClusterNctaidX:
    case Dialect::ClusterNctaidY:
    case Dialect::ClusterNctaidZ:
      return element(offsetof(BlockContext, cluster_nctaid), Dialect::ClusterNctaidX, "cluster_nctaid");
    case Dialect::NwarpId:
      return field(offsetof(BlockContext, nwarpid), i32, "nwarpid");
    case Dialect::SmId:
      return field(offsetof(BlockContext, smid), i32, "smid");
    case Dialect::NsmId:
      return field(offsetof(BlockContext, nsmid), i32, "nsmid");
    case Dialect::GridId:
      return field(offsetof(BlockContext, gridid), i64, "gridid");
    case Dialect::DynamicSharedBytes:
      return field(offsetof(BlockContext, dynamic_shared_bytes), i32, "dynamic_smem");
    case Dialect::TotalSharedBytes:
      return field(offsetof(BlockContext, total_shared_bytes), i32, "total_smem");
    case Dialect::GlobalsBase:
      return generic(field(offsetof(BlockContext, globals), i64, "globals"));
    case Dialect::SharedBase:
      return generic(field(offsetof(BlockContext, shared), i64, "shared"));
    case Dialect::ParamBase:
      return generic(field(offsetof(BlockContext, parameters), i64, "parameters"));
    default:
      llvm_unreachable("no value of a block");
  }
}

Value* load_window_base(IRBuilder<>& b, Value* block, Dialect which) {
  unsigned offset = which == Dialect::IsShared  ? offsetof(BlockContext, shared)
                    : which == Dialect::IsLocal ? offsetof(BlockContext, local)
                                                : offsetof(BlockContext, parameters);
  return b.CreateSub(load_block_field(b, block, offset, b.getInt64Ty(), "window"), b.getInt64(kAliasOffset));
}

Value* load_window_size(IRBuilder<>& b, Value* block, Dialect which) {
  Type* i64 = b.getInt64Ty();
  auto field = [&](unsigned offset) {
    return b.CreateZExt(load_block_field(b, block, offset, b.getInt32Ty(), "size"), i64);
  };
  if (which == Dialect::IsShared) return field(offsetof(BlockContext, total_shared_bytes));
  if (which == Dialect::IsParam) return b.getInt64(4096);  // the parameter limit of a kernel
  Value* threads = b.getInt64(1);
  for (unsigned axis = 0; axis < 3; ++axis)
    threads = b.CreateMul(threads, field(offsetof(BlockContext, ntid) + 4 * axis));
  return b.CreateMul(threads, field(offsetof(BlockContext, local_stride)));
}

}  // namespace warpwise::simt
