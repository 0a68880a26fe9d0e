"""Signatures of Ed25519 (RFC 8032): only whether one is right. Slow, and long enough."""

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def decode(text):
    """Gives a point (X, Y, Z, T) from its 32 bytes, None if they are none."""
    y = int.from_bytes(text, "little")
    odd, y = y >> 255, y & (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and odd):
        return None
    if x & 1 != odd:
        x = P - x
    return x, y, 1, x * y % P


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def add(one, two):
    a, b = (one[1] - one[0]) * (two[1] - two[0]) % P, (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    product = (0, 1, 1, 0)
    while number:
        if number & 1:
            product = add(product, point)
        point, number = add(point, point), number >> 1
    return product


def holds(public, message, signature):
    """Says whether the signature of a message was made by the key."""
    if len(public) != 32 or len(signature) != 64:
        return False
    key, commitment, s = decode(public), decode(signature[:32]), int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or s >= L:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    left, right = times(s, BASE), add(commitment, times(challenge, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0
