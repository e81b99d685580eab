import type { Fault } from '../../codec/fault.js'
import type { ClientMetadata } from '../client-metadata.js'
import type { MemberName } from '../members.js'

/** A rule across members. It is judged when all of them keep their own rules, so that one mistake is told once. */
export type MetadataRule = {
  readonly members: ReadonlyArray<MemberName>
  /** Judges the effective metadata; a rule about each entry of a list looks at the list as sent. */
  readonly faultsOf: (metadata: ClientMetadata, sent: Readonly<Record<string, unknown>>) => ReadonlyArray<Fault>
}
