// In a folder of its own, beside @clientele/domain, fp-ts, io-ts, fast-check and uvu: decides a registration, and holds a rule
// that somebody wrote to the laws of authorization.
import { ClientId, TokenHash, decideRegistration, epochSeconds, noPolicy, parseWellFormedJson } from '@clientele/domain'
import { authorizationLaws, authorizationRules, brokenAmong } from '@clientele/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

const certain = (either) => (E.isRight(either) ? either.right : process.exit(1))
const [client_id, hash] = [certain(ClientId.decode('my-client')), certain(TokenHash.decode('digest-of-the-token'))]

const endpoints = { issuer: 'https://op.example', registrationEndpoint: 'https://op.example/clients' }
const rotation = { rotateClientSecretOnUpdate: true, rotateRegistrationAccessTokenOnUpdate: true }
const credentials = { clientSecretLifetime: 0, ...rotation }
const mode = { kind: 'open', scope: [] }
const settings = { ...endpoints, credentials, mode, policy: noPolicy, outboundFetches: false }

const body = parseWellFormedJson('{ "redirect_uris": ["https://rp.example/callback"] }')
const registration_access_token = { token: 'fresh token', hash }
const issued = { at: epochSeconds(Date.now()), client_id, client_secret: 'fresh secret', registration_access_token }
const facts = { credential: { kind: 'none' }, token: O.none, statement: O.none, body, issued }
console.log('registered:', certain(decideRegistration(settings)(facts)).client.metadata.grant_types.join(' '))

// "Whoever may set any scope may set data, too."
const permits = (held) => authorizationRules.permits({ ...held, data: held.data || held.scope === 'any' })
const orderLaws = authorizationLaws.filter(({ id }) => id.startsWith('order-'))
const broken = brokenAmong(orderLaws)({ ...authorizationRules, permits }, { numRuns: 1000 })
for (const { law, counterexample } of broken) console.log(`broken: ${law.statement}`, JSON.stringify(counterexample))
