// In a folder of its own, with the tarball of @clientele/domain that `npm run pack` makes, and fp-ts, io-ts, fast-check
// and uvu: decides a registration, and checks a wrong rule by the laws of authorization.
import * as domain from '@clientele/domain'
import { authorizationLaws, authorizationRules, brokenAmong } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

const certain = (either) => (E.isRight(either) ? either.right : process.exit(1))
const client_id = certain(domain.ClientId.decode('my-client'))
const registration_id = certain(domain.RegistrationId.decode('one-registration-of-it'))
const hash = certain(domain.TokenHash.decode('digest-of-the-token'))

const endpoints = { issuer: 'https://op.example', registrationEndpoint: 'https://op.example/clients' }
const rotation = { rotateClientSecretOnUpdate: true, rotateRegistrationAccessTokenOnUpdate: true }
const credentials = { clientSecretLifetime: 0, ...rotation }
const limits = { policy: domain.noPolicy, outboundFetches: false, initialAccessTokenLifetime: 3600 }
const decide = domain.decideRegistration({ ...endpoints, ...limits, credentials, mode: { kind: 'open', scope: [] } })

const body = domain.parseWellFormedJson('{ "redirect_uris": ["https://rp.example/callback"] }')
const secrets = { client_secret: 'new', client_secret_padding: '', registration_access_token: { token: 'new', hash } }
const issued = { ...secrets, client_id, registration_id, at: domain.epochSeconds(0) }
const decided = decide({ credential: { kind: 'none' }, token: O.none, statement: O.none, body, issued })
console.log('registered:', certain(decided).client.metadata.grant_types.join(' '))

// A wrong rule: all scope values grant data as well.
const permits = (granted) => authorizationRules.permits({ ...granted, data: granted.data || granted.scope === 'any' })
const orderLaws = authorizationLaws.filter(({ id }) => id.startsWith('order-'))
const broken = brokenAmong(orderLaws)({ ...authorizationRules, permits }, { numRuns: 1000 })
for (const { law, counterexample } of broken) console.log(`broken: ${law.statement}`, JSON.stringify(counterexample))
