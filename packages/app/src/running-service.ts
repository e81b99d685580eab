import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'

const RunningService = t.readonly(t.exact(t.type({ url: t.string, pid: t.number })), 'RunningService')

/** Where commands reach the running service. */
export interface RunningService extends t.TypeOf<typeof RunningService> {}

export const writeServiceFile = (path: string, service: RunningService): void => {
  const draft = `${path}.${service.pid}.tmp`
  writeFileSync(draft, `${JSON.stringify(service)}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

export const removeServiceFile = (path: string): void => rmSync(path, { force: true })

export const readServiceFile = (path: string): O.Option<RunningService> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(readFileSync(path, 'utf8'))),
    O.flatMap((value) => O.fromEither(RunningService.decode(value))),
  )
