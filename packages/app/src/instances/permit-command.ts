import { type InstanceRefusal, permitKeys } from '@clientele/domain/instances'
import type { Unavailable } from '@clientele/domain/kernel'
import type { StoreRefusal } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Admit } from '../data/open-data.js'
import { refusalText } from './instance-texts.js'
import { ownKeys } from './own-keys.js'

/** The refusal to open a store beside its running instances. */
export const instanceStoreRefusal = (failure: InstanceRefusal | Unavailable): StoreRefusal =>
  failure.error === 'unavailable'
    ? { refusal: 'unusable', message: 'the instances in the database cannot be read or written now: try again' }
    : {
        refusal: failure.error === 'excluded_by_schema' ? 'newer-schema' : 'other-instances',
        message: refusalText(failure),
      }

/** A command seals, but announces nothing: it ends soon. */
export const permitCommand: Admit = ({ listInstances }, secrets) =>
  pipe(
    listInstances,
    TE.flatMapEither((running) => permitKeys(ownKeys(secrets), running)),
    TE.mapLeft(instanceStoreRefusal),
  )
