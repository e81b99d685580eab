// RFC 7515 §2, RFC 4648 §3.5: without padding, and no bits beyond the last byte, so that bytes have one text
const strict = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

/** Whether it is base64url in the one way that bytes can be written. */
export const isStrictBase64url = (text: string): boolean => strict.test(text)
