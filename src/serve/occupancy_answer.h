// The calculator of the page: GET /api/occupancy?device=ID&block=N&registers=N&shared=BYTES. The rules are those of
// device/occupancy.h; the page only shows them.
#pragma once

#include "serve/message.h"

namespace warpwise::serve {

// What `warpwise occupancy --json` prints, with the devices there are and the limits of this one. W0005 for what cannot
// be.
Response answer_occupancy(const Parameters& query);

}  // namespace warpwise::serve
