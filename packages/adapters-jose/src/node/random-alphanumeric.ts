import { customAlphabet } from 'nanoid'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

// nanoid draws 128 such steps at once, and WebCrypto returns 65,536 octets at most: longer values take several steps.
const step = 43

/** Uniform over A-Z a-z 0-9: nanoid rejects octets that would bias the result. */
export const randomAlphanumeric: (length: number) => string = customAlphabet(alphabet, step)
