import { asymmetricAlgorithms } from '@clientele/domain/client'
import { isPlainObject, isRuleId, ruleTexts, type RuleId } from '@clientele/domain/kernel'
import { noPolicy } from '@clientele/domain/policy'
import type { RegistrationSettings } from '@clientele/domain/registration'
import { type RuleExample, exampleFault, ruleExamples } from '@clientele/domain/rules'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type FetchHandler, createPublicHandler } from '../../src/fetch.js'
import { createWorld, httpSettings, master } from '../support/in-memory-ports.js'

const Examples = suite('the example of each rule, sent')

const issuer = 'https://directory.example'
const redirect_uris = ['https://app.example/callback']

const claimsOf = (statement: string): unknown =>
  JSON.parse(Buffer.from(statement.split('.')[1] ?? '', 'base64url').toString())

const readSoftwareStatement = (statement: string) => async () => {
  const claims = claimsOf(statement)
  const isTrusted = isPlainObject(claims) && claims['iss'] === issuer
  return isTrusted ? E.right(claims as Record<string, string>) : E.left('software-statement-unapproved' as const)
}

const abilities = { signingAlgorithms: ['RS256'], providerMetadata: {}, clientSecretLength: 43 }
const everyAlgorithm = { ...abilities, signingAlgorithms: asymmetricAlgorithms }
const declared = { id_token_signing_alg_values_supported: ['RS256', 'ES256'] }

/** What must be so, as `given` says. */
const circumstances: { readonly [Rule in RuleId]?: Partial<RegistrationSettings> } = {
  'unsupported-algorithm': { abilities },
  'logout-token-algorithm': { abilities: { ...abilities, providerMetadata: declared }, outboundFetches: true },
  'sector-identifier': { outboundFetches: true },
}

type Sent = { readonly status: number; readonly text: string; readonly members: Readonly<Record<string, unknown>> }

const send = async (handler: FetchHandler, method: string, path: string, body: string): Promise<Sent> => {
  const answer = await handler(
    new Request(`https://op.example${path}`, {
      method,
      body,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${master}` },
    }),
  )
  const text = await answer.text()
  return {
    status: answer.status,
    text,
    members: text === '' ? {} : Object.fromEntries(Object.entries(JSON.parse(text))),
  }
}

const openService = (rule: RuleId): FetchHandler => {
  const policy = { ...noPolicy, ...ruleExamples[rule].policy }
  const settings = httpSettings({
    registration: { ...httpSettings().registration, abilities: everyAlgorithm, policy, ...circumstances[rule] },
  })
  const world = createWorld({ readSoftwareStatement, fetchSectorIdentifier: () => TE.right(redirect_uris) })
  return createPublicHandler(settings, { ...world, remoteAddress: () => undefined }, { withOperators: true })
}

const textOf = (example: RuleExample['bad']): string =>
  typeof example === 'string' ? example : JSON.stringify(example)

const statementOf = (claims: RuleExample['bad']): string =>
  JSON.stringify({ redirect_uris, software_statement: `e30.${Buffer.from(textOf(claims)).toString('base64url')}.c2ln` })

/** Sends the example where it belongs, to a service of its own; undefined for what is no request of a client. */
const sendExample = async (rule: RuleId, example: RuleExample['bad']): Promise<Sent | undefined> => {
  const handler = openService(rule)
  const register = (members: object): Promise<Sent> =>
    send(handler, 'POST', '/clients', JSON.stringify({ redirect_uris, ...members }))
  const { request } = ruleExamples[rule]
  const text = textOf(example)
  switch (request) {
    case 'a document at a client_id':
    case 'a signed request of POST /clients':
      return undefined
    case 'a software statement of POST /clients':
      return send(handler, 'POST', '/clients', statementOf(example))
    case 'POST /clients':
      if (rule === 'preferred-client-id-taken') await register({ preferred_client_id: 'shop' })
      return send(handler, 'POST', '/clients', text)
    case 'PUT /clients/{id}':
      await register({ preferred_client_id: 'the-client' })
      return send(handler, 'PUT', '/clients/the-client', text)
    case 'PATCH /manage/v1/clients/{id}':
      await register({ preferred_client_id: 'the-client' })
      return send(handler, 'PATCH', '/manage/v1/clients/the-client', text)
    case 'POST /sessions/{sid}/clients': {
      await register({ preferred_client_id: 'shop' })
      const { members } = await send(handler, 'POST', '/sessions', '{"sub":"alice"}')
      return send(handler, 'POST', `/sessions/${String(members['sid'])}/clients`, text)
    }
    case 'POST /direct-authz':
    case 'POST /operator-tokens':
    case 'POST /sessions':
    case 'POST /sessions/find': {
      const [method = '', path = ''] = request.split(' ')
      return send(handler, method, path, text)
    }
  }
}

const documented = (rule: string): string => `https://op.example/rules/${rule}`

const faultsIn = ({ members }: Sent): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(members['errors']) ? members['errors'].filter(isPlainObject) : []

for (const rule of Object.keys(ruleTexts).filter(isRuleId)) {
  const { bad, good, at } = ruleExamples[rule]
  Examples(rule, async () => {
    const refused = await sendExample(rule, bad)
    if (refused === undefined) return
    assert.is(refused.status, 400, refused.text)
    const faults = faultsIn(refused)
    if (rule === 'more-faults')
      assert.equal([faults.length, faults.at(-1)?.['rule'], faults.at(-1)?.['pointer']], [50, rule, at])
    // It is a refusal without a place.
    else if (rule === 'json-object') assert.is(refused.members['error_description'], exampleFault(rule).description)
    else
      assert.equal(
        faults.map((each) => [each['rule'], each['pointer']]),
        [[rule, at]],
        refused.text,
      )
    for (const { rule: told, documentation } of faults) assert.is(documentation, documented(String(told)))
    const taken = await sendExample(rule, good)
    const expected = rule === 'session-cookie' ? [404] : [200, 201]
    assert.ok(taken !== undefined && expected.includes(taken.status), taken?.text)
  })
}

Examples.run()
