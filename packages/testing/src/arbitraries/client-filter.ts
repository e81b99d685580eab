import * as fc from 'fast-check'
import { secondsAfter } from '@clientele/domain/kernel'
import type { ClientFilter } from '@clientele/domain/managing'
import { type RegisteredClient, clientOrigins, storedMetadata, withProvenance } from '@clientele/domain/registration'
import { exampleClient, exampleTime } from '../examples.js'
import { provenance, registeredBy } from './registration.js'

const day = 86_400
const names = [
  'Calendar',
  'calendar of Zoë',
  'Übersicht "é"',
  'Kalender\nApp',
  'ＦＵＬＬ width',
  '日本語アプリ',
  "it's 100% _a_",
]
const hosts = ['app.example', 'login.example.org', 'xn--bcher-kva.example', '127.0.0.1:8080']

const metadata = (): fc.Arbitrary<RegisteredClient['metadata']> =>
  fc
    .record(
      {
        redirect_uris: fc.array(
          fc.constantFrom(...hosts).map((host) => `https://${host}/cb`),
          { minLength: 1, maxLength: 2 },
        ),
        client_name: fc.constantFrom(...names),
        software_id: fc.constantFrom('4NRB1-0XZABZI9E6-5SM3R', 'no', 'Software "1"'),
        contacts: fc.constant(['ops@rp.example']),
      },
      { requiredKeys: ['redirect_uris'], noNullPrototype: true },
    )
    .map((members) => storedMetadata(members))

const variant = (): fc.Arbitrary<(client: RegisteredClient) => RegisteredClient> =>
  fc
    .tuple(metadata(), provenance(), registeredBy(), fc.integer({ min: 0, max: 200 * day }), fc.boolean())
    .map(([sent, origin, registered_by, after, hasSecret]) => (client) => {
      const issued = { registered_by, metadata: sent, client_id_issued_at: secondsAfter(exampleTime, after) }
      const known = origin !== undefined && Object.keys(origin).length > 0 ? origin : undefined
      return withProvenance(known, { ...client, ...issued, secret: hasSecret ? client.secret : undefined })
    })

/** Clients that share names, hosts and other texts. */
export const searchedClients = (): fc.Arbitrary<ReadonlyArray<RegisteredClient>> =>
  fc
    .array(variant(), { minLength: 30, maxLength: 60, size: 'max' })
    .map((variants) => variants.map((change, place) => change(exampleClient(`client-${place}`))))

const partOf = (text: string): fc.Arbitrary<string> => {
  const characters = Array.from(text)
  return fc
    .tuple(fc.nat({ max: Math.max(0, characters.length - 3) }), fc.integer({ min: 3, max: 20 }))
    .map(([start, length]) => characters.slice(start, start + length).join(''))
}

const valuesOf = <Value>(
  clients: ReadonlyArray<RegisteredClient>,
  of: (client: RegisteredClient) => Value | undefined,
) => clients.flatMap((client) => of(client) ?? [])

const oneOr = <Value>(values: ReadonlyArray<Value>, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  values.length === 0 ? other : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, other)

/** A filter that is likely to match some of the clients. */
export const clientFilter = (clients: ReadonlyArray<RegisteredClient>): fc.Arbitrary<ClientFilter> => {
  const time = fc.integer({ min: -day, max: 200 * day }).map((after) => secondsAfter(exampleTime, after))
  const texts = [...names, ...hosts, 'ops@rp.example', 'client-1', 'Renamed', '4NRB1-0XZ', 'com.nothing']
  return fc.record(
    {
      q: fc
        .constantFrom(...texts)
        .chain(partOf)
        .filter((text) => Array.from(text).length >= 3),
      registered_by: registeredBy(),
      token: oneOr(
        valuesOf(clients, (client) => client.provenance?.token),
        provenance()
          .map((each) => each?.token)
          .filter((each) => each !== undefined),
      ),
      statement_issuer: oneOr(
        valuesOf(clients, (client) => client.provenance?.statement_issuer),
        fc.constant('https://no.example'),
      ),
      declared: fc.constantFrom('production', 'team.a', 'nothing'),
      origin: fc.constantFrom(...clientOrigins),
      state: fc.constantFrom('unused', 'active', 'idle', 'parked', 'pending', 'refused', 'suspended'),
      software_id: fc.constantFrom('4NRB1-0XZABZI9E6-5SM3R', 'no', 'Software "1"', 'another'),
      since: time,
      never_used: fc.boolean(),
      idle_since: time,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
}
