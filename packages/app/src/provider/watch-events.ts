// Reports the events of all instances on the same store to a listener in this process.
import type { Unavailable } from '@clientele/domain/kernel'
import type { ProviderEvent, ProviderEvents } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Draining } from '../http-ports.js'
import type { Log } from '../observing/log.js'

/** Milliseconds between two reads of the store. */
const lookInterval = 1000

/** The number of events that are read together; further ones are read at once. */
const maxEvents = 1000

/** If it returns a promise, the next event waits for it. */
export type ProviderEventListener = (event: ProviderEvent) => void | Promise<void>

/** Reports each event from now on, once and in order, until the returned function is called. */
export type WatchProviderEvents = (listener: ProviderEventListener) => TE.TaskEither<Unavailable, () => void>

export type WatchEventsPorts = {
  readonly events: ProviderEvents
  readonly log: Log
  /** Set when the service is told to stop: the store closes soon. */
  readonly draining: Readonly<Draining>
}

type Watched = WatchEventsPorts & { readonly listener: ProviderEventListener; readonly isEnded: () => boolean }

const notify = async ({ listener, log }: Watched, event: ProviderEvent): Promise<void> => {
  try {
    await listener(event)
  } catch (detail) {
    log.error({ detail }, 'a listener for events of the provider failed; it is called for the next event')
  }
}

/** The position up to which the listener was called, and whether there may be more. */
const readOn = async (watched: Watched, position: number): Promise<{ position: number; isMore: boolean }> => {
  const read = await watched.events.listEvents(position, maxEvents)()
  if (E.isLeft(read)) {
    watched.log.error({ detail: read.left.detail }, 'events of the provider could not be read; it is tried again')
    return { position, isMore: false }
  }
  // The reader was away for longer than events are stored.
  if (read.right.forgotten) watched.log.warn({ after: position }, 'events of the provider were forgotten unread')
  for (const { event } of read.right.events) if (!watched.isEnded()) await notify(watched, event)
  return { position: read.right.position, isMore: read.right.position > position }
}

const watchFrom = (watched: Watched, first: number): void => {
  const lookAfter = (position: number, wait: number): void => {
    if (watched.isEnded()) return
    setTimeout(() => {
      if (watched.isEnded()) return
      readOn(watched, position).then(
        (read) => lookAfter(read.position, read.isMore ? 0 : lookInterval),
        (detail: unknown) => {
          watched.log.error({ detail }, 'events of the provider could not be read; it is tried again')
          lookAfter(position, lookInterval)
        },
      )
    }, wait).unref()
  }
  lookAfter(first, lookInterval)
}

export const watchProviderEvents =
  (ports: WatchEventsPorts): WatchProviderEvents =>
  (listener) =>
    pipe(
      ports.events.latestPosition,
      TE.map((position) => {
        const state = { ended: false }
        watchFrom({ ...ports, listener, isEnded: () => state.ended || ports.draining.begun }, position)
        return () => {
          state.ended = true
        }
      }),
    )
