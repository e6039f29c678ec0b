// Race checks of accesses, for the vectoriser: what Dialect::Race (access_checks.h) becomes.
//
//     shared memory that nothing in this region writes?               nothing (redundant_race_checks.h)
//     memory that is not written while the kernel runs?               nothing
//     memory that is known to be free of races?                       the cells become this warp's
//     compare the cells of all lanes' words (race_cells.h): is every  ordered: the cells become this warp's
//     earlier access ordered before this one, or by this thread?      not ordered: an event for all lanes; the checker
//                                                                     decides and updates the cells
//
// Cells are epochs, as in FastTrack (Flanagan and Freund, 2009): one word for the last writer, one for the last reader.
// They are read and written by the same access pattern as the memory that they describe. Each test is a branch whose
// second side is right for every warp (block/interleave_warps.h), so warps are interleaved as in code without checks.
//
// Interleaved warps all read their cells before any of them writes its own, and so do lanes of one warp that share a
// word. Therefore what was written is read once more. A writer that finds another there puts back what was there
// before, and reports an event. A reader that finds another warp marks that there are several readers.
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/block/interleave_warps.h"
#include "simt/compiler.h"
#include "simt/instrument/access_checks.h"
#include "simt/instrument/events.h"
#include "simt/instrument/race_cells.h"
#include "simt/instrument/redundant_race_checks.h"
#include "simt/instrument/shadow.h"
#include "simt/instrument/vectorise_checks.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// One access. Values are vectors of the lanes, or numbers where all lanes have one address.
class RaceCheckEmitter : WarpEmitter {
 public:
  using Address = MemoryEmitter::Address;
  RaceCheckEmitter(WarpBuilder& w, CheckEmitters& emitters, CallInst& call)
      : WarpEmitter(w),
        memory_(emitters.memory),
        addresses_(emitters.addresses),
        events_(emitters.events),
        call_(call),
        check_(unpack_check<RaceCheck>(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue())),
        number_(uint32_t(cast<ConstantInt>(call.getArgOperand(4))->getZExtValue())),
        load_(check_.at.access.kind == AccessKind::Load),
        atomic_(check_.at.access.kind == AccessKind::Atomic),
        shared_(check_.at.space == kShared),
        a_(memory_.address_at(check_.at.space, call.getArgOperand(1))),
        one_(a_.own.is_uniform()),
        place_(b_.getCurrentDebugLocation()),
        done_(block("raced")) {}

  void run() {
    if (check_.regional) test_region();
    if (!check_.apart && !check_.among_atomics) skip_unwritten();
    if (check_.simple && check_.at.access.bytes % 4 == 0)
      compare();
    else
      report();
    b_.CreateBr(done_);
    b_.SetInsertPoint(done_);
  }

 private:
  struct Word {
    Value *writer, *reader;
  };

  BasicBlock* block(const char* name) { return BasicBlock::Create(context_, name, warp_function_); }
  void guard(Value* condition, BasicBlock* yes, BasicBlock* no) {
    b_.CreateCondBr(condition, yes, no, MDBuilder(context_).createLikelyBranchWeights())
        ->setMetadata(kGuardBranch, MDNode::get(context_, {}));
  }
  // Continues where the condition holds. Elsewhere an event goes to the checker, and the access is done with.
  void require(Value* condition, const std::function<void()>& before_report = [] {}) {
    BasicBlock *yes = block("race.on"), *no = block("race.event");
    guard(condition, yes, no);
    b_.SetInsertPoint(no);
    before_report();
    report();
    b_.CreateBr(done_);
    b_.SetInsertPoint(yes);
  }

  void report() {
    Value* value = call_.getArgOperand(2);
    const Shape& shape = shapes_.of(value);
    Value* values = shape.is_affine() && shape.corrections.empty()
                        ? affine_vector(shape, scalar(value), b_.getInt64Ty())
                        : vector(value);
    events_.report(mask_bits(mask_), b_.getInt32(pack(check_.event())), addresses_.generic_addresses(a_), values,
                   call_.getArgOperand(3));
  }

