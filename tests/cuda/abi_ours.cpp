// abi_figures.inc with this project's types.
#include "abi_figures.h"
#include "cuda/runtime/device/device_properties.h"

std::vector<AbiFigure> abi_figures_of_ours() {
  std::vector<AbiFigure> figures;
#include "abi_figures.inc"
  return figures;
}
