import { parseRegistrationScope, registrationScopeValues } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { nearest } from '../config/did-you-mean.js'
import { printableJson } from '../observing/printable.js'

const unknownText = (value: string): string => {
  const known = nearest(value, registrationScopeValues)
  return `${printableJson(value)} is not a scope value${known === undefined ? '' : `: did you mean ${known}?`}`
}

/**
 * The fault of the value of --scope: the unknown scope values and the known ones; undefined when it is valid or left
 * out.
 */
export const scopeFault = (scope: string | undefined): string | undefined => {
  if (scope === undefined) return undefined
  const parsed = parseRegistrationScope(scope)
  if (E.isRight(parsed)) return undefined
  const unknown = scope.split(' ').filter((value) => value !== '' && E.isLeft(parseRegistrationScope(value)))
  return [...new Set(unknown.map(unknownText)), `--${parsed.left.error_description}`].join('\n')
}
