// Parameters in a file: the safetensors format (a length, a JSON header that says name, type, shape and place of each tensor,
// the numbers), which PyTorch and others load. Names and shapes are PyTorch's.
//
// A checkpoint is written beside its place and moved there when it is whole, so whatever happens, the file that has the name
// is complete: the new one or the one before.
#pragma once

#include <string>
#include <vector>

namespace mnist {

void save_checkpoint(const std::string& path, const std::vector<float>& parameters);
// Throws when the file is not a checkpoint, or is one of a different network; the message names the tensor that
// differs.
std::vector<float> load_checkpoint(const std::string& path);

}  // namespace mnist
