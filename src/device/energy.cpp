#include "device/energy.h"

#include <algorithm>
#include <iterator>

namespace warpwise::device {

namespace {

struct BoardEnergy {
  std::string_view id;
  EnergyFigures figures;
};
constexpr BoardEnergy kBoardEnergy[] = {
#define ENERGY(id, dram, l2, l1, fp32, fp64, tensor, watts, of) {id, {dram, l2, l1, fp32, fp64, tensor, watts, of}},
#include "device/energy.inc"
#undef ENERGY
};

}  // namespace

const EnergyFigures* energy_figures(std::string_view device) {
  const auto at = std::find_if(std::begin(kBoardEnergy), std::end(kBoardEnergy),
                               [&](const BoardEnergy& board) { return board.id == device; });
  return at == std::end(kBoardEnergy) ? nullptr : &at->figures;
}

}  // namespace warpwise::device
