// The texture unit behind compiled code.
#pragma once

#include "simt/abi.h"

namespace warpwise::exec {

// Fills in Services::image.
void add_image_services(simt::Services& table);

}  // namespace warpwise::exec
