/** The two halves of a sentence around a value: the template marks up the value, a message never does. */
export type Around = { readonly before: string; readonly after: string }

/** The halves of a sentence with one place, whatever is named there. */
export const around = (sentence: `${string}{${string}}${string}`): Around => {
  const [before = '', after = ''] = sentence.split(/\{[a-z]+\}/)
  return { before, after }
}

/** A sentence without a place. */
export const whole = (sentence: string): Around => ({ before: sentence, after: '' })
