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
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

/** The operation, for the caller that is found. */
const byCredential =
  <Ports, Found, Caller, Unidentified>(
    identify: (ports: Ports) => (request: Found) => TE.TaskEither<Unidentified, Caller>,
  ) =>
  <Settings, Others, Request extends { readonly caller: Caller }, Refusal, Value>(
    operation: (settings: Settings, ports: Others) => (request: Request) => TE.TaskEither<Refusal, Value>,
  ) =>
  (settings: Settings, ports: Ports & Others) => {
    const find = identify(ports)
    const run = operation(settings, ports)
    return (request: Found & Omit<Request, 'caller'>): TE.TaskEither<Unidentified | Refusal, Value> =>
      pipe(
        find(request),
        TE.flatMap((caller) => run({ ...request, caller } as Found & Omit<Request, 'caller'> & Request)),
      )
  }

type Presented = { readonly credential: PresentedCredential }

const byRegistrant = byCredential(
  (ports: Parameters<typeof identifyRegistrant>[0]) =>
    ({ credential }: Presented): ReturnType<ReturnType<typeof identifyRegistrant>> =>
      identifyRegistrant(ports)(credential),
)
const byUpdater = byCredential((ports: Parameters<typeof identifyHolder>[0]) => identifyHolder(ports, 'update'))
const byReader = byCredential((ports: Parameters<typeof identifyHolder>[0]) => identifyHolder(ports, 'read'))

export const registerByCredential = byRegistrant(registerClient)
export const previewRegistrationByCredential = byRegistrant(previewRegistration)
export const readByCredential = byReader(readClient)
export const updateByCredential = byUpdater(updateClient)
export const previewUpdateByCredential = byUpdater(previewUpdate)
export const deleteByCredential = byCredential(identifyRemover)(deleteClient)
