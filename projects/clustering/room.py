"""Which sizes the steps of k-means have room for."""

_SHARED_MEMORY = 48 << 10  # of a block, without asking for more
_TILE_BYTES = 2 << 10  # of step 3's block besides
_PRODUCT_ROOM = 1 << 17  # coordinates of centres in step 4
_MOST_CENTRES = 1024  # of up to 64 dimensions, from step 5 on


def takes(step: str, dimensions: int, clusters: int, architecture: int = 90) -> bool:
    """Whether the step has room for so many centres, and runs on a GPU of this architecture (80, 90)."""
    coordinates = clusters * dimensions
    if step.startswith("2"):
        return 8 * coordinates + 4 * clusters <= _SHARED_MEMORY
    if step.startswith("3"):
        padded = clusters * max(4, 1 << (dimensions - 1).bit_length())
        sums = max(1, 256 // coordinates) * coordinates
        return dimensions <= 64 and 4 * padded + 8 * sums + 12 * clusters + 4 + _TILE_BYTES <= _SHARED_MEMORY
    if step.startswith("4"):
        depth = max(16, 1 << (dimensions - 1).bit_length())
        return dimensions <= 64 and -(-clusters // 32) * 32 * depth <= _PRODUCT_ROOM
    if step.startswith(("5", "6", "7", "8")):
        return dimensions <= 64 and clusters <= _MOST_CENTRES and architecture == 90  # sm_90a
    return True


def fastest(steps: tuple[str, ...], dimensions: int, clusters: int, architecture: int = 90) -> str:
    """The last step with room. Where step 3 has room it is faster than step 4, and with less than 16 dimensions than step
    8: few centres are little to multiply by."""
    fitting = [step for step in steps if takes(step, dimensions, clusters, architecture)]
    if fitting[-1].startswith("8") and dimensions >= 16:
        return fitting[-1]
    return next((step for step in fitting if step.startswith("3")), fitting[-1])