  void skip_unwritten() {
    Value* unwritten = addresses_.lies_within(a_, check_.at, offsetof(PointedTo, unwritten));
    if (!unwritten) return;
    BasicBlock* closer = block("race");
    guard(unwritten, done_, closer);
    b_.SetInsertPoint(closer);
  }

  // Where no other thread accesses these words, the cells are written and not read. They are for later commands.
  void note_apart() {
    Value* apart = addresses_.lies_within(a_, check_.at, offsetof(PointedTo, apart));
    if (!apart) return;
    BasicBlock *own = block("race.own"), *compared = block("race.compare");
    guard(apart, own, compared);
    b_.SetInsertPoint(own);
    if (!check_.rewritten) {
      find_number();
      note_use();
      for (unsigned word = 0; word < check_.at.access.bytes / 4; ++word) write(load_ ? kReaders : kWriters, word, me_);
    }
    b_.CreateBr(done_);
    b_.SetInsertPoint(compared);
  }

  // Where there is nothing but atomics, none of them races. Of each word the first block's is kept for later commands,
  // as update_atomic() has it: soon the others have nothing to write.
  void note_atomic() {
    Value* among = addresses_.lies_within(a_, check_.at, offsetof(PointedTo, atomic));
    if (!among) return;
    BasicBlock *atomics = block("race.atomics"), *compared = block("race.compare");
    guard(among, atomics, compared);
    b_.SetInsertPoint(atomics);
    load_epochs();
    mark_ = each(kMarked);
    for (unsigned word = 0; word < check_.at.access.bytes / 4; ++word) {
      Value* fresh = b_.CreateNot(is_of_other_block(read(kWriters, word)));
      BasicBlock *first = block("race.first"), *next = block("race.next");
      guard(no_active_lane(fresh), next, first);
      b_.SetInsertPoint(first);
      note_use();
      write(kWriters, word, b_.CreateOr(me_, mark_), fresh);
      b_.CreateBr(next);
      b_.SetInsertPoint(next);
    }
    b_.CreateBr(done_);
    b_.SetInsertPoint(compared);
  }

  // A number of another block of this launch.
  Value* is_of_other_block(Value* cell) {
    return b_.CreateAnd(b_.CreateICmpUGE(cell, launch_), b_.CreateICmpUGE(b_.CreateSub(cell, own_), own_count_));
  }

  void test_region() {
    FunctionCallee question = warp_function_->getParent()->getOrInsertFunction(kRaceQuestion, b_.getInt1Ty(),
                                                                               b_.getInt32Ty(), b_.getInt1Ty());
    cast<Function>(question.getCallee())->setDoesNotAccessMemory();
    Value* answer =
        b_.CreateCall(question, {b_.getInt32(uint32_t(check_.at.access.kind)), b_.getInt1(check_.disjoint)});
    if (!check_.simple) return;  // is reported in any case, but the region must know of it
    BasicBlock* matters = block("race.matters");
    b_.CreateCondBr(answer, matters, done_);
    b_.SetInsertPoint(matters);
  }

  // --- the block's epochs (RaceEpochs), which change while it runs

  Value* field(unsigned offset) {
    Value* table = block_field(offsetof(BlockContext, race), b_.getInt64Ty(), "race");
    return b_.CreateAlignedLoad(b_.getInt32Ty(), field_pointer(table, offset), Align(4));
  }
  Value* field_pointer(Value* table, unsigned offset) {
    return b_.CreateIntToPtr(b_.CreateAdd(table, b_.getInt64(offset)), b_.getPtrTy());
  }
  unsigned space_field(unsigned offset) const {
    return unsigned(offsetof(RaceEpochs, spaces)) + unsigned(shared_) * unsigned(sizeof(RaceEpochs::Space)) + offset;
  }
  Value* epoch_of_warp() {
    Value* table = block_field(offsetof(BlockContext, race), b_.getInt64Ty(), "race");
    Value* of_warp = b_.CreateAdd(table, b_.CreateShl(b_.CreateZExt(warp_arg_, b_.getInt64Ty()), b_.getInt64(2)));
    return b_.CreateAlignedLoad(b_.getInt32Ty(), field_pointer(of_warp, space_field(offsetof(RaceEpochs::Space, now))),
                                Align(4));
  }

