// The maximum size of stored JSON of a registration, in bytes: without a limit, registrants would get free storage.
export const maxStoredBytes = 16_384

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

// RFC 3629 §3: two bytes from U+0080, three from U+0800; a surrogate pair takes four
const utf8Length = (text: string): number =>
  text.length + count(text, /[\u0080-\u07ff\ud800-\udfff]/g) + 2 * count(text, /[\u0800-\ud7ff\ue000-\uffff]/g)

/**
 * Whether the text has at most so many bytes in UTF-8. Each code unit takes a byte at least, so that longer texts are
 * not counted.
 */
export const hasAtMost =
  (bytes: number) =>
  (text: string): boolean =>
    text.length <= bytes && utf8Length(text) <= bytes

export const isStorable = hasAtMost(maxStoredBytes)
