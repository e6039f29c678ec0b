// Accesses that may race, in code that is watched (events.h): what Dialect::Race becomes.
//
//     shared memory, and nothing in this region writes it?             nothing (redundant_race_checks.h)
//     in memory that nobody writes while the kernel runs?              nothing
//     the cells of all lanes' words (race_cells.h): is whoever was     the cells become this warp's
//       there over, or this very thread?
//     else                                                             the checker is told of all lanes, and sees to
//     the cells
//
// Cells are read and written by the same pattern as the memory that they stand for. Each question is a branch whose
// second side is right for every warp (interleave_warps.h), so that gangs form as if nothing were watched. In a gang
// all warps read their cells before any writes its own; so do the lanes of one warp that share a word. What was written
// is therefore read once more: a writer that finds somebody else there puts back what was there before, and tells; a
// reader that finds another warp marks that there are several.
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "simt/abi.h"
#include "simt/block/interleave_warps.h"
#include "simt/compiler.h"
#include "simt/instrument/events.h"
#include "simt/instrument/race_cells.h"
#include "simt/instrument/redundant_race_checks.h"
#include "simt/vectorise/vectoriser.h"

namespace warpwise::simt {

using namespace llvm;

// One access. Values are vectors of the lanes, or numbers where all lanes have one address.
class Vectoriser::RaceEmitter {
 public:
  RaceEmitter(Vectoriser& w, CallInst& call)
      : w_(w),
        b_(w.b_),
        call_(call),
        look_(ShadowCheck::unpack(cast<ConstantInt>(call.getArgOperand(0))->getZExtValue())),
        number_(uint32_t(cast<ConstantInt>(call.getArgOperand(4))->getZExtValue())),
        load_(look_.event.access == AccessKind::Load),
        atomic_(look_.event.access == AccessKind::Atomic),
        shared_(look_.space == kShared),
        a_(w.address_at(look_.space, call.getArgOperand(1))),
        one_(a_.own.is_uniform()),
        place_(b_.getCurrentDebugLocation()),
        done_(block("raced")) {}

  void run() {
    if (look_.regional) ask_region();
    if (Value* quiet = w_.lies_within(a_, look_, offsetof(PointedTo, quiet))) {
      BasicBlock* closer = block("race");
      guard(quiet, done_, closer);
      b_.SetInsertPoint(closer);
    }
    if (look_.simple && look_.event.bytes % 4 == 0)
      compare();
    else
      tell();
    b_.CreateBr(done_);
    b_.SetInsertPoint(done_);
  }

 private:
  struct Word {
    Value *writer, *reader;
  };

  BasicBlock* block(const char* name) { return BasicBlock::Create(w_.context_, name, w_.warp_function_); }
  void guard(Value* condition, BasicBlock* yes, BasicBlock* no) {
    b_.CreateCondBr(condition, yes, no, MDBuilder(w_.context_).createLikelyBranchWeights())
        ->setMetadata(kGuardBranch, MDNode::get(w_.context_, {}));
  }
  // Goes on where the condition holds; where not, the checker is told and that is all.
  void demand(Value* condition, const std::function<void()>& before_telling = [] {}) {
    BasicBlock *yes = block("race.on"), *no = block("race.tell");
    guard(condition, yes, no);
    b_.SetInsertPoint(no);
    before_telling();
    tell();
    b_.CreateBr(done_);
    b_.SetInsertPoint(yes);
  }

  void tell() {
    Value* value = call_.getArgOperand(2);
    const Shape& shape = w_.shapes_.of(value);
    Value* values = shape.is_affine() && shape.corrections.empty()
                        ? w_.affine_vector(shape, w_.scalar(value), b_.getInt64Ty())
                        : w_.vector(value);
    w_.tell(w_.mask_bits(w_.mask_), b_.getInt32(look_.event.pack()), w_.generic_addresses(a_), values,
            call_.getArgOperand(3));
  }

  void ask_region() {
    FunctionCallee question =
        w_.warp_function_->getParent()->getOrInsertFunction(kRaceQuestion, b_.getInt1Ty(), b_.getInt32Ty());
    cast<Function>(question.getCallee())->setDoesNotAccessMemory();
    Value* answer = b_.CreateCall(question, {b_.getInt32(uint32_t(look_.event.access))});
    if (!look_.simple) return;  // is told in any case, but the others must know of it
    BasicBlock* matters = block("race.matters");
    b_.CreateCondBr(answer, matters, done_);
    b_.SetInsertPoint(matters);
  }

  // --- where this block's numbers stand (RaceEpochs), which changes while it runs

