import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { members } from '@clientele/domain/client'
import { languageTag, validClientMetadata } from '../arbitraries/client-metadata.js'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { type MetadataLaw, metadataLaw } from './metadata-rules.js'

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

const storedLaws: ReadonlyArray<MetadataLaw> = [
  metadataLaw(
    'valid-metadata-is-kept-as-sent',
    'valid metadata has no fault, and every member keeps its value',
    'RFC 7591 §3.2.1',
    [valid],
    ({ validate }, body) => {
      const { metadata, faults } = validate(body)
      assert.equal(faults, [])
      assert.equal({ ...metadata, ...body }, { ...metadata })
    },
  ),
  metadataLaw(
    'effective-metadata-has-every-default',
    'effective metadata has all defaults, and no other member that was not sent',
    'RFC 7591 §2',
    [valid],
    ({ validate }, body) => assert.equal({ ...validate(body).metadata }, { ...defaultsOf(body), ...body }),
  ),
  metadataLaw(
    'effective-metadata-is-a-fixed-point',
    'effective metadata is valid, and its own effective metadata',
    'RFC 7592 §2.2',
    [valid],
    ({ validate }, body) => {
      const { metadata } = validate(body)
      assert.equal(validate({ ...metadata }), { metadata, faults: [] })
    },
  ),
  metadataLaw(
    'language-variant-is-kept-as-sent',
    'a language variant keeps its value',
    'RFC 7591 §2.2',
    [valid, languageTag()],
    ({ validate }, body, tag) => {
      const variants = { [`client_name#${tag}`]: 'Nom', [`logo_uri#${tag}`]: 'https://rp.example/logo' }
      const { metadata, faults } = validate({ ...body, ...variants })
      assert.equal(faults, [])
      assert.equal({ ...metadata, ...variants }, { ...metadata })
    },
  ),
]

const whatDoesNotCount: ReadonlyArray<MetadataLaw> = [
  metadataLaw(
    'unknown-member-never-survives',
    'an unknown member is dropped',
    'RFC 7591 §2',
    [valid, fc.string(), fc.anything()],
    ({ validate }, body, name, value) => {
      if (Object.hasOwn(members, name) || name.includes('#')) return
      const extra = Object.fromEntries([[name, value]])
      assert.equal(validate({ ...body, ...extra }), validate(body))
    },
  ),
  metadataLaw(
    'inherited-member-was-not-sent',
    'an inherited member counts as absent',
    'docs/decisions/0017-one-table-of-members.md',
    [valid, valid],
    ({ validate }, body, inherited) =>
      assert.equal(validate(Object.assign(Object.create({ ...inherited, 'client_name#fr': 5 }), body)), validate(body)),
  ),
  metadataLaw(
    'undefined-member-was-not-sent',
    'an undefined member counts as absent',
    'docs/decisions/0017-one-table-of-members.md',
    [valid],
    ({ validate }, body) => {
      const unset = Object.fromEntries([...Object.keys(members), 'client_name#fr'].map((name) => [name, undefined]))
      assert.equal(validate({ ...unset, ...body }), validate(body))
    },
  ),
  metadataLaw(
    'no-member-comes-out-empty',
    'no effective member is undefined or null, for any value',
    'docs/decisions/0009-null-and-empty-are-faults-in-updates-too.md',
    [fc.constantFrom(...Object.keys(members)), fc.anything()],
    ({ validate }, name, value) => {
      const { metadata, faults } = validate({ [name]: value })
      const stored = Object.values<unknown>({ ...metadata })
      assert.not(stored.includes(undefined))
      assert.not(faults.length === 0 && stored.includes(null))
    },
  ),
]

/** The effective values of the members that were sent. */
export const metadataValueLaws: ReadonlyArray<MetadataLaw> = [...storedLaws, ...whatDoesNotCount]
