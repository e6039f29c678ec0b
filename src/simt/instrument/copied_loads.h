// Loads of which a thread makes nothing but what it stores again: what they read need not have been written.
#pragma once

#include <llvm/IR/Instructions.h>

namespace warpwise::simt {

// A load whose value is only stored again copies bytes, written or not: padding travels with its struct. Parts of words
// are put together on the way, and values of any shape are shuffled word by word.
bool only_copied(llvm::LoadInst& load);
bool is_stored_as_it_is(const llvm::Instruction& load);

// A bit-field is written: the word that it lies in is read, its bits are cut out and put in anew, and the word goes
// back. What the other bits are is not asked.
bool writes_bit_field(const llvm::LoadInst& load);

// The same address, computed once more.
bool same_address(const llvm::Value* a, const llvm::Value* b);

}  // namespace warpwise::simt
