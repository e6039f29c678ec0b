// How a report calls what uses a value that was never set (simt/instrument/events.h, Undefined).
#pragma once

#include "simt/instrument/events.h"

namespace warpwise::check {

inline const char* role_of(simt::event::Undefined::Use use) {
  using Use = simt::event::Undefined::Use;
  switch (use) {
    case Use::Branch:
      return "branch";
    case Use::Address:
      return "access";
    case Use::Stored:
    case Use::Copied:
      return "write";
    case Use::Added:
      return "atomic";
  }
  return "use";
}

}  // namespace warpwise::check
