"""The kernel of ``fused``, in Triton. Imported only where Triton and a CUDA device are."""

# mypy: ignore-errors
import triton
import triton.language as tl


@triton.jit
def drive(
    table,  # int32 [S * 4]: next state << 2 | outcome
    rewards,  # float32 [S * 4]
    states,  # int32 [N], in and out
    elapsed,  # int32 [N], in and out
    words,  # int64 [N], in and out
    paid,  # float32 [N], in and out
    crashed,  # int32 [N], in and out
    delivered,  # int32 [N], in and out
    robots,
    blocks,  # of 32 steps
    start,
    limit,
    GOLDEN: tl.constexpr,
    FIRST: tl.constexpr,
    SECOND: tl.constexpr,
    BLOCK: tl.constexpr,
):
    """Each program drives BLOCK robots; between the loads and the stores all is in registers."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    here = i < robots
    state = tl.load(states + i, mask=here, other=0)
    age = tl.load(elapsed + i, mask=here, other=0)
    word = tl.load(words + i, mask=here, other=0)
    total = tl.load(paid + i, mask=here, other=0.0)
    crashes = tl.load(crashed + i, mask=here, other=0)
    deliveries = tl.load(delivered + i, mask=here, other=0)
    for _block in range(blocks):
        word += GOLDEN
        bits = word
        bits = (bits ^ ((bits >> 30) & 0x3FFFFFFFF)) * FIRST
        bits = (bits ^ ((bits >> 27) & 0x1FFFFFFFFF)) * SECOND
        bits = bits ^ ((bits >> 31) & 0x1FFFFFFFF)
        for _step in range(32):
            index = state * 4 + (bits & 3).to(tl.int32)
            bits = bits >> 2
            entry = tl.load(table + index)
            total += tl.load(rewards + index)
            outcome = entry & 3
            age += 1
            crashes += (outcome == 2).to(tl.int32)
            deliveries += (outcome == 3).to(tl.int32)
            done = (outcome >= 2) | (age >= limit)
            state = tl.where(done, start, entry >> 2)
            age = tl.where(done, 0, age)
    tl.store(states + i, state, mask=here)
    tl.store(elapsed + i, age, mask=here)
    tl.store(words + i, word, mask=here)
    tl.store(paid + i, total, mask=here)
    tl.store(crashed + i, crashes, mask=here)
    tl.store(delivered + i, deliveries, mask=here)