  // --- whether the cells can be compared here at all: not for some kinds of memory, addresses and masks

  void require_ordinary() {
    Value* bits = mask_bits(mask_);
    Value* may =
        b_.CreateICmpNE(field(atomic_ ? offsetof(RaceEpochs, sums) : offsetof(RaceEpochs, quick)), b_.getInt32(0));
    auto also = [&](Value* condition) { may = b_.CreateAnd(may, condition); };
    now_ = epoch_of_warp();
    also(b_.CreateICmpNE(now_, b_.getInt32(0)));
    if (one_) {
      // The last lane stands for all, as in the checker. Several writers of one word are left to the checker.
      lane_ = b_.CreateSub(b_.getInt32(kLanes - 1), b_.CreateBinaryIntrinsic(Intrinsic::ctlz, bits, b_.getFalse()));
      if (!load_ && !atomic_)
        also(b_.CreateICmpEQ(b_.CreateAnd(bits, b_.CreateSub(bits, b_.getInt32(1))), b_.getInt32(0)));
      active_ = b_.CreateICmpNE(bits, b_.getInt32(0));
    }
    if (a_.corrected) also(memory_.guard_of(a_.own));
    also(no_active_lane(addresses_.misaligned(a_, 2)));
    if (check_.at.space == kGeneric) {  // shared and local memory by another name
      Value* engine = a_.own.is_affine() ? nullptr : memory_.vector_of_address(a_);
      if (!engine) engine = one_ ? a_.base : affine_vector(a_.own, a_.base, b_.getInt64Ty());
      auto in_window = [&](Value* base, Value* bytes) {
        const bool lanes = engine->getType()->isVectorTy();
        return b_.CreateICmpULT(b_.CreateSub(engine, lanes ? splat(base) : base), lanes ? splat(bytes) : bytes);
      };
      Type* i64 = b_.getInt64Ty();
      Value* shared_bytes = b_.CreateZExt(
          block_field(offsetof(BlockContext, total_shared_bytes), b_.getInt32Ty(), "total_shared_bytes"), i64);
      also(no_active_lane(in_window(block_field(offsetof(BlockContext, shared), i64, "shared"), shared_bytes)));
      if (options_.local_stride != 0)
        also(no_active_lane(in_window(block_field(offsetof(BlockContext, local), i64, "local"),
                                      b_.getInt64(uint64_t{block_.threads()} * options_.local_stride))));
    }
    if (!is_noted()) also(may_compare());
    require(may);
  }

  // Whether there may be memory here of which the cells need no comparison: whatever else is asked comes afterwards.
  bool is_noted() const { return check_.apart || check_.among_atomics; }
  Value* may_compare() {
    return shared_ ? b_.getTrue()
                   : b_.CreateICmpNE(field(space_field(offsetof(RaceEpochs::Space, compares))), b_.getInt32(0));
  }

  // Whether the condition holds in none of the active lanes.
  Value* no_active_lane(Value* lanes) {
    if (!lanes->getType()->isVectorTy()) return b_.CreateNot(one_ ? b_.CreateAnd(lanes, active_) : lanes);
    return b_.CreateICmpEQ(mask_bits(b_.CreateAnd(mask_, b_.CreateFreeze(lanes))), b_.getInt32(0));
  }

  // --- cells

  Value* each(Value* v) { return one_ ? v : splat(v); }
  Value* each(uint32_t v) { return each(b_.getInt32(v)); }

  // The cells of one of the access's words. The debug column says that a fault there belongs to the access.
  Address cells(unsigned plane, unsigned word) {
    const uint64_t distance = kShadowDistances[plane] - 4 * word;
    Address at = a_;
    if (at.base) at.base = b_.CreateSub(a_.base, b_.getInt64(distance));
    at.extra = b_.CreateSub(a_.extra, b_.getInt64(distance));
    at.corrected = false;
    if (place_)
      b_.SetCurrentDebugLocation(DILocation::get(context_, place_.getLine(), plane * kShadowColumn + 1,
                                                 place_.getScope(), place_.getInlinedAt()));
    return at;
  }

