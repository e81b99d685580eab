import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { members } from '@clientele/domain/client'
import { type RegisteredClient, decodeRegistrationRequest, decodeUpdateRequest } from '@clientele/domain/registration'
import { validClientMetadata } from '../arbitraries/client-metadata.js'
import { withOneFault } from '../arbitraries/faults-of-clients.js'
import { memberAt } from '../arbitraries/faults-of-members.js'
import { type SentMetadata, languageTag } from '../arbitraries/json-values.js'
import { sent, standardRules, validate } from '../rule-book.js'
import { type Law, lawsAbout } from './law.js'

/** The place of a fault, its rule, and the description for the client. */
export type ReportedFault = { readonly pointer: string; readonly rule: string; readonly description: string }

export type RefusedBody = {
  readonly error: string
  readonly error_description?: string
  readonly errors?: ReadonlyArray<ReportedFault>
}

/**
 * The functions that the laws of client metadata are about, for a service that fetches sector identifiers and has no
 * policy. Faults have the pointers and rules of docs/use/client-metadata.md.
 */
export type MetadataRules = {
  /** The effective metadata, which is valid only without faults, and all faults of the body. */
  readonly validate: (body: SentMetadata) => {
    readonly metadata: object
    readonly faults: ReadonlyArray<ReportedFault>
  }
  /** The body of POST /clients. */
  readonly decodeRegistration: (body: unknown) => E.Either<
    RefusedBody,
    {
      readonly metadata: object
      readonly preferred_client_id: string | undefined
      readonly preferred_client_secret: string | undefined
    }
  >
  /** The body of PUT /clients/{id}, as effective metadata. */
  readonly decodeUpdate: (client: RegisteredClient) => (body: unknown) => E.Either<RefusedBody, object>
}

/** The domain's own rules. */
export const metadataRules: MetadataRules = {
  validate,
  decodeRegistration: (body) => decodeRegistrationRequest(standardRules)(sent(body)),
  decodeUpdate: (client) => (body) => decodeUpdateRequest(standardRules, client)(sent(body)),
}

export type MetadataLaw = Law<MetadataRules>

export const { law, lawsOf } = lawsAbout(metadataRules)

const briefly = ({ pointer, rule }: Pick<ReportedFault, 'pointer' | 'rule'>): string => `${pointer}: ${rule}`

/** Faults by place and rule. */
const inBrief = (faults: ReadonlyArray<Pick<ReportedFault, 'pointer' | 'rule'>>): ReadonlyArray<string> =>
  faults.map(briefly)

/** The faults of a refused body, by place and rule. */
export const reportedOf = (decoded: E.Either<RefusedBody, unknown>): ReadonlyArray<string> =>
  E.isLeft(decoded) ? inBrief(decoded.left.errors ?? []) : []

const valid = validClientMetadata()

// OpenID Registration §2: the default is A128CBC-HS256 where the key algorithm is given
const encryptions = (body: SentMetadata) =>
  Object.fromEntries(
    Object.keys(body)
      .filter((name) => /_(?:encrypted_response|encryption)_alg$/.test(name))
      .map((name) => [name.replace(/alg$/, 'enc'), 'A128CBC-HS256']),
  )

const textsOf = (value: unknown): ReadonlyArray<string> => (Array.isArray(value) ? value.map(String) : [])

const installed = /^(?!https?:)|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)/i
const httpsOnLoopback = /^https:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)/i

// RFC 8252 §7: redirection URIs of an installed application, without one that a native client must not have
const isInstalled = (body: SentMetadata): boolean => {
  const lists = ['redirect_uris', 'post_logout_redirect_uris', 'claims_redirect_uris'].map((name) =>
    textsOf(body[name]),
  )
  const allowed = lists.flat().every((uri) => !httpsOnLoopback.test(uri))
  return allowed && (lists[0] ?? []).some((uri) => installed.test(uri))
}

const defaultsOf = (body: SentMetadata): SentMetadata => {
  const grants = textsOf(body['grant_types'] ?? ['authorization_code'])
  const code = grants.includes('authorization_code')
  return {
    application_type: isInstalled(body) && !grants.includes('implicit') ? 'native' : 'web',
    grant_types: ['authorization_code'],
    id_token_signed_response_alg: 'RS256',
    response_types: code ? ['code'] : [],
    subject_type: 'public',
    token_endpoint_auth_method: 'client_secret_basic',
    ...encryptions(body),
  }
}

