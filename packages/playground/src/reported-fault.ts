// A fault as the page reports it, with its place in the text.
import { type Fault, ruleTexts, stepsOf } from '@clientele/domain/kernel'
import { sentence } from './decision.js'

/** The place of a value in a text, from its first character to the one after its last. */
export type Place = { readonly start: number; readonly end: number }

type Container = { readonly kind: '{' | '['; readonly start: number; step: string | number; isName: boolean }

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs

const nameIn = (token: string): string => {
  try {
    return String(JSON.parse(token))
  } catch {
    return token
  }
}

const begin = (kind: Container['kind'], start: number): Container => ({
  kind,
  start,
  step: kind === '[' ? 0 : '',
  isName: kind === '{',
})

// After a comma comes the next name or the next entry.
const advance = (inside: Container | undefined): void => {
  if (inside?.kind === '{') inside.isName = true
  if (typeof inside?.step === 'number') inside.step += 1
}

// A string is the name of a member or a scalar value.
const takeScalar = (inside: Container | undefined, token: string, start: number): number | undefined => {
  if (inside?.isName !== true) return start
  inside.step = nameIn(token)
  inside.isName = false
  return undefined
}

/** The start of the value that ends with the token, if one does. */
const take = (open: Array<Container>, token: string, start: number): number | undefined => {
  switch (token) {
    case '{':
    case '[':
      open.push(begin(token, start))
      return undefined
    case '}':
    case ']':
      return open.pop()?.start
    case ',':
      advance(open.at(-1))
      return undefined
    case ':':
      return undefined
    default:
      return takeScalar(open.at(-1), token, start)
  }
}

/** The place of the value of an RFC 6901 pointer in a JSON text, if there is one. Linear in the length of the text. */
export const placeInJson = (text: string, pointer: string): Place | undefined => {
  const wanted = stepsOf(pointer)
  const open: Array<Container> = []
  const isWanted = (): boolean =>
    open.length === wanted.length && open.every(({ step }, depth) => String(step) === wanted[depth])
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const start = take(open, token, index)
    if (start !== undefined && isWanted()) return { start, end: index + token.length }
  }
  return undefined
}

export type ReportedFault = {
  readonly pointer: string
  readonly rule: string
  readonly problem: string
  /** The remedy; left out where the problem states it. */
  readonly remedy?: string
  readonly reference: string
  /** The place in the text; left out for a missing member. */
  readonly place?: Place
}

export const reportedFault =
  (body: string) =>
  ({ pointer, rule, description }: Fault): ReportedFault => {
    const [problem = '', ...remedy] = sentence(description).split(': ')
    const place = pointer === '' ? undefined : placeInJson(body, pointer)
    return {
      pointer,
      rule,
      problem,
      reference: ruleTexts[rule].reference,
      ...(remedy.length === 0 ? {} : { remedy: remedy.join(': ') }),
      ...(place === undefined ? {} : { place }),
    }
  }