  Value* read(unsigned plane, unsigned word) {
    const Address at = cells(plane, word);
    Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
    Value* v;
    if (one_)
      v = b_.CreateAlignedLoad(i32, b_.CreateIntToPtr(at.base, b_.getPtrTy()), Align(4), "cell");
    else if (!at.own.is_affine())
      v = memory_.gather(memory_.vector_of_address(at), i32, Align(4), mask_);
    else if (v = memory_.load_from_afar(at, i32, Align(4)); !v) {
      v = memory_.gather_near(at, i32, Align(4), mask_);
      if (!v) v = memory_.gather(affine_vector(at.own, at.base, i64), i32, Align(4), mask_);
    }
    b_.SetCurrentDebugLocation(place_);
    return b_.CreateFreeze(v);
  }

  // In those of the active lanes.
  void write(unsigned plane, unsigned word, Value* v, Value* lanes = nullptr) {
    const Address at = cells(plane, word);
    if (!one_) lanes = lanes ? b_.CreateAnd(mask_, lanes) : mask_;
    if (one_) {
      // An interleaved warp without active lanes must not write: store a vector of which only the first lane is
      // enabled.
      auto* four = FixedVectorType::get(b_.getInt32Ty(), 4);
      Value* first = b_.CreateInsertElement(Constant::getNullValue(four->getWithNewBitWidth(1)),
                                            lanes ? b_.CreateAnd(active_, lanes) : active_, uint64_t{0});
      b_.CreateMaskedStore(b_.CreateInsertElement(PoisonValue::get(four), v, uint64_t{0}),
                           b_.CreateIntToPtr(at.base, b_.getPtrTy()), Align(4), first);
    } else if (!at.own.is_affine())
      memory_.scatter(memory_.vector_of_address(at), v, Align(4), lanes);
    else if (!memory_.store_pattern(at, v, Align(4), lanes))
      memory_.scatter(affine_vector(at.own, at.base, b_.getInt64Ty()), v, Align(4), lanes);
    b_.SetCurrentDebugLocation(place_);
  }

  // --- the comparison
  //
  //     for each word of the access:
  //       writer, reader = its cells
  //       a load needs      the writer ordered before it, or the same thread; the same of the reader, or a block that
  //                         only barriers order
  //       a store needs     the writer ordered before it, or the same thread; the same of an unmarked reader
  //       an atomic needs   the same as a store, but the writer may be an atomic
  //     if a word lacks what it needs in some lane: event, done
  //     for each word: its cells become this thread's (update_reader, update_atomic, update_writer)
  //     a store reads its cells back: if another thread's number is there, restore them; event

  static constexpr unsigned kWriters = 2, kReaders = 3;  // of kShadowDistances

  // What is known of the number in a cell.
  struct Known {
    Value* over;    // ordered before this access
    Value* same;    // of this very thread, at this clock
    Value* marked;  // has the mark (race_cells.h)
  };