/** The effective values of the members that were sent. */
export const metadataValueLaws: ReadonlyArray<MetadataLaw> = [
  ...lawsOf('RFC 7591 §2', {
    'effective-metadata-has-every-default': law(
      'valid metadata has no fault and keeps every value; effective metadata has all defaults, and no other member',
      [valid],
      ({ validate }, body) => {
        const { metadata, faults } = validate(body)
        assert.equal([{ ...metadata }, faults], [{ ...defaultsOf(body), ...body }, []])
      },
    ),
    'unknown-member-never-survives': law(
      'an unknown member is dropped',
      [valid, fc.string(), fc.anything()],
      ({ validate }, body, name, value) => {
        if (Object.hasOwn(members, name) || name.includes('#')) return
        const extra = Object.fromEntries([[name, value]])
        assert.equal(validate({ ...body, ...extra }), validate(body))
      },
    ),
  }),
  ...lawsOf('RFC 7592 §2.2', {
    'effective-metadata-is-a-fixed-point': law(
      'effective metadata is valid, and its own effective metadata',
      [valid],
      ({ validate }, body) => {
        const { metadata } = validate(body)
        assert.equal(validate({ ...metadata }), { metadata, faults: [] })
      },
    ),
  }),
  ...lawsOf('RFC 7591 §2.2', {
    'language-variant-is-kept-as-sent': law(
      'a language variant keeps its value',
      [valid, languageTag()],
      ({ validate }, body, tag) => {
        const variants = { [`client_name#${tag}`]: 'Nom', [`logo_uri#${tag}`]: 'https://rp.example/logo' }
        const { metadata, faults } = validate({ ...body, ...variants })
        assert.equal(faults, [])
        assert.equal({ ...metadata, ...variants }, { ...metadata })
      },
    ),
  }),
  ...lawsOf('docs/decisions/client-metadata.md', {
    'inherited-member-was-not-sent': law(
      'an inherited member and an undefined one count as absent',
      [valid, valid],
      ({ validate }, body, inherited) => {
        const unset = Object.fromEntries([...Object.keys(members), 'client_name#fr'].map((name) => [name, undefined]))
        const sent = Object.assign(Object.create({ ...inherited, 'client_name#fr': 5 }), body)
        for (const each of [sent, { ...unset, ...body }]) assert.equal(validate(each), validate(body))
      },
    ),
    'no-member-comes-out-empty': law(
      'no effective member is undefined or null, for any value',
      [fc.constantFrom(...Object.keys(members)), fc.anything()],
      ({ validate }, name, value) => {
        const { metadata, faults } = validate({ [name]: value })
        const stored = Object.values<unknown>({ ...metadata })
        assert.not(stored.includes(undefined))
        assert.not(faults.length === 0 && stored.includes(null))
      },
    ),
  }),
]

const oneFault = withOneFault(validClientMetadata())
const everyFaultAtOnce = 'docs/decisions/client-metadata.md'

const refusalOf = ({ decodeRegistration }: MetadataRules, body: unknown): RefusedBody => {
  const decoded = decodeRegistration(body)
  if (E.isRight(decoded)) throw new Error('accepted')
  return decoded.left
}

const codeOf = (member: string): string => {
  if (member === 'software_statement') return 'invalid_software_statement'
  return member === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
}

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
  ...lawsOf(everyFaultAtOnce, {
    'one-fault-is-told-once': law(
      'one fault is reported once, with its member, place and rule',
      [oneFault],
      ({ validate }, { body, fault }) => assert.equal(inBrief(validate(body).faults), inBrief([fault])),
    ),
    'every-fault-is-told': law(
      'faults of different members are all reported',
      [fc.uniqueArray(fc.constantFrom('client_name', 'scope', 'logo_uri', 'jwks', 'data', 'subject_type'))],
      ({ validate }, names) => {
        const body = Object.fromEntries(names.map((name) => [name, 7]))
        const { faults } = validate({ redirect_uris: ['https://rp.example/'], ...body })
        assert.equal(faults.map(({ pointer }) => pointer).sort(), names.map((name) => `/${name}`).sort())
      },
    ),
    'first-fault-decides-the-code': law(
      'the first fault, in the order of the members, decides the code, of which redirect_uris has its own, and the description',
      [oneFault, oneFault],
      (rules, one, other) => {
        assert.is(refusalOf(rules, one.body).error, codeOf(one.fault.member))
        const names = ['redirect_uris', ...Object.keys(members)]
        const decoded = rules.decodeRegistration({ ...one.body, [other.fault.member]: other.body[other.fault.member] })
        if (E.isRight(decoded) || decoded.left.errors === undefined) return
        const reported = decoded.left.errors.map(({ pointer }) => names.indexOf(memberAt(pointer)))
        assert.equal(
          reported,
          [...reported].sort((first, second) => first - second),
        )
        assert.is(decoded.left.error_description, decoded.left.errors.at(0)?.description)
        assert.is(decoded.left.error, codeOf(names[reported[0] ?? 0] ?? ''))
      },
    ),
  }),
  ...lawsOf('RFC 6749 §5.2', {
    'no-description-holds-what-was-sent': law(
      'each description is printable ASCII without quote or backslash, and contains nothing of the request',
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
  }),
]
