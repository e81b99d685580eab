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

/** Runs the operation for the caller that is found. */
const forCaller =
  <Request extends object, Caller, Unidentified, Refusal, Value>(
    identify: (request: Request) => TE.TaskEither<Unidentified, Caller>,
    run: (request: NoInfer<Request> & { readonly caller: NoInfer<Caller> }) => TE.TaskEither<Refusal, Value>,
  ) =>
  (request: Request): TE.TaskEither<Unidentified | Refusal, Value> =>
    pipe(
      identify(request),
      TE.flatMap((caller) => run({ ...request, caller })),
    )

export const registerByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof registerClient>[1] & Parameters<typeof identifyRegistrant>[0],
) =>
  forCaller(
    ({ credential }: Presented<typeof registerClient>) => identifyRegistrant(ports)(credential),
    registerClient(settings, ports),
  )

export const previewRegistrationByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof previewRegistration>[1] & Parameters<typeof identifyRegistrant>[0],
) =>
  forCaller(
    ({ credential }: Presented<typeof previewRegistration>) => identifyRegistrant(ports)(credential),
    previewRegistration(settings, ports),
  )

export const readByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof readClient>[1] & Parameters<typeof identifyHolder>[0],
) =>
  forCaller((request: Named<typeof readClient>) => identifyHolder(ports, 'read')(request), readClient(settings, ports))

export const updateByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof updateClient>[1] & Parameters<typeof identifyHolder>[0],
) =>
  forCaller(
    (request: Named<typeof updateClient>) => identifyHolder(ports, 'update')(request),
    updateClient(settings, ports),
  )

export const previewUpdateByCredential = (
  settings: RegistrationSettings,
  ports: Parameters<typeof previewUpdate>[1] & Parameters<typeof identifyHolder>[0],
) =>
  forCaller(
    (request: Named<typeof previewUpdate>) => identifyHolder(ports, 'update')(request),
    previewUpdate(settings, ports),
  )

export const deleteByCredential = (
  settings: Parameters<typeof deleteClient>[0],
  ports: Parameters<typeof deleteClient>[1] & Parameters<typeof identifyRemover>[0],
) => forCaller((request: Named<typeof deleteClient>) => identifyRemover(ports)(request), deleteClient(settings, ports))
