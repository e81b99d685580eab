// RFC 8017 §3.2: the conditions between the numbers of an RSA key. Libraries do not check all of them.
import { base64url } from 'jose'

type Json = Readonly<Record<string, unknown>>

const numberOf = (key: Json, name: string): bigint => {
  const bytes = base64url.decode(String(key[name]))
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
}

/** Whether the base64url members form one key with two primes. */
export const isOneRsaKey = (key: Json): boolean => {
  const [n, e, d] = [numberOf(key, 'n'), numberOf(key, 'e'), numberOf(key, 'd')]
  const [p, q] = [numberOf(key, 'p'), numberOf(key, 'q')]
  const [dp, dq, qi] = [numberOf(key, 'dp'), numberOf(key, 'dq'), numberOf(key, 'qi')]
  return (
    p > 1n &&
    q > 1n &&
    p * q === n &&
    dp === d % (p - 1n) &&
    dq === d % (q - 1n) &&
    (e * dp) % (p - 1n) === 1n &&
    (e * dq) % (q - 1n) === 1n &&
    (qi * q) % p === 1n
  )
}
