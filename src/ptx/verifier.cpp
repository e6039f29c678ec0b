#include "ptx/verifier.h"
namespace warpwise::ptx {
bool verify(const Module&, Diagnostics&) { return true; }
}