  Value* field(unsigned offset) {
    Value* table = w_.block_field(offsetof(BlockContext, race), b_.getInt64Ty(), "race");
    return b_.CreateAlignedLoad(b_.getInt32Ty(), field_pointer(table, offset), Align(4));
  }
  Value* field_pointer(Value* table, unsigned offset) {
    return b_.CreateIntToPtr(b_.CreateAdd(table, b_.getInt64(offset)), b_.getPtrTy());
  }
  unsigned space_field(unsigned offset) const {
    return unsigned(offsetof(RaceEpochs, spaces)) + unsigned(shared_) * unsigned(sizeof(RaceEpochs::Space)) + offset;
  }
  Value* epoch_of_warp() {
    Value* table = w_.block_field(offsetof(BlockContext, race), b_.getInt64Ty(), "race");
    Value* of_warp = b_.CreateAdd(table, b_.CreateShl(b_.CreateZExt(w_.warp_arg_, b_.getInt64Ty()), b_.getInt64(2)));
    return b_.CreateAlignedLoad(b_.getInt32Ty(), field_pointer(of_warp, space_field(offsetof(RaceEpochs::Space, now))),
                                Align(4));
  }

  // --- what may be asked here at all

  void demand_ordinary() {
    Value* bits = w_.mask_bits(w_.mask_);
    Value* may =
        b_.CreateICmpNE(field(atomic_ ? offsetof(RaceEpochs, sums) : offsetof(RaceEpochs, quick)), b_.getInt32(0));
    auto also = [&](Value* condition) { may = b_.CreateAnd(may, condition); };
    now_ = epoch_of_warp();
    also(b_.CreateICmpNE(now_, b_.getInt32(0)));
    if (one_) {
      // Who stands for all is the last, as for whoever looks closer; of several writers of one word each is looked at.
      lane_ = b_.CreateSub(b_.getInt32(kLanes - 1), b_.CreateBinaryIntrinsic(Intrinsic::ctlz, bits, b_.getFalse()));
      if (!load_ && !atomic_)
        also(b_.CreateICmpEQ(b_.CreateAnd(bits, b_.CreateSub(bits, b_.getInt32(1))), b_.getInt32(0)));
      active_ = b_.CreateICmpNE(bits, b_.getInt32(0));
    }
    if (a_.corrected) also(w_.guard_of(a_.own));
    also(nobody(w_.misaligned(a_, 2)));
    if (look_.space == kGeneric) {  // shared and local memory by another name
      Value* engine = a_.own.is_affine() ? nullptr : w_.vector_of_address(a_);
      if (!engine) engine = one_ ? a_.base : w_.affine_vector(a_.own, a_.base, b_.getInt64Ty());
      auto in_window = [&](Value* base, Value* bytes) {
        const bool lanes = engine->getType()->isVectorTy();
        return b_.CreateICmpULT(b_.CreateSub(engine, lanes ? w_.splat(base) : base), lanes ? w_.splat(bytes) : bytes);
      };
      Type* i64 = b_.getInt64Ty();
      Value* shared_bytes = b_.CreateZExt(
          w_.block_field(offsetof(BlockContext, total_shared_bytes), b_.getInt32Ty(), "total_shared_bytes"), i64);
      also(nobody(in_window(w_.block_field(offsetof(BlockContext, shared), i64, "shared"), shared_bytes)));
      if (w_.options_.local_stride != 0)
        also(nobody(in_window(w_.block_field(offsetof(BlockContext, local), i64, "local"),
                              b_.getInt64(uint64_t{w_.block_.threads()} * w_.options_.local_stride))));
    }
    demand(may);
  }

  // Of the active lanes.
  Value* nobody(Value* lanes) {
    if (!lanes->getType()->isVectorTy()) return b_.CreateNot(one_ ? b_.CreateAnd(lanes, active_) : lanes);
    return b_.CreateICmpEQ(w_.mask_bits(b_.CreateAnd(w_.mask_, b_.CreateFreeze(lanes))), b_.getInt32(0));
  }

  // --- cells

  Value* each(Value* v) { return one_ ? v : w_.splat(v); }
  Value* each(uint32_t v) { return each(b_.getInt32(v)); }

