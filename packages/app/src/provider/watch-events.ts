// Tells a listener in this process of what any instance on the same store did.
import type { ProviderEvent, ProviderEvents, Unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Draining } from '../http-ports.js'
import type { Log } from '../observing/log.js'

/** Milliseconds from one look at the store to the next one. */
const lookInterval = 1000

/** So many events are read together. */
const maxEvents = 1000

export type ProviderEventListener = (event: ProviderEvent) => void

/** Each event from now on, once and in its order, until what is returned is called. */
export type WatchProviderEvents = (listener: ProviderEventListener) => TE.TaskEither<Unavailable, () => void>

export type WatchEventsPorts = {
  readonly events: ProviderEvents
  readonly log: Log
  /** Begun when the service was told to stop: the store is closed soon. */
  readonly draining: Readonly<Draining>
}

type Watched = WatchEventsPorts & { readonly listener: ProviderEventListener }

const notify = ({ listener, log }: Watched, event: ProviderEvent): void => {
  try {
    listener(event)
  } catch (detail) {
    log.error({ detail }, 'a listener for events of the provider threw; it is called for the next event')
  }
}

/** The position up to which the listener was called. A store that cannot be read now is read again at the next look. */
const readOn = async (watched: Watched, position: number, isEnded: () => boolean): Promise<number> => {
  const read = await watched.events.listEvents(position, maxEvents)()
  if (E.isLeft(read) || isEnded()) return position
  for (const { event } of read.right) notify(watched, event)
  return read.right.at(-1)?.position ?? position
}

const watchFrom = (watched: Watched, first: number): (() => void) => {
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const lookAfter = (position: number): void => {
    if (ended || watched.draining.begun) return
    timer = setTimeout(() => {
      void readOn(watched, position, () => ended).then(lookAfter)
    }, lookInterval).unref()
  }
  lookAfter(first)
  return () => {
    ended = true
    clearTimeout(timer)
  }
}

export const watchProviderEvents =
  (ports: WatchEventsPorts): WatchProviderEvents =>
  (listener) =>
    pipe(
      ports.events.latestPosition,
      TE.map((position) => watchFrom({ ...ports, listener }, position)),
    )
