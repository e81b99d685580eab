// The claims of end-users from their last login: OpenID Core §5.
import { type EpochSeconds, type JsonObject, secondsAfter } from '@clientele/domain/kernel'
import type { Subject } from '@clientele/domain/logout'
import type { EndUserClaims } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { FindAccount } from 'oidc-provider'
import { claimsByScope } from './abilities.js'
import { orThrow } from './errors.js'
import { grantLifetime } from './lifetimes.js'
import type { EnginePorts } from './ports.js'

export type AccountPorts = Pick<EnginePorts, 'findArtefact' | 'storeArtefact' | 'hashToken'>

/** For pages that name end-users. */
export const createClaims = ({ findArtefact, hashToken }: AccountPorts): EndUserClaims => ({
  findEndUserClaims: (sub) => pipe(findArtefact('account', hashToken(sub)), TE.map(O.map(({ payload }) => payload))),
})

/** The claims that the login method reported at the last login; none if that was too long ago. */
export const claimsOf = async ({ findArtefact, hashToken }: AccountPorts, sub: string): Promise<JsonObject> => {
  const found = await orThrow(findArtefact('account', hashToken(sub)))
  return O.isSome(found) ? found.value.payload : {}
}

/** Stores the claims; they are there for as long as any grant of this login. */
export const storeClaims = async (
  { storeArtefact, hashToken }: AccountPorts,
  { sub, claims }: { readonly sub: Subject; readonly claims: JsonObject },
  at: EpochSeconds,
): Promise<void> => {
  await orThrow(
    storeArtefact(
      { kind: 'account', hash: hashToken(sub), sub, expires_at: secondsAfter(at, 2 * grantLifetime), payload: claims },
      at,
    ),
  )
}

// OpenID Core §5.4, §5.5: other scope values and requested claims alone ask for more than the sub.
const asksForClaims = (scope: string, requested: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(requested).length > 0 || scope.split(' ').some((value) => Object.hasOwn(claimsByScope, value))

export const accountFinder =
  (ports: AccountPorts): FindAccount =>
  (_request, sub) => ({
    accountId: sub,
    claims: async (_use, scope, requested) =>
      asksForClaims(scope, requested) ? { ...(await claimsOf(ports, sub)), sub } : { sub },
  })
