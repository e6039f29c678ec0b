// Bulk copies, of bytes and of boxes of tensors (PTX ISA 9.7.9.25.4, 9.7.9.27), and changes to tensor maps
// (9.7.9.28). They happen at once, so nothing is left to wait for. exec/async/bulk.h says what they move.
#include "simt/abi.h"
#include "simt/lower/dispatch.h"

namespace warpwise::simt {

using ptx::Mod;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

BulkOp operation(const Emit& e) {
  struct Row {
    Mod mod;
    BulkOp op;
  };
  for (Row row :
       {Row{Mod::Add, BulkOp::Add}, Row{Mod::Min, BulkOp::Min}, Row{Mod::Max, BulkOp::Max}, Row{Mod::Inc, BulkOp::Inc},
        Row{Mod::Dec, BulkOp::Dec}, Row{Mod::And, BulkOp::And}, Row{Mod::Or, BulkOp::Or}, Row{Mod::Xor, BulkOp::Xor}})
    if (e.has(row.mod)) return row.op;
  return BulkOp::Copy;
}

BulkType element(Type type) {
  switch (type) {
    case Type::S32:
      return BulkType::S32;
    case Type::U64:
    case Type::B64:
      return BulkType::U64;
    case Type::S64:
      return BulkType::S64;
    case Type::F16:
      return BulkType::F16;
    case Type::BF16:
      return BulkType::BF16;
    case Type::F32:
      return BulkType::F32;
    case Type::F64:
      return BulkType::F64;
    default:
      return BulkType::U32;
  }
}

// The mask of blocks, when there is one: it stands right before the policy.
Value blocks(Emit& e, unsigned index) {
  return e.has(Mod::MulticastCluster) ? zext(e.in(index, Type::B16), 32) : e.i32(0);
}

uint32_t what(Emit& e) {
  uint32_t word = static_cast<uint32_t>(operation(e));
  if (e.has(Mod::MulticastCluster)) word |= kBulkMulticast;
  if (e.has(Mod::CtaGroup2)) word |= kBulkPairs;
  return word;
}

void copy(Emit& e, Space to, Space from, bool tells_mbarrier) {
  uint32_t word = what(e) | static_cast<uint32_t>(element(e.type())) << 8;
  Value mbarrier = tells_mbarrier ? e.generic_address(3, Space::Shared) : e.i64(0);
  e.call(Dialect::BulkCopy, e.i32(word), e.generic_address(0, to), e.generic_address(1, from), e.in(2, Type::U32),
         mbarrier, tells_mbarrier ? blocks(e, 4) : e.i32(0));
}

// The numbers between the braces of an operand.
std::vector<Value> numbers(Emit& e, const Operand& operand, Type type) {
  std::vector<Value> values;
  for (const Operand& element : operand.elements) values.push_back(e.in(element, type));
  return values;
}

BoxMode mode(const Emit& e) {
  if (e.has(Mod::Im2col) || e.has(Mod::Im2colNoOffs)) return BoxMode::Im2col;
  if (e.has(Mod::Im2colW)) return BoxMode::Im2colW;
  return e.has(Mod::Im2colW128) ? BoxMode::Im2colW128 : BoxMode::Tiled;
}

bool four_rows(const Emit& e) { return e.has(Mod::TileGather4) || e.has(Mod::TileScatter4); }

void tensor(Emit& e, bool store, unsigned map, unsigned shared, Value mbarrier, Value offsets, Value mask) {
  const Operand& address = e.operand(map);
  std::vector<Value> c = numbers(e, address.elements[0], Type::S32);
  uint32_t word = what(e) | static_cast<uint32_t>(c.size()) << kBulkRankAt | (store ? kBulkStore : 0) |
                  static_cast<uint32_t>(mode(e)) << kBulkModeAt | (four_rows(e) ? kBulkFourRows : 0);
  c.resize(kMaxCoordinates, e.i32(0));
  e.call(Dialect::TensorCopy, e.i32(word), e.generic_address(map, Space::Generic),
         e.generic_address(shared, Space::Shared), c[0], c[1], c[2], c[3], c[4], offsets, mbarrier, mask);
}

void load(Emit& e) {
  Value offsets = e.i64(0);
  const bool im2col = mode(e) != BoxMode::Tiled;
  if (im2col) {
    unsigned at = 0;
    for (Value offset : numbers(e, e.operand(3), Type::U16)) offsets = offsets | zext(offset, 64) << (16 * at++);
  }
  tensor(e, false, 1, 0, e.generic_address(2, Space::Shared), offsets, blocks(e, im2col ? 4 : 3));
}
void store(Emit& e) { tensor(e, true, 0, 1, e.i64(0), e.i64(0), e.i32(0)); }

void replace(Emit& e, TensorField field, Value index, Value value) {
  e.call(Dialect::TensorReplace, e.i32(static_cast<uint32_t>(field)), e.generic_address(0, e.inst->space()), index,
         value);
}

TensorField field_of(const Emit& e) {
  if (e.has(Mod::GlobalAddress)) return TensorField::Address;
  if (e.has(Mod::Rank)) return TensorField::Rank;
  if (e.has(Mod::BoxDim)) return TensorField::Box;
  if (e.has(Mod::GlobalDim)) return TensorField::Size;
  if (e.has(Mod::GlobalStride)) return TensorField::Stride;
  if (e.has(Mod::ElementStride)) return TensorField::ElementStride;
  if (e.has(Mod::ElemType)) return TensorField::Type;
  if (e.has(Mod::InterleaveLayout)) return TensorField::Interleave;
  if (e.has(Mod::SwizzleAtomicity)) return TensorField::Atomicity;
  return e.has(Mod::SwizzleMode) ? TensorField::Swizzle : TensorField::Fill;
}

}  // namespace