  // The cells of one of the access's words. Column: so that a fault there tells the address of the access.
  Address cells(unsigned plane, unsigned word) {
    const uint64_t distance = kShadowDistances[plane] - 4 * word;
    Address at = a_;
    if (at.base) at.base = b_.CreateSub(a_.base, b_.getInt64(distance));
    at.extra = b_.CreateSub(a_.extra, b_.getInt64(distance));
    at.corrected = false;
    if (place_)
      b_.SetCurrentDebugLocation(DILocation::get(w_.context_, place_.getLine(), plane * kShadowColumn + 1,
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
      v = w_.gather(w_.vector_of_address(at), i32, Align(4), w_.mask_);
    else if (v = w_.load_from_afar(at, i32, Align(4)); !v) {
      v = w_.gather_near(at, i32, Align(4), w_.mask_);
      if (!v) v = w_.gather(w_.affine_vector(at.own, at.base, i64), i32, Align(4), w_.mask_);
    }
    b_.SetCurrentDebugLocation(place_);
    return b_.CreateFreeze(v);
  }

  // In those of the active lanes.
  void write(unsigned plane, unsigned word, Value* v, Value* lanes = nullptr) {
    const Address at = cells(plane, word);
    if (!one_) lanes = lanes ? b_.CreateAnd(w_.mask_, lanes) : w_.mask_;
    if (one_) {
      // A gang's warps that have nothing to write must not: a vector whose first lane alone may be stored.
      auto* four = FixedVectorType::get(b_.getInt32Ty(), 4);
      Value* first = b_.CreateInsertElement(Constant::getNullValue(four->getWithNewBitWidth(1)),
                                            lanes ? b_.CreateAnd(active_, lanes) : active_, uint64_t{0});
      b_.CreateMaskedStore(b_.CreateInsertElement(PoisonValue::get(four), v, uint64_t{0}),
                           b_.CreateIntToPtr(at.base, b_.getPtrTy()), Align(4), first);
    } else if (!at.own.is_affine())
      w_.scatter(w_.vector_of_address(at), v, Align(4), lanes);
    else if (!w_.store_pattern(at, v, Align(4), lanes))
      w_.scatter(w_.affine_vector(at.own, at.base, b_.getInt64Ty()), v, Align(4), lanes);
    b_.SetCurrentDebugLocation(place_);
  }

  void compare() {
    constexpr unsigned kWriters = 2, kReaders = 3;  // of kShadowDistances
    demand_ordinary();
    const uint32_t numbers = numbers_of_site(w_.block_.threads());
    // This thread's number.
    Value* first = b_.CreateAdd(b_.CreateAdd(now_, b_.getInt32(number_ * numbers)),
                                b_.CreateMul(w_.warp_arg_, b_.getInt32(2 * kLanes)));
    Value* me;
    if (one_) {
      me = b_.CreateAdd(first, b_.CreateShl(lane_, b_.getInt32(1)));
    } else {
      LaneConstants steps;
      for (unsigned l = 0; l < kLanes; ++l) steps[l] = 2 * int64_t(l);
      me = b_.CreateAdd(w_.splat(first), w_.lanes_constant(steps, b_.getInt32Ty()));
    }
    Value* now = each(now_);
    Value* settled = field(space_field(offsetof(RaceEpochs::Space, settled)));
    Value* own = field(space_field(offsetof(RaceEpochs::Space, own)));
    Value* before = b_.CreateSub(settled, own);  // so many numbers of the block are over
    Value* since = each(b_.CreateSub(field(space_field(offsetof(RaceEpochs::Space, own_count))), before));
    Value* launch = shared_ ? nullptr : each(field(space_field(offsetof(RaceEpochs::Space, launch))));
    Value* own_count = shared_ || !atomic_ ? nullptr : each(field(space_field(offsetof(RaceEpochs::Space, own_count))));
    settled = each(settled), own = each(own), before = each(before);
    auto zero = [&](Value* v) { return b_.CreateICmpEQ(v, Constant::getNullValue(v->getType())); };
    auto bits_of = [&](Value* v, uint32_t mask) { return b_.CreateAnd(v, each(mask)); };
    // What there is to know of the number in a cell: the moment is over for this warp; it is this very thread, at this
    // clock.
    struct Known {
      Value *over, *same, *marked;
    };
    auto know = [&](Value* v) -> Known {
      Value* recent = b_.CreateICmpULT(b_.CreateSub(v, settled), since);  // the block's own, and not settled
      Value* apart = b_.CreateXor(v, me);
      Value* earlier = b_.CreateICmpULT(v, now);
      Value* own_warp = b_.CreateAnd(recent, zero(bits_of(apart, (numbers - 1) & ~(2 * kLanes - 1))));
      // A block that uses shared memory behind others knows nothing of them.
      Value* over = shared_ ? b_.CreateICmpULT(v, settled)
                            : b_.CreateOr(b_.CreateICmpULT(v, launch), b_.CreateICmpULT(b_.CreateSub(v, own), before));
      return {b_.CreateOr(over, b_.CreateAnd(own_warp, earlier)),
              b_.CreateAnd(b_.CreateAnd(recent, b_.CreateNot(earlier)), zero(bits_of(apart, numbers - 2))),
              b_.CreateNot(zero(bits_of(v, kMarked)))};
    };

    const unsigned words = look_.event.bytes / 4;
    SmallVector<Word, 4> there;
    SmallVector<Known, 4> readers, writers;
    Value* wrong = nullptr;
    auto also_wrong = [&](Value* v) { wrong = wrong ? b_.CreateOr(wrong, v) : v; };
    for (unsigned word = 0; word < words; ++word) {
      there.push_back({read(kWriters, word), read(kReaders, word)});
      writers.push_back(know(there.back().writer)), readers.push_back(know(there.back().reader));
      const Known &writer = writers.back(), &reader = readers.back();
      Value* fine = b_.CreateOr(writer.over, writer.same);
      // Sums meet. Words in parts are the checker's.
      if (atomic_) {
        Value* sum = b_.CreateAnd(writer.marked, b_.CreateICmpNE(there.back().writer, each(kSplitCell)));
        // A plain write of this launch must not be hidden from other blocks (race_checker.h).
        if (!shared_) fine = b_.CreateOr(writer.same, b_.CreateICmpULT(there.back().writer, launch));
        fine = b_.CreateOr(fine, sum);
      }
      also_wrong(b_.CreateNot(fine));
      if (load_) continue;
      also_wrong(b_.CreateNot(b_.CreateOr(reader.over, b_.CreateAnd(reader.same, b_.CreateNot(reader.marked)))));
    }
    Value* quiet = load_ ? b_.CreateICmpNE(field(offsetof(RaceEpochs, quiet)), b_.getInt32(0)) : nullptr;
    if (load_)
      for (const Known& reader : readers)
        also_wrong(b_.CreateNot(b_.CreateOr(b_.CreateOr(reader.over, reader.same), each(quiet))));
    demand(nobody(wrong));

    Value* table = w_.block_field(offsetof(BlockContext, race), b_.getInt64Ty(), "race");
    b_.CreateAlignedStore(b_.getInt32(1), field_pointer(table, space_field(offsetof(RaceEpochs::Space, touched))),
                          Align(4));
    Value* mark = each(kMarked);
    for (unsigned word = 0; word < words; ++word) {
      if (load_) {
        // The first of several readers stays, but of one instruction that of the highest number (race_checker.h).
        Value* reader = there[word].reader;
        Value* one_instruction = b_.CreateICmpULT(b_.CreateXor(reader, me), each(numbers));
        Value* kept = b_.CreateOr(
            b_.CreateSelect(one_instruction, b_.CreateBinaryIntrinsic(Intrinsic::umax, reader, me), reader), mark);
        Value* becomes = b_.CreateSelect(readers[word].over, me, b_.CreateSelect(readers[word].same, reader, kept));
        write(kReaders, word, becomes);
        Value* left = read(kReaders, word);
        // Lanes of a warp that read one word together are one reader.
        Value* others = b_.CreateAnd(b_.CreateICmpNE(left, becomes),
                                     b_.CreateNot(zero(bits_of(b_.CreateXor(left, me), ~(2 * kLanes - 1)))));
        BasicBlock *join = block("race.readers"), *next = block("race.read");
        guard(nobody(others), next, join);
        b_.SetInsertPoint(join);
        write(kReaders, word, b_.CreateOr(left, mark), others);
        b_.CreateBr(next);
        b_.SetInsertPoint(next);
      } else if (atomic_) {
        // A thread's own atomic does not hide the plain write before it.
        Value* hides = b_.CreateAnd(writers[word].same, b_.CreateNot(writers[word].marked));
        Value* stays = hides;
        if (!shared_ && !look_.event.reads) {  // of atomics of several blocks the first
          Value* there_is = there[word].writer;
          Value* foreign = b_.CreateAnd(b_.CreateICmpUGE(there_is, launch),
                                        b_.CreateICmpUGE(b_.CreateSub(there_is, own), own_count));
          stays = b_.CreateOr(stays, b_.CreateAnd(writers[word].marked, foreign));
        }
        write(kWriters, word, b_.CreateSelect(stays, there[word].writer, b_.CreateOr(me, mark)));
      } else {
        write(kWriters, word, me);
      }
    }
    if (load_ || atomic_) return;
    Value* clash = nullptr;
    for (unsigned word = 0; word < words; ++word) {
      Value* other = b_.CreateICmpNE(read(kWriters, word), me);
      clash = clash ? b_.CreateOr(clash, other) : other;
    }
    demand(nobody(clash), [&] {
      for (unsigned word = 0; word < words; ++word) write(kWriters, word, there[word].writer);
    });
  }

  Vectoriser& w_;
  IRBuilder<>& b_;
  CallInst& call_;
  const ShadowCheck look_;
  const uint32_t number_;
  const bool load_, atomic_, shared_;
  const Address a_;
  const bool one_;  // address for all lanes
  const DebugLoc place_;
  BasicBlock* done_;
  Value *now_ = nullptr, *lane_ = nullptr, *active_ = nullptr;
};

void Vectoriser::emit_race(CallInst& call) { RaceEmitter(*this, call).run(); }

}  // namespace warpwise::simt
