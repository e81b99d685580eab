import type { EpochSeconds } from '@clientele/domain/kernel'
import type { AnnouncedRemovals } from '@clientele/domain/operations'
import { counted } from './counted.js'
import { isoTime } from './iso-time.js'

export type RemovalsAhead = Omit<AnnouncedRemovals, 'first_at'> & { readonly first_at?: EpochSeconds | undefined }

/** What will be removed, and when. */
export const removalsText = ({ clients, within_a_day, within_a_week, first_at }: RemovalsAhead): string =>
  first_at === undefined
    ? 'No client will be removed by the service itself'
    : `${counted(clients, 'parked client', 'parked clients')} of open registration will be removed unless they are used: the first at ${isoTime(first_at)}, ${within_a_day} within a day, ${within_a_week} within a week`
