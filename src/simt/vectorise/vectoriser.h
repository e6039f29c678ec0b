// Whole-function vectorisation (Karrenberg and Hack): from the program of one thread to the program of a warp.
//
//   void @kernel()  in the dialect   →   void @kernel.warp(ptr %block, i32 %warp)
//
// Uniform and affine values stay scalars, varying ones become <32 x T>, control flow follows the
// control plan, and what only some lanes do happens under a mask <32 x i1>. Inactive lanes of a vector
// hold anything; a scalar is right for the active lanes. Where a block runs at all, some lane of it is
// active (guards see to that), so uniform loads and branches may be executed as they stand.
//
// Inputs of phis, and masks, are written to stack slots on edges, and promoted to SSA at the end. Linearised control
// flow then needs no bookkeeping of phis, and LLVM's mem2reg is exact. Slots of phis at reconvergence points are
// blended, `slot = select(edge mask, value, slot)`.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <memory>

#include "base/result.h"
#include "simt/analysis/control_plan.h"
#include "simt/analysis/dialect_calls.h"
#include "simt/analysis/lane_shapes.h"
#include "simt/analysis/memory_spaces.h"
#include "simt/instrument/counts.h"
#include "simt/service_calls.h"

namespace warpwise::simt {

struct VectoriseOptions {
  uint32_t local_stride = 0;            // bytes between two threads' local memories
  bool range_instructions = false;      // the machine has AVX-512's VRANGE (min_max.h)
  bool picks_of_two_registers = false;  // and VPERMI2D
  Counting count = Counting::None;
};

// The warp function, in the same module. The scalar function is left as it was. An error (X0002) names
// an instruction that has no vector form; the caller then takes independent-thread mode.
Result<llvm::Function*> vectorise(llvm::Function& kernel, const BlockShape& block, const VectoriseOptions& options);

// --- inside the pass --------------------------------------------------------------------------------

class Vectoriser {
 public:
  Vectoriser(llvm::Function& kernel, const BlockShape& block, const VectoriseOptions& options);
  Result<llvm::Function*> run();

 private:
  using Value = llvm::Value;
  using Type = llvm::Type;
  using BasicBlock = llvm::BasicBlock;

  // What a scalar value became.
  struct LaneVector {
    Value* scalar = nullptr;  // uniform: the value; affine: lane 0's
    Value* vector = nullptr;  // varying: the value; else made on demand
    // Where a vector made on demand goes: behind this instruction, or at the start of the block.
    llvm::Instruction* anchor = nullptr;
    llvm::BasicBlock* anchor_block = nullptr;
  };

  // --- control.cpp: levels, regions, guards, edges
  void plan_slots();
  void emit_level(Level& level);
  void emit_node(Node& node);
  void emit_edges(Node& node, BasicBlock& from);
  void leave_edge(BasicBlock& from, BasicBlock& to, Value* mask);
  BasicBlock* edge_target(Level* level, BasicBlock& to);
  BasicBlock* after(Node* next, Level& level);
  bool guarded(const Node& node) const;
  bool assured(const Node& node) const;
  bool cheap(const Node& node) const;
  bool masked_load(const llvm::Instruction& instruction) const;
  bool blends(llvm::PHINode& phi) const;
  bool native(BasicBlock& from, BasicBlock& to) const;
  Value* mask_of(const Node& node);
  void repair_dominance();
  void fold_trivial();

  // --- values.cpp: arithmetic
  void emit_instruction(llvm::Instruction& instruction);
  void emit_scalar(llvm::Instruction& instruction);
  void emit_affine(llvm::Instruction& instruction);
  void emit_vector(llvm::Instruction& instruction);
  void emit_phi(llvm::PHINode& phi);
  Value* scalar(Value* v);  // of a uniform or affine value
  Value* vector(Value* v);  // of any value
  Value* coefficient(const Coefficient& c, Type* type);
  Value* affine_vector(const Shape& shape, Value* base, Type* type);
  // Adds the corrections of an extension that wrapped in some lane.
  Value* corrected(const Shape& shape, Value* lanes, Type* type);
  void set_scalar(llvm::Instruction& i, Value* v);
  void set_vector(llvm::Instruction& i, Value* v);
  void set_fields(llvm::Instruction& call, llvm::ArrayRef<Value*> fields);  // each a scalar or a vector
  void go_to_anchor(const LaneVector& w);
  void anchor(LaneVector& w);
  void fail(llvm::Instruction& i);
  const Shape& shape_of(Value* v) const { return shapes_.of(v); }
  bool is_uniform(Value* v) const { return shapes_.of(v).is_uniform(); }