  void compare() {
    require_ordinary();
    if (check_.apart) note_apart();
    if (check_.among_atomics) note_atomic();
    if (is_noted()) require(may_compare());
    load_epochs();
    const unsigned words = check_.at.access.bytes / 4;
    SmallVector<Word, 4> there;
    SmallVector<Known, 4> readers, writers;
    Value* wrong = nullptr;
    auto also_wrong = [&](Value* v) { wrong = wrong ? b_.CreateOr(wrong, v) : v; };
    for (unsigned word = 0; word < words; ++word) {
      there.push_back({read(kWriters, word), read(kReaders, word)});
      writers.push_back(know(there.back().writer)), readers.push_back(know(there.back().reader));
      also_wrong(b_.CreateNot(allows_writer(writers.back(), there.back().writer)));
      if (load_) continue;
      const Known& reader = readers.back();
      also_wrong(b_.CreateNot(b_.CreateOr(reader.over, b_.CreateAnd(reader.same, b_.CreateNot(reader.marked)))));
    }
    Value* barriers_only =
        load_ ? b_.CreateICmpNE(field(offsetof(RaceEpochs, barriers_only)), b_.getInt32(0)) : nullptr;
    if (load_)
      for (const Known& reader : readers)
        also_wrong(b_.CreateNot(b_.CreateOr(b_.CreateOr(reader.over, reader.same), each(barriers_only))));
    require(no_active_lane(wrong));

    note_use();
    mark_ = each(kMarked);
    for (unsigned word = 0; word < words; ++word) {
      if (load_)
        update_reader(word, there[word].reader, readers[word]);
      else if (atomic_)
        update_atomic(word, there[word].writer, writers[word]);
      else
        write(kWriters, word, me_);
    }
    if (!load_ && !atomic_) read_back(there);
  }

  // A number of the epoch has been used.
  void note_use() {
    Value* table = block_field(offsetof(BlockContext, race), b_.getInt64Ty(), "race");
    b_.CreateAlignedStore(b_.getInt32(1), field_pointer(table, space_field(offsetof(RaceEpochs::Space, touched))),
                          Align(4));
  }

  // This thread's number.
  void find_number() {
    numbers_ = numbers_of_site(block_.threads());
    Value* first = b_.CreateAdd(b_.CreateAdd(now_, b_.getInt32(number_ * numbers_)),
                                b_.CreateMul(warp_arg_, b_.getInt32(2 * kLanes)));
    if (one_) {
      me_ = b_.CreateAdd(first, b_.CreateShl(lane_, b_.getInt32(1)));
    } else {
      LaneConstants steps;
      for (unsigned l = 0; l < kLanes; ++l) steps[l] = 2 * int64_t(l);
      me_ = b_.CreateAdd(splat(first), lanes_constant(steps, b_.getInt32Ty()));
    }
  }

  // ... and the block's numbers in the space of the access.
  void load_epochs() {
    find_number();
    begin_ = each(now_);
    Value* ordered = field(space_field(offsetof(RaceEpochs::Space, ordered)));
    Value* own = field(space_field(offsetof(RaceEpochs::Space, own)));
    Value* before = b_.CreateSub(ordered, own);
    since_ = each(b_.CreateSub(field(space_field(offsetof(RaceEpochs::Space, own_count))), before));
    launch_ = shared_ ? nullptr : each(field(space_field(offsetof(RaceEpochs::Space, launch))));
    own_count_ = shared_ || !atomic_ ? nullptr : each(field(space_field(offsetof(RaceEpochs::Space, own_count))));
    ordered_ = each(ordered), own_ = each(own), before_ = each(before);
  }

  Value* zero(Value* v) { return b_.CreateICmpEQ(v, Constant::getNullValue(v->getType())); }
  Value* bits_of(Value* v, uint32_t mask) { return b_.CreateAnd(v, each(mask)); }

  Known know(Value* v) {
    Value* recent = b_.CreateICmpULT(b_.CreateSub(v, ordered_), since_);  // the block's own, and not ordered before
    Value* apart = b_.CreateXor(v, me_);
    Value* earlier = b_.CreateICmpULT(v, begin_);
    Value* own_warp = b_.CreateAnd(recent, zero(bits_of(apart, (numbers_ - 1) & ~(2 * kLanes - 1))));
    // Shared memory that earlier blocks have used holds numbers below `ordered`.
    Value* over = shared_ ? b_.CreateICmpULT(v, ordered_)
                          : b_.CreateOr(b_.CreateICmpULT(v, launch_), b_.CreateICmpULT(b_.CreateSub(v, own_), before_));
    return {b_.CreateOr(over, b_.CreateAnd(own_warp, earlier)),
            b_.CreateAnd(b_.CreateAnd(recent, b_.CreateNot(earlier)), zero(bits_of(apart, numbers_ - 2))),
            b_.CreateNot(zero(bits_of(v, kMarked)))};
  }

