// Bodies that must be refused, by row of the attack catalogue, and the conditions for each refusal.
import { ownDoors } from '@clientele/testing'
import * as assert from 'uvu/assert'
import { type Answer, configurationOf, issueToken, redirect_uris, register, send } from '../requests.js'
import type { Service } from '../composed-service.js'
import { assertCareful, assertUntold, rulesOf } from './refusals.js'

type Body = Readonly<Record<string, unknown>>

export type Attack = {
  readonly row: string
  readonly error: string
  /** All faults of each body, as POINTER RULE. */
  readonly reported: ReadonlyArray<string>
  readonly bodies: ReadonlyArray<Body>
}

/** Each URI alone in redirect_uris, with the other members of the client. */
export const redirects =
  (row: string, rule: string, rest: Body = {}) =>
  (...uris: ReadonlyArray<string>): Attack => ({
    row,
    error: 'invalid_redirect_uri',
    reported: [`/redirect_uris/0 ${rule}`],
    bodies: uris.map((uri) => ({ ...rest, redirect_uris: [uri] })),
  })

/** Each value for the member of an otherwise valid body. */
export const values =
  (row: string, member: string, rule: string, rest: Body = {}) =>
  (...all: ReadonlyArray<unknown>): Attack => ({
    row,
    error: 'invalid_client_metadata',
    reported: [`/${member} ${rule}`],
    bodies: all.map((value) => ({ redirect_uris, ...rest, [member]: value })),
  })

/** Each body unchanged. */
export const bodies =
  (row: string, error: string, ...reported: ReadonlyArray<string>) =>
  (...all: ReadonlyArray<Body>): Attack => ({ row, error, reported, bodies: all })

// Shorter values may occur in the text of a rule.
const shortestTelling = 9

const textsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === 'string') return value.length < shortestTelling ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const secretsOf = (body: Body, reported: ReadonlyArray<string>): ReadonlyArray<string> =>
  reported
    .map((each) => each.split(/[/ ]/)[1] ?? '')
    .flatMap((member) => textsIn(body[member]))
    .map((text) => JSON.stringify(text).slice(1, -1))

const [post] = ownDoors()

/**
 * The decision refuses each body; wire/doors.test.ts compares the service with it. The first body is sent as POST and as
 * PUT as well: both are refused alike, nothing is changed and no token is consumed.
 */
export const withstand = async (service: Service, { error, reported, bodies: all }: Attack): Promise<void> => {
  for (const body of all) {
    const faults = await post.judge(body)
    const rules = faults.map(({ pointer, rule }) => `${pointer} ${rule}`)
    assert.equal(rules, reported, JSON.stringify(body).slice(0, 200))
  }
  const registered = await register(service)
  const { path, token: rat } = configurationOf(registered)
  const token = await issueToken(service, 'client-reg')
  for (const body of all.slice(0, 1)) {
    const answers: ReadonlyArray<Answer> = [
      await send(service, '/clients', { method: 'POST', token, json: body }),
      await send(service, path, { method: 'PUT', token: rat, json: body }),
    ]
    for (const answer of answers) {
      assertCareful(answer, 400, error)
      assert.equal(rulesOf(answer), reported, JSON.stringify(body).slice(0, 200))
      await assertUntold(service, answer, ...secretsOf(body, reported))
    }
  }
  assert.equal((await send(service, path, { token: rat })).json, registered.json)
  assert.is((await register(service, { redirect_uris }, token)).status, 200, 'the initial access token is not spent')
}
