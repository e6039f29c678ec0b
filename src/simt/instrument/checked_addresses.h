// What checks ask of a warp's addresses before they look at shadow memory or cells.
#pragma once

#include "simt/instrument/access_checks.h"
#include "simt/vectorise/memory.h"
#include "simt/vectorise/warp_emitter.h"

namespace warpwise::simt {

class CheckedAddresses : WarpEmitter {
 public:
  using Address = MemoryEmitter::Address;
  CheckedAddresses(WarpBuilder& w, MemoryEmitter& memory) : WarpEmitter(w), memory_(memory) {}

  Value* lies_within(const Address& a, const AccessCheck& check, unsigned field);
  Value* misaligned(const Address& a, unsigned log2);
  Value* generic_addresses(const Address& a);

 private:
  Value* pointer_provenance(unsigned pointer, unsigned field);

  MemoryEmitter& memory_;
  llvm::DenseMap<unsigned, Value*> fields_;  // of PointedTo, by index * bytes + offset
};

}  // namespace warpwise::simt