  // --- memory.cpp: loads, stores, atomics
  struct Address {
    Value* base = nullptr;         // i64, as the engine sees it: lane 0's
    const Shape* shape = nullptr;  // of the integer address
    Shape own;                     // storage for a shape that is not an instruction's
    Value* source = nullptr;       // the scalar function's i64 address value
    Value* extra = nullptr;        // i64 to add to source's vector to get engine addresses
    unsigned space = 0;
    bool corrected = false;  // has corrections to test
  };
  Address address_of(Value* pointer);
  Address address_at(unsigned space, Value* source);
  Value* vector_of_address(const Address& a);
  Value* pointer_of_lane(const Address& a, unsigned lane, int64_t plus);
  Value* guard_of(const Shape& shape);
  void emit_load(llvm::LoadInst& load);
  void emit_whole_load(llvm::LoadInst& first, llvm::LoadInst& second);
  void emit_whole_store(llvm::StoreInst& first, llvm::StoreInst& second);
  void emit_store(llvm::StoreInst& store);
  // atomics.cpp
  void emit_atomic_rmw(llvm::AtomicRMWInst& rmw);
  void emit_atomic_read(llvm::AtomicRMWInst& rmw, const Address& a);
  void emit_warp_sum(llvm::AtomicRMWInst& rmw, const Address& a);
  void emit_privatised_lanes(llvm::AtomicRMWInst& rmw, const Address& a);
  void emit_atomic_lanes(llvm::AtomicRMWInst& rmw, const Address& a, bool uniform_address);
  Value* emit_private_update(llvm::AtomicRMWInst& rmw, Value* pointer, Value* operand);
  Value* emit_lane_update(llvm::AtomicRMWInst& rmw, unsigned space, Value* pointer, Value* operand);
  void unroll_if_all_active(const std::function<void(Value* lane)>& one_lane);
  void emit_compare_exchange(llvm::AtomicCmpXchgInst& exchange);
  // privatised_sums.cpp. `at_once` emits the locked additions.
  void emit_privatised_sum(llvm::AtomicRMWInst& rmw, Value* addresses, const std::function<void()>& at_once);
  void emit_flush(llvm::CallInst& call);
  Value* sums_field(unsigned offset);
  // One access in the form its pattern allows; null when only a gather or scatter will do.
  Value* load_pattern(const Address& a, Type* type, llvm::Align align, Value* mask);
  struct GroupLoad;  // the lanes of one group of a pattern
  Value* load_broadcast(const GroupLoad& load, Value* pointer);
  Value* load_window(const GroupLoad& load, Value* pointer);
  Value* load_from_afar(const Address& a, Type* type, llvm::Align align);  // under mask_
  bool store_pattern(const Address& a, Value* value, llvm::Align align, Value* mask);
  // Wide accesses are emitted in parts of a vector register, each with its first lane as the column of its
  // debug place, so that a fault finds its lane (simt/dialect.h).
  void at_lane(unsigned first_lane);
  Value* part_of(Value* v, unsigned first, unsigned count);
  Value* load_lanes(llvm::FixedVectorType* type, Value* pointer, llvm::Align align, Value* mask);
  Value* load_vector(llvm::FixedVectorType* type, Value* pointer, llvm::Align align, Value* mask, unsigned first_lane);
  void store_vector(Value* value, Value* pointer, llvm::Align align, Value* mask, unsigned first_lane);
  Value* gather_near(const Address& a, Type* type, llvm::Align align, Value* mask);
  Value* gather(Value* addresses, Type* type, llvm::Align align, Value* mask);
  Value* gather_words(Value* addresses, Type* type, llvm::Align align, Value* mask, Value* kept);
  void scatter(Value* addresses, Value* value, llvm::Align align, Value* mask);
  // Of what these functions emit for a load or a store of the program, which space it is in.
  struct InSpace;
  template <class Access>
  Access* in_space(Access* access) const {
    keep_space(*access, space_);
    return access;
  }

