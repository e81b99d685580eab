// The same registration as a test for node:test, with fp-ts and the domain package.
import { isPlainObject } from '@clientele/domain/kernel'
import type { Explanation } from '@clientele/domain/operations'
import { noPolicy } from '@clientele/domain/policy'
import type { RegistrationSettings } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'

export type Tested = {
  readonly settings: RegistrationSettings
  /** The scope of the token; empty without one. */
  readonly scope: string
  readonly body: string
  /** The body as JSON, or its syntax fault. */
  readonly read: E.Either<unknown, unknown>
  readonly explanation: Explanation
}

type Lines = ReadonlyArray<string>

// JSON is JavaScript, where a plain name of a member needs no quotation marks.
const literal = (value: unknown): string => JSON.stringify(value, null, 2).replace(/^( *)"([a-z]\w*)":/gim, '$1$2:')

// 1e400 is JSON and becomes Infinity, which has no literal.
const hasLiteral = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(hasLiteral)
}

const indented = (text: string): string => text.replaceAll('\n', '\n  ')

const importing = (names: Lines): Lines => [
  'import {',
  ...names.map((name) => `  ${name},`),
  "} from '@clientele/domain'",
]

const testing: Lines = ["import assert from 'node:assert/strict'", "import { test } from 'node:test'"]

const isNoPolicy = ({ policy }: RegistrationSettings): boolean => JSON.stringify(policy) === JSON.stringify(noPolicy)

const settingsLines = (settings: RegistrationSettings): Lines => [
  isNoPolicy(settings)
    ? `const settings = ${literal({ ...settings, policy: undefined }).replace(/^\{/, '{\n  policy: noPolicy,')}`
    : `const settings = ${literal(settings)}`,
]

const bodyText = ({ body, read, settings: { lenient } }: Tested, isObject: boolean): string =>
  isObject && E.isRight(read)
    ? `E.right(${literal(read.right)})`
    : `parseWellFormedJson(${literal(body)}${lenient === true ? ', isReadMember' : ''})`

const factsLines = (tested: Tested, isObject: boolean): Lines => [
  "const hash = 'hash-of-the-token'",
  ...(tested.scope === ''
    ? []
    : [
        `const scope = parseRegistrationScope(${literal(tested.scope)})`,
        'const tokenOf = (given) => ({ ...given, hash, expires_at: 3600 })',
      ]),
  'const facts = {',
  `  body: ${indented(bodyText(tested, isObject))},`,
  tested.scope === '' ? "  credential: { kind: 'none' }," : "  credential: { kind: 'token', hash },",
  tested.scope === '' ? '  token: O.none,' : '  token: O.map(tokenOf)(O.fromEither(scope)),',
  '  statement: O.none,',
  '  issued: {',
  '    at: 0,',
  "    client_id: 'fresh-client-id',",
  "    registration_id: 'fresh-registration-id--',",
  "    client_secret: 's'.repeat(43),",
  "    client_secret_padding: '',",
  "    registration_access_token: { token: 'fresh token', hash },",
  '  },',
  '}',
]

const assertionLines = ({ refusal, needed, faults, added }: Explanation): Lines => [
  `test('${refusal === undefined ? 'it is registered' : `it is refused: ${refusal.error}`}', () => {`,
  '  const { refusal, needed, faults, added } = explainRegistration(settings)(facts)',
  `  assert.equal(refusal?.error, ${refusal === undefined ? 'undefined' : literal(refusal.error)})`,
  `  assert.deepEqual(needed, ${indented(literal(needed))})`,
  '  assert.deepEqual(',
  '    faults.map(({ pointer, rule }) => `${pointer} ${rule}`),',
  `    ${indented(indented(literal(faults.map(({ pointer, rule }) => `${pointer} ${rule}`))))},`,
  '  )',
  `  assert.deepEqual(added, ${indented(literal(added))})`,
  '})',
]

export const testCase = (tested: Tested): string => {
  const isObject = E.isRight(tested.read) && isPlainObject(tested.read.right) && hasLiteral(tested.read.right)
  const names = [
    'explainRegistration',
    ...(isNoPolicy(tested.settings) ? ['noPolicy'] : []),
    ...(tested.scope === '' ? [] : ['parseRegistrationScope']),
    ...(isObject ? [] : ['parseWellFormedJson']),
  ]
  return [
    ...importing(names),
    ...(isObject || tested.settings.lenient !== true
      ? []
      : ["import { isReadMember } from '@clientele/domain/client'"]),
    ...(isObject ? ["import * as E from 'fp-ts/lib/Either.js'"] : []),
    "import * as O from 'fp-ts/lib/Option.js'",
    ...testing,
    '',
    ...settingsLines(tested.settings),
    '',
    ...factsLines(tested, isObject),
    '',
    ...assertionLines(tested.explanation),
    '',
  ].join('\n')
}

/** A test that no initial access token can have this scope. */
export const scopeTestCase = (scope: string): string =>
  [
    ...importing(['parseRegistrationScope']),
    "import * as E from 'fp-ts/lib/Either.js'",
    ...testing,
    '',
    "test('no initial access token has this scope', () => {",
    `  assert.ok(E.isLeft(parseRegistrationScope(${literal(scope)})))`,
    '})',
    '',
  ].join('\n')
