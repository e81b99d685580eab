import * as TE from 'fp-ts/lib/TaskEither.js'
import { shouldNotBeCalled } from '@clientele/testing'

/** The ports of a registration that repeats none, and is not repeated. */
export const requestedOnce = {
  findClient: shouldNotBeCalled,
  findUnused: shouldNotBeCalled,
  findKeyedRegistration: shouldNotBeCalled,
  replaceClient: shouldNotBeCalled,
  hashToken: shouldNotBeCalled,
  confirmReads: TE.right(undefined),
  serialize: shouldNotBeCalled,
  pause: shouldNotBeCalled,
  drawFraction: shouldNotBeCalled,
}
