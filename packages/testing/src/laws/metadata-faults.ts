import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { members } from '@clientele/domain/client'
import { validClientMetadata } from '../arbitraries/client-metadata.js'
import { withOneFault } from '../arbitraries/metadata-fault.js'
import { type MetadataLaw, type MetadataRules, type RefusedBody, inBrief, metadataLaw } from './metadata-rules.js'

const oneFault = withOneFault(validClientMetadata())
const everyFaultAtOnce = 'docs/decisions/0017-one-table-of-members.md'

const refusalOf = ({ decodeRegistration }: MetadataRules, body: unknown): RefusedBody => {
  const decoded = decodeRegistration(body)
  if (E.isRight(decoded)) throw new Error('accepted')
  return decoded.left
}

const codeOf = (member: string): string => {
  if (member === 'software_statement') return 'invalid_software_statement'
  return member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
}

const memberOf = (pointer: string): string => (pointer.split('/')[1] ?? '').replace(/#.*$/s, '')

const distinctive = fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map((number) => `Zq${number}`)

const shapesOf = (word: string): ReadonlyArray<unknown> => [
  word,
  [word],
  { [word]: word },
  [[word]],
  `${word}\n`,
  `${word}://${word}@${word}#${word}`,
  { keys: [{ [word]: word }] },
  [`${word} "${word}"`],
]

/** The reported faults of an invalid body. */
export const metadataFaultLaws: ReadonlyArray<MetadataLaw> = [
  metadataLaw(
    'one-fault-is-told-once',
    'one fault is reported once, with its member, place and rule',
    everyFaultAtOnce,
    [oneFault],
    ({ validate }, { body, fault }) => assert.equal(inBrief(validate(body).faults), inBrief([fault])),
  ),
  metadataLaw(
    'every-fault-is-told',
    'faults of different members are all reported',
    everyFaultAtOnce,
    [fc.uniqueArray(fc.constantFrom('client_name', 'scope', 'logo_uri', 'jwks', 'data', 'subject_type'))],
    ({ validate }, names) => {
      const body = Object.fromEntries(names.map((name) => [name, 7]))
      const { faults } = validate({ redirect_uris: ['https://rp.example/'], ...body })
      assert.equal(faults.map(({ pointer }) => pointer).sort(), names.map((name) => `/${name}`).sort())
    },
  ),
  metadataLaw(
    'redirect-uris-have-a-code-of-their-own',
    'a fault of redirect_uris has its own code',
    'RFC 7591 §3.2.2',
    [oneFault],
    (rules, { body, fault }) => assert.is(refusalOf(rules, body).error, codeOf(fault.member)),
  ),
  metadataLaw(
    'first-fault-decides-the-code',
    'the first fault, in the order of the members, decides the code and the description',
    everyFaultAtOnce,
    [oneFault, oneFault],
    ({ decodeRegistration }, one, other) => {
      const names = ['redirect_uris', ...Object.keys(members)]
      const decoded = decodeRegistration({ ...one.body, [other.fault.member]: other.body[other.fault.member] })
      if (E.isRight(decoded) || decoded.left.errors === undefined) return
      const reported = decoded.left.errors.map(({ pointer }) => names.indexOf(memberOf(pointer)))
      assert.equal(
        reported,
        [...reported].sort((first, second) => first - second),
      )
      assert.is(decoded.left.error_description, decoded.left.errors.at(0)?.description)
      assert.is(decoded.left.error, codeOf(names[reported[0] ?? 0] ?? ''))
    },
  ),
  metadataLaw(
    'no-description-holds-what-was-sent',
    'each description is printable ASCII without quote or backslash, and contains nothing of the request',
    'RFC 6749 §5.2',
    [distinctive, fc.constantFrom(...Object.keys(members)), fc.nat(7)],
    (rules, word, member, shape) => {
      const { error_description, errors = [] } = refusalOf(rules, {
        [member]: shapesOf(word)[shape],
        [`client_name#${word}9999999`]: '',
        preferred_client_id: `${word}/`,
        preferred_client_secret: word,
        [word]: word,
      })
      for (const text of [error_description ?? '', ...errors.map(({ description }) => description)]) {
        assert.match(text, /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/)
        assert.not.match(text, /Zq/)
      }
    },
  ),
]
