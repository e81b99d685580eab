// RFC 6749 §3.3: scope-token *( SP scope-token ), each of %x21 / %x23-5B / %x5D-7E
const scopePattern = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/

export const isSpaceDelimited = (text: string): boolean => scopePattern.test(text)

export const spaceDelimitedValues = (text: string): ReadonlyArray<string> => [...new Set(text.split(' '))]
