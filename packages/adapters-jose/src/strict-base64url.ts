// RFC 7515 §2, RFC 4648 §3.5: without padding and without bits after the last byte, so that bytes have one encoding
const strict = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

/** Whether the text is the one base64url encoding of its bytes. */
export const isStrictBase64url = (text: string): boolean => strict.test(text)
