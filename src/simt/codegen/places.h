// The places in PTX that accesses stand for, kept through LLVM's passes.
//
// A fault finds its PTX instruction through the access's debug place (dialect.h). LLVM's passes drop the place of an
// access that they move, but the metadata `!annotation` survives moves: it carries the place through.
#pragma once

#include <llvm/IR/Function.h>

namespace warpwise::simt {

// Before LLVM's passes: every access notes its place.
void remember_places(llvm::Function& function);

// Behind them: accesses without a place (or of line 0) get back what they noted, and the notes go. (LLVM's verifier
// knows no such notes.)
void restore_places(llvm::Function& function);

}  // namespace warpwise::simt
