import { inMemoryStore } from '@clientele/adapters-memory'
import { ClientIdUrl } from '@clientele/domain/client'
import { epochSeconds } from '@clientele/domain/kernel'
import { documentPolicy } from '@clientele/domain/policy'
import type { SeenDocument } from '@clientele/domain/provider'
import { exampleClient, exampleHash, addition, removal } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSeenDocuments } from '../../src/engine/known-clients.js'

const Seen = suite('when documents were seen')

const at = epochSeconds(1_800_000_000_000)
const url = 'https://app.example/client.json'
const seen: SeenDocument = { kind: 'unreachable', at }

const done = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

Seen('a client that is registered again has a record of its own, also of the same document', async () => {
  const { artefacts, registry } = inMemoryStore()
  const { recordSeen, findLastSeen } = createSeenDocuments({
    artefacts,
    hashToken: (text) => exampleHash(createHash('sha256').update(text).digest('base64url')),
    policy: documentPolicy,
  })
  if (!ClientIdUrl.is(url)) throw new Error(url)
  for (const life of ['first', 'second']) {
    const client = { ...exampleClient('a', life), client_id: url }
    await done(registry.addClient(addition(client)))
    await done(recordSeen(client, seen))
    assert.equal(await done(findLastSeen(client.client_id)), O.some(at))
    await done(registry.removeClient(removal(client.client_id)))
    assert.equal(await done(findLastSeen(client.client_id)), O.none)
  }
})

Seen.run()
