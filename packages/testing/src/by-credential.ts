// The operations of a registration as a request calls them: who calls is found by its credential first.
import type { PresentedCredential } from '@clientele/domain/authorization'
import {
  deleteClient,
  identifyHolder,
  identifyRegistrant,
  identifyRemover,
  previewRegistration,
  previewUpdate,
  readClient,
  registerClient,
  updateClient,
} from '@clientele/domain/operations'
import type { RegistrationSettings } from '@clientele/domain/registration'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

type Operation = (settings: RegistrationSettings, ports: never) => (request: never) => unknown
type Presented<Any extends Operation> = Omit<Parameters<ReturnType<Any>>[0], 'caller'> & {
  readonly credential: PresentedCredential
}
type Named<Any extends Operation> = Presented<Any> & { readonly clientId: string }

export const registerByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof registerClient>[1] & Parameters<typeof identifyRegistrant>[0],
) => {
  const identified = identifyRegistrant(ports)
  const run = registerClient(settings, ports)
  return ({ credential, ...request }: Presented<typeof registerClient>): ReturnType<typeof run> =>
    pipe(
      identified(credential),
      TE.flatMap((caller) => run({ ...request, caller })),
    )
}

export const previewRegistrationByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof previewRegistration>[1] & Parameters<typeof identifyRegistrant>[0],
) => {
  const identified = identifyRegistrant(ports)
  const run = previewRegistration(settings, ports)
  return ({ credential, ...request }: Presented<typeof previewRegistration>): ReturnType<typeof run> =>
    pipe(
      identified(credential),
      TE.flatMap((caller) => run({ ...request, caller })),
    )
}

export const readByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof readClient>[1] & Parameters<typeof identifyHolder>[0],
) => {
  const identified = identifyHolder(ports, 'read')
  const run = readClient(settings, ports)
  return ({ credential, clientId, ...request }: Named<typeof readClient>): ReturnType<typeof run> =>
    pipe(
      identified({ credential, clientId }),
      TE.flatMap((caller) => run({ ...request, caller })),
    )
}

export const updateByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof updateClient>[1] & Parameters<typeof identifyHolder>[0],
) => {
  const identified = identifyHolder(ports, 'update')
  const run = updateClient(settings, ports)
  return ({ credential, clientId, ...request }: Named<typeof updateClient>): ReturnType<typeof run> =>
    pipe(
      identified({ credential, clientId }),
      TE.flatMap((caller) => run({ ...request, caller })),
    )
}

export const previewUpdateByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof previewUpdate>[1] & Parameters<typeof identifyHolder>[0],
) => {
  const identified = identifyHolder(ports, 'update')
  const run = previewUpdate(settings, ports)
  return ({ credential, clientId, ...request }: Named<typeof previewUpdate>): ReturnType<typeof run> =>
    pipe(
      identified({ credential, clientId }),
      TE.flatMap((caller) => run({ ...request, caller })),
    )
}

export const deleteByCredential = (
  settings: Parameters<typeof deleteClient>[0],
  ports: Parameters<typeof deleteClient>[1] & Parameters<typeof identifyRemover>[0],
) => {
  const identified = identifyRemover(ports)
  const run = deleteClient(settings, ports)
  return ({ credential, clientId, ...request }: Named<typeof deleteClient>): ReturnType<typeof run> =>
    pipe(
      identified({ credential, clientId }),
      TE.flatMap((caller) => run({ ...request, caller })),
    )
}
