// Races about artefacts of the authorization server.
import { secondsAfter } from '@clientele/domain/kernel'
import type { Artefact } from '@clientele/domain/provider'
import {
  done,
  endOf,
  exampleArtefact,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleId,
  exampleSession,
  exampleTime,
  useOf,
  addition,
  removal,
  noRow,
  revokeExample,
  giveConsent,
} from '@clientele/testing'
import * as assert from 'uvu/assert'
import { query } from './query.js'
import type { Race } from './races.js'
import { type Services, atOnce, expectOnly, numbers, successes } from './services.js'

const client = exampleClient('a')

const oneCode = async (services: Services): Promise<void> => {
  const [{ artefacts }] = services.stores
  for (const round of numbers(5)) {
    const code = exampleArtefact('authorization_code', `code-${round}`)
    await done(artefacts.storeArtefact(code, exampleTime))
    const outcomes = await atOnce(services, 90, (store) => store.artefacts.useArtefact(useOf(code)))
    expectOnly(outcomes, 'already_consumed')
    assert.is(successes(outcomes), 1)
  }
}

// Of a token, its successors and theirs, whatever is used at once: of siblings, one was used.
const families = async (services: Services): Promise<void> => {
  const [{ artefacts }] = services.stores
  for (const round of numbers(10)) {
    const token = (name: string, predecessor?: string): Artefact => ({
      ...exampleArtefact('refresh_token', `${name}-${round}`),
      ...(predecessor === undefined ? {} : { predecessor: exampleHash(`${predecessor}-${round}`) }),
    })
    const tokens = [token('root'), token('a', 'root'), token('b', 'root'), token('aa', 'a'), token('ba', 'b')]
    for (const each of tokens) await done(artefacts.storeArtefact(each, exampleTime))
    const outcomes = await atOnce(services, 60, (store, index) =>
      store.artefacts.useArtefact(useOf(tokens[index % 5] ?? token('root'), exampleTime, 60)),
    )
    expectOnly(outcomes, 'already_consumed')
  }
  const siblings = await query(
    services.url,
    `SELECT predecessor FROM artefacts WHERE consumed_at IS NOT NULL AND predecessor IS NOT NULL
     GROUP BY predecessor HAVING count(*) > 1`,
  )
  assert.equal(siblings, [])
  const wrong = await query(
    services.url,
    `SELECT 1 FROM artefacts AS token JOIN artefacts AS before ON before.hash = token.predecessor
     WHERE token.consumed_at IS NOT NULL AND before.successor IS DISTINCT FROM token.hash`,
  )
  assert.equal(wrong, [])
}

const strays = `
SELECT 'client' AS of FROM artefacts WHERE client IS NOT NULL AND client NOT IN (SELECT ordinal FROM clients) UNION ALL
SELECT 'session' FROM artefacts WHERE session IS NOT NULL AND session NOT IN (SELECT sid FROM end_user_sessions) UNION ALL
SELECT 'grant' FROM artefacts WHERE grant_hash IS NOT NULL AND grant_hash NOT IN
  (SELECT hash FROM artefacts WHERE kind = 'grant') UNION ALL
SELECT 'consent' FROM consents WHERE client NOT IN (SELECT ordinal FROM clients)`

const refusals = ['unknown_client', 'unknown_session', 'unknown_grant', 'consent_changed']

const ends = async (services: Services): Promise<void> => {
  const [store, other] = services.stores
  for (const round of numbers(15)) {
    await done(store.registry.addClient(addition(client)))
    const session = exampleSession(`round-${round}`)
    await done(store.endUserSessions.addSession(session, exampleHash(`round-${round}`), exampleTime, noRow))
    const consent = exampleConsent(client)
    const grant = { ...exampleArtefact('grant', `grant-${round}`), client, sub: consent.sub }
    await done(store.artefacts.storeArtefact(grant, exampleTime))
    const of = { client, sub: consent.sub, grant: grant.hash, session: session.sid }
    const stored = atOnce(services, 9, ({ artefacts }, index) =>
      artefacts.storeArtefact({ ...exampleArtefact('access_token', `${round}-${index % 6}`), ...of }, exampleTime),
    )
    const consented = atOnce(services, 3, (each) => giveConsent(each, consent))
    const end = [
      other.sessionTermination.endSession(endOf(session), noRow),
      other.artefacts.removeGrant(grant.hash),
      revokeExample(other, consent),
      other.registry.removeClient(removal(exampleId('a'))),
    ][round % 4]
    expectOnly(await Promise.all([end?.()].flatMap((each) => each ?? [])))
    expectOnly(await stored, ...refusals)
    expectOnly(await consented, ...refusals)
    assert.equal(await query(services.url, strays), [], `round ${round}`)
    await store.registry.removeClient(removal(exampleId('a')))()
  }
}

const late = secondsAfter(exampleTime, 7200)

const expiry = async (services: Services): Promise<void> => {
  const [store] = services.stores
  const grants = numbers(10).map((nth) => exampleArtefact('grant', `expired-${nth}`))
  for (const each of grants) await done(store.artefacts.storeArtefact(each, exampleTime))
  const stored = await atOnce(services, 60, ({ artefacts }, index) =>
    artefacts.storeArtefact(
      {
        ...exampleArtefact('access_token', `nth-${index}`),
        expires_at: secondsAfter(late, 60),
        grant: exampleHash(`expired-${index % 10}`),
      },
      late,
    ),
  )
  expectOnly(stored, 'unknown_grant')
  assert.equal(await query(services.url, strays), [])
}

// A model found it: a use that had read such a token wrote its successor, found it consumed, and took that successor for one of
// another use. The second one names the token alone, so that it does not wait for the first.
const ownPredecessor = async ({ stores: [{ artefacts }] }: Services): Promise<void> => {
  for (const round of numbers(300)) {
    const { hash, ...own } = exampleArtefact('refresh_token', `own-${round}`)
    await done(artefacts.storeArtefact({ ...own, hash, predecessor: hash }, exampleTime))
    const outcomes = await Promise.all([
      artefacts.useArtefact(useOf({ ...own, hash, predecessor: hash }, exampleTime, 60))(),
      artefacts.useArtefact(useOf({ ...own, hash }, exampleTime, 60))(),
    ])
    assert.is(successes(outcomes), 1)
  }
}

export const artefactRaces: ReadonlyArray<Race> = [
  { name: 'a token that precedes itself is used once', run: ownPredecessor },
  { name: 'one of 90 that consume a code succeeds', run: oneCode },
  { name: 'of refresh tokens with one predecessor, one is used', run: families },
  { name: 'no artefact outlives its client, its session, its grant or its consent', run: ends },
  { name: 'expired artefacts are removed beside those that name them', run: expiry },
]
