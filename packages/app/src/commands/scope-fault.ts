import {
  issuableManagementPrivileges,
  parseManagementPrivileges,
  parseRegistrationScope,
  permitsManagement,
  registrationScopeValues,
} from '@clientele/domain/authorization'
import { nearestName, ruleTexts } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { printableJson } from '../text.js'

const unknownText =
  (kind: string, known: ReadonlyArray<string>) =>
  (value: string): string => {
    const meant = nearestName(value, known)
    return `${printableJson(value)} is not ${kind}${meant === undefined ? '' : `: did you mean ${meant}?`}`
  }

const unknownTexts = (
  text: string,
  isKnown: (value: string) => boolean,
  describe: (value: string) => string,
): ReadonlyArray<string> => [
  ...new Set(
    text
      .split(' ')
      .filter((value) => value !== '' && !isKnown(value))
      .map(describe),
  ),
]

const scopeText = unknownText('a scope value', registrationScopeValues)

/**
 * The fault of the value of --scope: the unknown scope values and the known ones; undefined when it is valid or left
 * out.
 */
export const scopeFault = (scope: string | undefined): string | undefined => {
  if (scope === undefined) return undefined
  const parsed = parseRegistrationScope(scope)
  if (E.isRight(parsed)) return undefined
  const unknown = unknownTexts(scope, (value) => E.isRight(parseRegistrationScope(value)), scopeText)
  return [...unknown, `--${parsed.left.error_description}`].join('\n')
}

const isIssuable = (text: string): boolean =>
  pipe(parseManagementPrivileges(text), O.exists(permitsManagement(issuableManagementPrivileges)))

const privilegeText = unknownText('a privilege of an operator token', issuableManagementPrivileges)

/** The same for the value of --may. */
export const privilegesFault = (may: string): string | undefined =>
  isIssuable(may)
    ? undefined
    : [...unknownTexts(may, isIssuable, privilegeText), `--may ${ruleTexts['operator-scope'].text}`].join('\n')
