#!/usr/bin/env python3
"""Derives include/cuda/warpwise/random/xorwow_jumps.inc: how XORWOW jumps over 2^k numbers at once.

One step of the generator's five words is a linear map A over GF(2). Its characteristic polynomial P (degree 160)
follows from 320 bits of output by Berlekamp and Massey. A^n is then x^n mod P with A in place of x: a polynomial of
160 bits (H. Haramoto et al., "Efficient Jump Ahead for F2-Linear Random Number Generators", 2008). The powers
n = 2^0 … 2^63 move within a sequence, 2^67 … 2^130 from one sequence to the next.

    python3 xorwow_jumps.py > ../../../include/cuda/warpwise/random/xorwow_jumps.inc
"""
WORD = 0xFFFFFFFF
DEGREE = 160


def step(v):
    t = v[0] ^ v[0] >> 2
    return v[1:] + [(v[4] ^ v[4] << 4 ^ t ^ t << 1) & WORD]


def output_bits(count):
    v, bits = [123456789, 362436069, 521288629, 88675123, 5783321], []
    for _ in range(count):
        bits.append(v[0] & 1)
        v = step(v)
    return bits


def characteristic_polynomial(bits):
    """Berlekamp and Massey; polynomials are numbers, bit i the coefficient of x^i."""
    c, b, length, shift = 1, 1, 0, 1
    for n in range(len(bits)):
        if sum((c >> i & 1) & bits[n - i] for i in range(length + 1)) % 2 == 0:
            shift += 1
            continue
        before = c
        c ^= b << shift
        if 2 * length <= n:
            length, b, shift = n + 1 - length, before, 0
        shift += 1
    assert length == DEGREE
    return sum(1 << length - i for i in range(length + 1) if c >> i & 1)


def times(a, b, modulus):
    product = 0
    for i in range(DEGREE):
        if b >> i & 1:
            product ^= a << i
    for i in range(2 * DEGREE, DEGREE - 1, -1):
        if product >> i & 1:
            product ^= modulus << i - DEGREE
    return product


def jumped(polynomial, v):
    result = [0] * 5
    for i in range(DEGREE):
        if polynomial >> i & 1:
            result = [a ^ b for a, b in zip(result, v)]
        v = step(v)
    return result


def main():
    modulus = characteristic_polynomial(output_bits(4 * DEGREE))
    powers = [2]
    while len(powers) < 131:
        powers.append(times(powers[-1], powers[-1], modulus))
    v = [1, 2, 3, 4, 5]
    for _ in range(1024):
        v = step(v)
    assert jumped(powers[10], [1, 2, 3, 4, 5]) == v

    print("// Made by src/devicelib/derive/xorwow_jumps.py, which says what it is. A row is x^(2^k) modulo the generator's")
    print("// characteristic polynomial, the coefficient of x^i in bit i % 32 of word i / 32.")
    for k in list(range(64)) + list(range(67, 131)):
        words = ", ".join(f"0x{powers[k] >> 32 * w & WORD:08x}" for w in range(5))
        print(f"XORWOW_JUMP({words})  // 2^{k}")


main()
