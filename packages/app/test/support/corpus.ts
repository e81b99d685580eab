// corpus/: the body that each client in use sends, as it was recorded.
import { readFileSync, readdirSync } from 'node:fs'
import type { ProfileName } from '../../src/config/settings.js'

/** Where the body comes from: a run of the client, a recording by others, its source, or a specification. */
export type Origin = 'run' | 'captured' | 'source' | 'documented'

export type RecordedClient = {
  readonly file: string
  readonly client: string
  readonly version: string
  readonly how: Origin
  /** Public addresses. */
  readonly source: ReadonlyArray<string>
  readonly note?: string
  /** The profile under which it registers; null for the default settings. */
  readonly profile: ProfileName | null
  /** The scope of the initial access token that it needs. */
  readonly token?: string
  /** What the operator of such a provider declares: the setting provider-metadata. */
  readonly providerMetadata?: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
  /** The faults for which the body is refused as it stands, each as its pointer and its rule. */
  readonly refused?: ReadonlyArray<string>
  /** Members in place of those of the body; with them it registers. */
  readonly adjusted?: Readonly<Record<string, unknown>>
}

/** What registers: the body, as it stands or as its note says. */
export const registrable = ({ body, adjusted }: RecordedClient): Readonly<Record<string, unknown>> => ({
  ...body,
  ...adjusted,
})

const folder = new URL('../../../../corpus/', import.meta.url)

const files = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()

export const corpus: ReadonlyArray<RecordedClient> = files.map((file) => ({
  file,
  ...JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
}))
