import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { members, needsSecret } from '@clientele/domain/client'
import { validClientMetadata } from '../arbitraries/client-metadata.js'
import { effectiveMetadata } from '../arbitraries/effective-metadata.js'
import { clientId, clientSecretText } from '../arbitraries/generated-credentials.js'
import { type MetadataLaw, metadataLaw, reportedOf } from './metadata-rules.js'

const valid = validClientMetadata()

/** The bodies that registration accepts. */
export const metadataRequestLaws: ReadonlyArray<MetadataLaw> = [
  metadataLaw(
    'valid-metadata-is-a-registration-request',
    'valid metadata is a registration request',
    'RFC 7591 §3.1',
    [valid],
    ({ decodeRegistration, validate }) =>
      (body) => {
        const { metadata } = validate(body)
        const expected = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined }
        assert.equal(decodeRegistration(body), E.right(expected))
      },
  ),
  metadataLaw(
    'any-value-is-a-request-or-refused',
    'every value is a registration request or refused with the code of its kind',
    'RFC 7591 §3.2.2',
    [fc.anything()],
    ({ decodeRegistration }) =>
      (body) => {
        const decoded = decodeRegistration(body)
        if (E.isLeft(decoded))
          assert.match(decoded.left.error, /^invalid_(request|redirect_uri|client_metadata|software_statement)$/)
      },
  ),
  metadataLaw(
    'any-members-are-a-request-or-refused',
    'members of any values are a registration request, or refused as metadata',
    'RFC 7591 §3.2.2',
    [
      fc.dictionary(
        fc.constantFrom(...Object.keys(members), 'client_name#fr', 'preferred_client_id', 'preferred_client_secret'),
        fc.anything(),
      ),
    ],
    ({ decodeRegistration }) =>
      (body) => {
        const decoded = decodeRegistration(body)
        if (E.isLeft(decoded))
          assert.match(decoded.left.error, /^invalid_(redirect_uri|client_metadata|software_statement)$/)
      },
  ),
  metadataLaw(
    'no-json-object-is-an-invalid-request',
    'a value that is not a JSON object is an invalid request',
    'specification §7',
    [fc.oneof(fc.array(fc.anything()), fc.string(), fc.double(), fc.constantFrom(null, undefined, true))],
    ({ decodeRegistration }) =>
      (body) => {
        const decoded = decodeRegistration(body)
        assert.is(E.isLeft(decoded) && decoded.left.error, 'invalid_request')
      },
  ),
  metadataLaw(
    'preferred-id-and-secret-are-taken',
    'a preferred client_id is used unchanged, and a preferred secret if the client needs one',
    'specification §2.1',
    [effectiveMetadata(), clientId(), clientSecretText()],
    ({ decodeRegistration }) =>
      (metadata, preferred_client_id, preferred_client_secret) => {
        const decoded = decodeRegistration({ ...metadata, preferred_client_id, preferred_client_secret })
        if (needsSecret(metadata))
          assert.equal(decoded, E.right({ metadata, preferred_client_id, preferred_client_secret }))
        else assert.equal(reportedOf(decoded), ['/preferred_client_secret: preferred-client-secret-unused'])
      },
  ),
]
