import * as fc from 'fast-check'
import { registrationScopeValues } from '@clientele/domain/authorization'
import { scopeValues } from './privileges.js'

const scopeCharacters = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).filter(
  (character) => character !== '"' && character !== '\\',
)

/** RFC 6749 §3.3: scope-token */
export const scopeToken = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...scopeValues),
    fc.string({ unit: fc.constantFrom(...scopeCharacters), minLength: 1, maxLength: 12 }),
  )

/** One scope value of an initial access token. */
export const registrationScopeValue = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...registrationScopeValues) },
    { weight: 1, arbitrary: scopeToken().map((value) => `client-reg:scope:${value}`) },
  )

/** The scope of an initial access token: some values, separated by blanks. */
export const registrationScope = (): fc.Arbitrary<string> =>
  fc.array(registrationScopeValue(), { minLength: 1, maxLength: 6 }).map((values) => values.join(' '))
