// How many C++ exceptions this process has thrown, in whichever library.
#pragma once

namespace warpwise::simt::test {

unsigned thrown_exceptions();

}  // namespace warpwise::simt::test
