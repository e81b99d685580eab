import type { ArtefactKind } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import type { EventEmitter } from 'node:events'
import type { Provider } from 'oidc-provider'
import { orThrow } from '../errors.js'
import type { EnginePorts } from '../ports.js'
import { type EngineClient, registrationOf } from './find-client.js'

type UsePorts = Pick<EnginePorts, 'recordUse'>

const kinds: ReadonlyArray<ArtefactKind> = ['authorization_code', 'access_token', 'refresh_token', 'client_credentials']

/** Whether the artefact is one that a client gets: to ask for it is no use, because any browser may. */
export const isUse = (kind: ArtefactKind): boolean => kinds.includes(kind)

/** Before such an artefact is stored, so that no client which has one counts as unused. */
export const recordUseBy = async (
  { recordUse }: UsePorts,
  kind: ArtefactKind,
  client: Registration | undefined,
): Promise<void> => {
  if (client !== undefined && isUse(kind)) await orThrow(recordUse(client))
}

/** JWTs are issued without an artefact. Only a client with a token issues one alone, which is never removed. */
export const recordUses = (provider: Provider, { recordUse }: UsePorts): void => {
  const emitter: EventEmitter = provider
  for (const event of ['access_token.issued', 'client_credentials.issued'])
    emitter.on(event, ({ client }: { readonly client?: EngineClient }) => {
      const registration = client === undefined ? undefined : registrationOf(client)
      if (registration !== undefined) void recordUse(registration)()
    })
}
