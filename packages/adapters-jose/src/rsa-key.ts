// RFC 8017 §3.2: the conditions between the numbers of an RSA key. Libraries do not check all of them.
import { base64url } from 'jose'

type Json = Readonly<Record<string, unknown>>

const numberOf = (key: Json, name: string): bigint => {
  const bytes = base64url.decode(String(key[name]))
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
}

/** Whether the base64url members form one key with two primes. */
export const isOneRsaKey = (key: Json): boolean => {
  const n = numberOf(key, 'n')
  const e = numberOf(key, 'e')
  const d = numberOf(key, 'd')
  const p = numberOf(key, 'p')
  const q = numberOf(key, 'q')
  const dp = numberOf(key, 'dp')
  const dq = numberOf(key, 'dq')
  const qi = numberOf(key, 'qi')
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