void lower_cp_async_bulk_load(Emit& e) { copy(e, Space::Shared, Space::Global, true); }
void lower_cp_async_bulk_shared(Emit& e) { copy(e, Space::Shared, Space::Shared, true); }
void lower_cp_async_bulk_store(Emit& e) { copy(e, Space::Global, Space::Shared, false); }
void lower_cp_async_bulk_store_masked(Emit& e) {
  const uint32_t word = what(e) | static_cast<uint32_t>(BulkType::U32) << 8 | kBulkMasked;
  e.call(Dialect::BulkCopy, e.i32(word), e.generic_address(0, Space::Global), e.generic_address(1, Space::Shared),
         e.in(2, Type::U32), e.i64(0), zext(e.in(4, Type::B16), 32));
}
void lower_cp_reduce_async_bulk_shared_add(Emit& e) { copy(e, Space::Shared, Space::Shared, true); }
void lower_cp_reduce_async_bulk_shared_min_max(Emit& e) { copy(e, Space::Shared, Space::Shared, true); }
void lower_cp_reduce_async_bulk_shared_inc_dec(Emit& e) { copy(e, Space::Shared, Space::Shared, true); }
void lower_cp_reduce_async_bulk_shared_logic(Emit& e) { copy(e, Space::Shared, Space::Shared, true); }
void lower_cp_reduce_async_bulk_add(Emit& e) { copy(e, Space::Global, Space::Shared, false); }
void lower_cp_reduce_async_bulk_min_max(Emit& e) { copy(e, Space::Global, Space::Shared, false); }
void lower_cp_reduce_async_bulk_inc_dec(Emit& e) { copy(e, Space::Global, Space::Shared, false); }
void lower_cp_reduce_async_bulk_logic(Emit& e) { copy(e, Space::Global, Space::Shared, false); }
void lower_cp_reduce_async_bulk_half(Emit& e) { copy(e, Space::Global, Space::Shared, false); }
void lower_cp_async_bulk_commit_group(Emit&) {}
void lower_cp_async_bulk_wait_group(Emit&) {}

void lower_cp_async_bulk_tensor_load(Emit& e) { load(e); }
void lower_cp_async_bulk_tensor_load_im2col(Emit& e) { load(e); }
void lower_cp_async_bulk_tensor_load_im2col_w(Emit& e) { load(e); }
void lower_cp_async_bulk_tensor_gather4(Emit& e) { load(e); }
void lower_cp_async_bulk_tensor_scatter4(Emit& e) { store(e); }
void lower_cp_async_bulk_tensor_store(Emit& e) { store(e); }
void lower_cp_async_bulk_tensor_store_im2col(Emit& e) { store(e); }
void lower_cp_reduce_async_bulk_tensor(Emit& e) { store(e); }
void lower_cp_reduce_async_bulk_tensor_im2col(Emit& e) { store(e); }

// Hints about caches change no result.
void lower_cp_async_bulk_prefetch(Emit&) {}
void lower_cp_async_bulk_prefetch_tensor(Emit&) {}
void lower_cp_async_bulk_prefetch_tensor_gather4(Emit&) {}
void lower_cp_async_bulk_prefetch_tensor_im2col(Emit&) {}
void lower_cp_async_bulk_prefetch_tensor_im2col_w(Emit&) {}
void lower_prefetch_tensormap(Emit&) {}

namespace {

void replace_whole(Emit& e) { replace(e, field_of(e), e.i32(0), zext(e.in(1), 64)); }
void replace_dimension(Emit& e) {
  replace(e, field_of(e), e.i32(static_cast<uint32_t>(e.operand(1).bits)), zext(e.in(2), 64));
}

}  // namespace

void lower_tensormap_replace_address(Emit& e) { replace_whole(e); }
void lower_tensormap_replace_rank(Emit& e) { replace_whole(e); }
void lower_tensormap_replace_size(Emit& e) { replace_dimension(e); }
void lower_tensormap_replace_stride(Emit& e) { replace_dimension(e); }
void lower_tensormap_replace_atomicity(Emit& e) { replace(e, field_of(e), e.i32(0), e.i64(e.operand(1).bits)); }
void lower_tensormap_replace_mode(Emit& e) { replace(e, field_of(e), e.i32(0), e.i64(e.operand(1).bits)); }

// Each lane copies the same 128 bytes: two halves of a warp see no difference.
void lower_tensormap_cp_fenceproxy(Emit& e) {
  uint32_t word = static_cast<uint32_t>(BulkOp::Copy) | static_cast<uint32_t>(BulkType::U32) << 8;
  e.call(Dialect::BulkCopy, e.i32(word), e.generic_address(0, Space::Global), e.generic_address(1, Space::Shared),
         e.i32(kTensorMapBytes), e.i64(0), e.i32(0));
}

}  // namespace warpwise::simt