  // --- collectives.cpp: lanes exchange values;  services.cpp: services, once per lane
  void emit_dialect(llvm::CallInst& call, Dialect which);
  void emit_tid(llvm::CallInst& call, unsigned axis);
  void emit_lanemask(llvm::CallInst& call, Dialect which);
  void emit_local_base(llvm::CallInst& call);
  void emit_window_test(llvm::CallInst& call, Dialect which);
  void emit_min_max(llvm::CallInst& call, Dialect which);
  void emit_block_value(llvm::CallInst& call, Dialect which);
  void emit_barrier(llvm::CallInst& call);
  void emit_barrier_red(llvm::CallInst& call);
  void emit_warp_op(llvm::CallInst& call, Dialect which);
  void emit_shuffle(llvm::CallInst& call, Dialect which);
  Value* lanes_by_number(Value* given, Value* from);
  void emit_match(llvm::CallInst& call, Dialect which);
  void emit_redux(llvm::CallInst& call);
  void emit_wgmma(llvm::CallInst& call);
  // matrix.cpp: fragments
  void emit_product(llvm::CallInst& call);
  void emit_load_matrix(llvm::CallInst& call);
  void emit_store_matrix(llvm::CallInst& call);
  Value* row_pointer(llvm::CallInst& call, unsigned row);
  Value* transpose(Value* matrix);
  void emit_effect(llvm::CallInst& call, Dialect which);
  class LaneCalls;
  Value* call_service(Service service, llvm::ArrayRef<Value*> arguments);
  void emit_served(llvm::CallInst& call, const ServedBy& served);
  void emit_lane_service(llvm::CallInst& call, const ServedBy& served);
  void emit_pure_service(llvm::CallInst& call, const ServedBy& served);
  void emit_stack_check(llvm::CallInst& call);
  void emit_image(llvm::CallInst& call);
  void emit_event(llvm::CallInst& call);
  void report(Value* lanes, Value* what, Value* addresses, Value* values, Value* site);
  // vectorise_shadow_checks.cpp: accesses of instrumented code
  class ShadowEmitter;
  void emit_shadow_check(llvm::CallInst& call);
  Value* pointer_provenance(unsigned pointer, unsigned field);
  Value* lies_within(const Address& a, const struct AccessCheck& check, unsigned field);
  Value* misaligned(const Address& a, unsigned log2);
  Value* generic_addresses(const Address& a);
  // vectorise_race_checks.cpp: accesses that may race
  class RaceEmitter;
  void emit_race(llvm::CallInst& call);
  // instrument/vectorise_counts.cpp: marks become additions to cells
  void emit_count(llvm::CallInst& call, Dialect which);
  void emit_counted_access(llvm::CallInst& call);
  void add_to(uint32_t cell, unsigned word, Value* amount);
  Value* active_lanes(Value* mask);  // i64
  // Runs `body(lane, i32)` for each active lane, in order; the builder is left behind the loop.
  void for_each_lane(Value* mask, const std::function<void(Value* lane)>& body);
  // A vector kept in memory so that lanes can be read or written by number.
  Value* spill(Value* v, const char* name);
  Value* lane_of(Value* spilled, Type* type, Value* lane);
  void set_lane(Value* spilled, Type* type, Value* lane, Value* v);
  Value* unspill(Value* spilled, Type* vector_type);
  Value* services_table();
  // The value of a service's parameter that the compiler fills in; `lane` where it is called for each lane.
  Value* value_of(Role role, llvm::CallInst& call, Value* lane = nullptr);
  Value* site_of(llvm::Instruction& i);

  // --- common
  Type* wide(Type* scalar) const;
  Value* lanes_constant(const LaneConstants& lanes, Type* element) const;
  Value* splat(Value* s);
  Value* mask_bits(Value* mask);  // i32
  Value* any(Value* mask);        // i1
  Value* block_field(unsigned offset, Type* type, const char* name);
  Value* block_value(Dialect which);
  Value* bits_mask(Value* bits);  // <32 x i1> from i32
  llvm::AllocaInst* slot(Type* type, const llvm::Twine& name);

  llvm::Function& kernel_;
  BlockShape block_;
  VectoriseOptions options_;
  LaneShapes shapes_;
  ControlPlan plan_;
  llvm::LLVMContext& context_;
  llvm::Function* warp_function_ = nullptr;
  llvm::IRBuilder<> b_;
  Value* block_arg_ = nullptr;
  Value* warp_arg_ = nullptr;
  BasicBlock* prologue_ = nullptr;  // allocas and block values
  llvm::Instruction* prologue_end_ = nullptr;

  llvm::DenseMap<Value*, LaneVector> values_;
  llvm::DenseMap<Value*, llvm::SmallVector<Value*, 2>> fields_;  // results {a, b} of dialect calls
  llvm::DenseMap<Value*, Value*> guards_;                        // extension → i1: no lane wraps
  llvm::DenseMap<unsigned, Value*> block_values_;
  llvm::DenseMap<unsigned, Value*> pointed_to_;  // index * bytes of a PointedTo + offset of a field
  llvm::DenseMap<llvm::PHINode*, llvm::AllocaInst*> phi_slots_;
  llvm::DenseMap<const Node*, llvm::AllocaInst*> mask_slots_;
  llvm::DenseMap<Level*, llvm::AllocaInst*> live_slots_;  // divergent loops: lanes that go round again
  llvm::DenseMap<const Node*, Value*> masks_;
  llvm::DenseMap<Level*, Value*> level_masks_;
  llvm::DenseMap<const Node*, BasicBlock*> entries_;
  llvm::DenseMap<Level*, BasicBlock*> loop_starts_, loop_ends_;
  llvm::DenseMap<unsigned, llvm::AllocaInst*> fragments_,
      products_;  // what matrix products of so many words pass and get
  // What image accesses pass and get, each used by one call at a time.
  llvm::AllocaInst *image_handles_ = nullptr, *image_words_ = nullptr, *image_results_ = nullptr;
  Value* mask_ = nullptr;      // of the block being emitted
  unsigned space_ = kGeneric;  // of the program's access being emitted (InSpace)
  std::string failure_;
};

}  // namespace warpwise::simt
