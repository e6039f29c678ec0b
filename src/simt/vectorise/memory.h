// Memory of a warp: one access of a thread becomes the cheapest access of a warp that its address allows.
//
//   uniform address          one scalar access
//   affine, a few groups     lanes with the same uniform offset form a group; each group is a broadcast,
//                            a contiguous vector, or a window of a few vectors and a permute
//   anything else            gather or scatter
//
// Addresses reach memory through the alias of the arena (simt/abi.h); shared, local and parameter space
// through the bases in the BlockContext.
#pragma once

#include "simt/analysis/memory_spaces.h"
#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

// One vector register has this many bytes.
constexpr unsigned kRegisterBytes = 64;

// Whether a mask is known to have all its lanes.
inline bool all_active(llvm::Value* mask) {
  auto* c = llvm::dyn_cast<llvm::Constant>(mask);
  return c && c->isAllOnesValue();
}

class MemoryEmitter : WarpEmitter {
 public:
  using WarpEmitter::WarpEmitter;

  void emit_load(llvm::LoadInst& load);
  void emit_store(llvm::StoreInst& store);

  // --- addresses.cpp: where the lanes of one access point
  struct Address {
    Value* base = nullptr;    // i64, as the engine sees it: lane 0's
    Shape own;                // of the integer address
    Value* source = nullptr;  // the scalar function's i64 address value
    Value* extra = nullptr;   // i64 to add to source's vector to get engine addresses
    unsigned space = 0;
    bool corrected = false;  // an extension in it may wrap: guard_of() says whether it does
  };
  Address address_of(Value* pointer);
  Address address_at(unsigned space, Value* source);
  Value* vector_of_address(const Address& a);
  // True when no lane of any extension in the address wraps; null: there is none.
  Value* guard_of(const Shape& shape);

  // Whose value stays where all active lanes store so many bytes to one place (lane_order.h).
  Value* lane_that_stores(unsigned bytes);

  // --- gathers.cpp and patterns.cpp: parts of accesses, also for those that access memory beside the program
  // (simt/instrument). `mask` says which lanes do.
  Value* gather(Value* addresses, Type* type, llvm::Align align, Value* mask);
  // at_once: 0 where no two lanes have one address with different values, else stored_at_once() of the access
  // (lane_order.h).
  void scatter(Value* addresses, Value* value, llvm::Align align, Value* mask, unsigned at_once = 0);
  // A load that is not a pattern, under the mask of the block.
  Value* load_from_afar(const Address& a, Type* type, llvm::Align align);
  // One access in the form its pattern allows; null, or false, when only a gather or scatter will do.
  Value* load_pattern(const Address& a, Type* type, llvm::Align align, Value* mask);
  bool store_pattern(const Address& a, Value* value, llvm::Align align, Value* mask);
  Value* gather_near(const Address& a, Type* type, llvm::Align align, Value* mask);
  Value* gather_indexed(const Address& a, Type* type, llvm::Align align, Value* mask);

 private:
  // x[i]: lane l is at base + index[l] * scale, where the index is a signed number of 32 bits.
  struct Indexed {
    Value* base = nullptr;    // i64, as the engine sees it
    Value* index = nullptr;   // of all lanes
    uint64_t scale = 1;       // 1, 2, 4 or 8
    Value* narrow = nullptr;  // the scalar function's number that the index extends; null: none, or a multiple of it
    bool is_signed = true;    // it is sign-extended; else the index is less by 2^31
  };
  struct Row;  // lanes that may lie side by side
  std::optional<Row> row_of(const Indexed& at, unsigned bytes, Value* mask);
  bool scatter_row(const Address& a, Value* value, llvm::Align align, unsigned at_once);
  Value* gather_parts(const Indexed& at, Type* type, llvm::Align align, Value* mask);
  std::optional<Indexed> indexed(const Address& a);
  Address interleaved(Address a);
  Value* interleaved_offsets(const Address& a);
  Value* pointer_of_lane(const Address& a, unsigned lane, int64_t plus);
  void emit_whole_load(llvm::LoadInst& first, llvm::LoadInst& second);
  void emit_whole_store(llvm::StoreInst& first, llvm::StoreInst& second);
  struct GroupLoad;  // the lanes of one group of a pattern
  Value* load_broadcast(const GroupLoad& load, Value* pointer);
  Value* load_window(const GroupLoad& load, Value* pointer);
  Value* load_lanes(llvm::FixedVectorType* type, Value* pointer, llvm::Align align, Value* mask);
  Value* load_vector(llvm::FixedVectorType* type, Value* pointer, llvm::Align align, Value* mask, unsigned first_lane);
  void store_vector(Value* value, Value* pointer, llvm::Align align, Value* mask, unsigned first_lane);
  Value* gather_words(Value* addresses, Type* type, llvm::Align align, Value* mask, Value* kept);
  // Of what these functions emit for a load or a store of the program, which space it is in.
  struct InSpace;
  template <class Access>
  Access* in_space(Access* access) const {
    keep_space(*access, space_);
    return access;
  }

  unsigned space_ = kGeneric;              // of the program's access that is emitted (InSpace)
  llvm::DenseMap<Value*, Value*> guards_;  // extension → i1: no lane wraps
};

}  // namespace warpwise::simt
