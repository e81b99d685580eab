import { minStoredEvents, type ProviderEvent, type ProviderEvents } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { State } from './state.js'
import { step } from './step.js'

const latestOf = ({ events }: State): number => events.at(-1)?.position ?? 0

/** Called in the step that causes the event. */
export const recordEvent = (state: State, event: ProviderEvent): void => {
  const { events } = state
  events.push({ position: latestOf(state) + 1, event })
  // The list is cut at twice the minimum, so that it is cut rarely.
  if (events.length > 2 * minStoredEvents) events.splice(0, minStoredEvents)
}

export const inMemoryProviderEvents = (state: State): ProviderEvents => ({
  latestPosition: step(() => E.right(latestOf(state))),
  listEvents: (position, max) =>
    step(() => {
      const events = state.events.filter((each) => each.position > position).slice(0, max)
      // Positions are consecutive here.
      const forgotten = (events[0]?.position ?? 0) > position + 1
      return E.right({ events, position: events.at(-1)?.position ?? position, forgotten })
    }),
})
