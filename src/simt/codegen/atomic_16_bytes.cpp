#include "simt/codegen/atomic_16_bytes.h"

#include <llvm/IR/Constants.h>

#include <optional>

#include "simt/dialect.h"

namespace warpwise::simt {

using namespace llvm;

namespace {

// Which word it is of how many, if it is a strong access of 64 bits to memory that other host threads see.
std::optional<std::pair<uint64_t, uint64_t>> word_of(const Instruction& i) {
  auto* load = dyn_cast<LoadInst>(&i);
  auto* store = dyn_cast<StoreInst>(&i);
  if (load ? !load->isAtomic() : !store || !store->isAtomic()) return std::nullopt;
  const Type* type = load ? load->getType() : store->getValueOperand()->getType();
  const unsigned space = load ? load->getPointerAddressSpace() : store->getPointerAddressSpace();
  const MDNode* group = i.getMetadata("ww.group");
  if (!group || !type->isIntegerTy(64) || (space != kGlobal && space != kGeneric)) return std::nullopt;
  auto number = [&](unsigned n) { return mdconst::extract<ConstantInt>(group->getOperand(n))->getZExtValue(); };
  return std::pair{number(0), number(1)};
}

bool accesses_memory(const Instruction& i) { return isa<LoadInst>(i) || isa<StoreInst>(i) || i.isAtomic(); }

// `word` of what the neighbour in this direction would have to be.
Instruction* neighbour(Instruction& half, bool behind) {
  const auto own = word_of(half);
  if (!own || (own->first % 2 == 0) != behind || (behind && own->first + 1 == own->second)) return nullptr;
  for (Instruction* i = behind ? half.getNextNode() : half.getPrevNode(); i;
       i = behind ? i->getNextNode() : i->getPrevNode()) {
    if (!accesses_memory(*i)) continue;
    const auto word = word_of(*i);
    const bool fits = word && i->getOpcode() == half.getOpcode() && word->second == own->second &&
                      word->first == (behind ? own->first + 1 : own->first - 1);
    return fits ? i : nullptr;
  }
  return nullptr;
}

}  // namespace

Instruction* second_half(Instruction& first) { return neighbour(first, true); }
Instruction* first_half(Instruction& second) { return neighbour(second, false); }

// Volatile, or LLVM would make two moves of it. Less aligned than it is, so that an address that is not does not end
// the process.
std::pair<Value*, Value*> load_whole(IRBuilderBase& b, Value* pointer) {
  Value* whole = b.CreateAlignedLoad(FixedVectorType::get(b.getInt64Ty(), 2), pointer, Align(8), /*isVolatile=*/true);
  return {b.CreateExtractElement(whole, uint64_t{0}), b.CreateExtractElement(whole, uint64_t{1})};
}

void store_whole(IRBuilderBase& b, Value* first, Value* second, Value* pointer) {
  Value* whole = PoisonValue::get(FixedVectorType::get(b.getInt64Ty(), 2));
  whole = b.CreateInsertElement(b.CreateInsertElement(whole, first, uint64_t{0}), second, uint64_t{1});
  b.CreateAlignedStore(whole, pointer, Align(8), /*isVolatile=*/true);
}

void fence_before(IRBuilderBase& b, AtomicOrdering ordering) {
  if (isReleaseOrStronger(ordering)) b.CreateFence(AtomicOrdering::Release, SyncScope::SingleThread);
}
void fence_after(IRBuilderBase& b, AtomicOrdering ordering) {
  if (isAcquireOrStronger(ordering)) b.CreateFence(AtomicOrdering::Acquire, SyncScope::SingleThread);
}

}  // namespace warpwise::simt