  // Whether the access may follow the last write.
  Value* allows_writer(const Known& writer, Value* cell) {
    Value* fine = b_.CreateOr(writer.over, writer.same);
    if (!atomic_) return fine;
    // Atomics do not race with atomics. Words that are accessed in parts are left to the checker.
    Value* sum = b_.CreateAnd(writer.marked, b_.CreateICmpNE(cell, each(kSplitCell)));
    // A plain write of this launch must not be hidden from other blocks (word_history.h).
    if (!shared_) fine = b_.CreateOr(writer.same, b_.CreateICmpULT(cell, launch_));
    return b_.CreateOr(fine, sum);
  }

  // The first of several readers stays, but of one instruction that of the highest number (word_history.h).
  void update_reader(unsigned word, Value* reader, const Known& known) {
    Value* one_instruction = b_.CreateICmpULT(b_.CreateXor(reader, me_), each(numbers_));
    Value* kept = b_.CreateOr(
        b_.CreateSelect(one_instruction, b_.CreateBinaryIntrinsic(Intrinsic::umax, reader, me_), reader), mark_);
    Value* becomes = b_.CreateSelect(known.over, me_, b_.CreateSelect(known.same, reader, kept));
    write(kReaders, word, becomes);
    Value* left = read(kReaders, word);
    // Lanes of a warp that read one word together are one reader.
    Value* others = b_.CreateAnd(b_.CreateICmpNE(left, becomes),
                                 b_.CreateNot(zero(bits_of(b_.CreateXor(left, me_), ~(2 * kLanes - 1)))));
    BasicBlock *several = block("race.readers"), *next = block("race.read");
    guard(no_active_lane(others), next, several);
    b_.SetInsertPoint(several);
    write(kReaders, word, b_.CreateOr(left, mark_), others);
    b_.CreateBr(next);
    b_.SetInsertPoint(next);
  }

  void update_atomic(unsigned word, Value* writer, const Known& known) {
    // A thread's own atomic does not hide the plain write before it.
    Value* stays = b_.CreateAnd(known.same, b_.CreateNot(known.marked));
    if (!shared_ && !check_.observes) {  // of atomics of several blocks the first
      stays = b_.CreateOr(stays, b_.CreateAnd(known.marked, is_of_other_block(writer)));
    }
    write(kWriters, word, b_.CreateSelect(stays, writer, b_.CreateOr(me_, mark_)));
  }

  void read_back(ArrayRef<Word> there) {
    Value* clash = nullptr;
    for (unsigned word = 0; word < there.size(); ++word) {
      Value* other = b_.CreateICmpNE(read(kWriters, word), me_);
      clash = clash ? b_.CreateOr(clash, other) : other;
    }
    require(no_active_lane(clash), [&] {
      for (unsigned word = 0; word < there.size(); ++word) write(kWriters, word, there[word].writer);
    });
  }

  MemoryEmitter& memory_;
  CheckedAddresses& addresses_;
  EventEmitter& events_;
  CallInst& call_;
  const RaceCheck check_;
  const uint32_t number_;
  const bool load_, atomic_, shared_;
  const Address a_;
  const bool one_;  // address for all lanes
  const DebugLoc place_;
  BasicBlock* done_;
  Value *now_ = nullptr, *lane_ = nullptr, *active_ = nullptr;
  // load_epochs(): this thread's number, and those of RaceEpochs::Space, for each lane. So many numbers of the block
  // are over (before_), and so many are not (since_).
  uint32_t numbers_ = 0;
  Value *me_ = nullptr, *begin_ = nullptr, *ordered_ = nullptr, *own_ = nullptr, *before_ = nullptr, *since_ = nullptr;
  Value *launch_ = nullptr, *own_count_ = nullptr, *mark_ = nullptr;
};

}  // namespace

void emit_race_check(WarpBuilder& w, CheckEmitters& emitters, CallInst& call) {
  RaceCheckEmitter(w, emitters, call).run();
}

}  // namespace warpwise::simt
