// A standby of a server, which takes its changes by streaming.
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port.js'
import { query } from './query.js'
import { type OwnServer, newPlace, serverIn } from './server.js'
import { runAsServerUser } from './server-user.js'

export const nameOfStandby = 'standby'

/** The standby streams from the port, which may be that of a forwarder. It becomes the server by `pg_promote()`. */
export const startStandby = async ({ urlOfSuperuser }: OwnServer, port: number): Promise<OwnServer> => {
  const place = newPlace()
  const source = new URL(urlOfSuperuser)
  source.pathname = ''
  const target = ['-D', join(place.folder, 'data'), '--checkpoint=fast', '--no-sync', '--write-recovery-conf']
  runAsServerUser(join(place.binaries, 'pg_basebackup'), ['-d', source.href, ...target], place.folder)
  const standby = serverIn(place, await freePort(), source.password)
  source.port = `${port}`
  source.searchParams.set('application_name', nameOfStandby)
  await standby.start({ primary_conninfo: source.href, wal_retrieve_retry_interval: '100ms' })
  return standby
}

/** `sync` is the state of a standby that commits wait for. */
export const untilReplicated = async ({ urlOfSuperuser }: OwnServer, state: 'sync' | 'async'): Promise<void> => {
  const replicated = 'SELECT 1 FROM pg_stat_replication WHERE sync_state = $1'
  while ((await query(urlOfSuperuser, replicated, [state])).length === 0) await setTimeout(20)
}
