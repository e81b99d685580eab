// The page that asks for consent, with the facts at this moment.
import { isDocumented } from '@clientele/domain/client'
import type { Unavailable } from '@clientele/domain/kernel'
import { type Subject, shownApplication } from '@clientele/domain/logout'
import {
  type Consent,
  type ConsentDecision,
  type ConsentFacts,
  decideConsent,
  describeForConsent,
  shownEndUser,
  shownFacts,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type { HttpResponse } from '../http/response.js'
import type { InteractionPages, Visit } from './interaction-pages.js'
import type { SignInPorts } from '../ports.js'

export type RequestedConsent = {
  readonly sub: Subject
  readonly facts: ConsentFacts
  readonly decision: ConsentDecision
  /** Of a form that shows exactly these facts to this end-user. */
  readonly value: string
}

const requested = (
  { consentPolicy }: SignInPorts,
  pages: InteractionPages,
  { interaction }: Visit,
  sub: Subject,
  earlier: O.Option<Consent>,
): RequestedConsent => {
  const facts = describeForConsent(consentPolicy)(interaction, earlier)
  const { client, id } = interaction
  const { scope, resources, warnings, changes } = facts
  return {
    sub,
    facts,
    decision: decideConsent(consentPolicy)(interaction, earlier, facts),
    value: pages.valueOf({
      page: 'consent',
      interaction: id,
      sub,
      // Nothing is stored of a documented client before its first consent; what is shown of it is in the facts.
      registration: isDocumented(client) ? client.client_id : client.registration_id,
      shown: shownFacts(facts),
      requested: { scope, resources, warnings, changes },
    }),
  }
}

/** What the page asks; without an end-user, nothing can be. */
export const readConsent = (ports: SignInPorts, pages: InteractionPages) => {
  return async (visit: Visit): Promise<E.Either<Unavailable | 'no_end_user', RequestedConsent>> => {
    const { client, sub } = visit.interaction
    if (sub === undefined) return E.left('no_end_user')
    const earlier = await ports.findConsent(sub, client)()
    return E.isLeft(earlier) ? earlier : E.right(requested(ports, pages, visit, sub, earlier.right))
  }
}

export const consentPage =
  (pages: InteractionPages) =>
  ({ interaction, language }: Visit, { sub, facts, value }: RequestedConsent): HttpResponse =>
    pages.respond(
      {
        kind: 'consent',
        form: { action: `${pages.addressOf(interaction.id)}/consent`, value },
        application: shownApplication(language)(interaction.client, interaction.redirectUri),
        user: shownEndUser(sub, interaction.claims),
        facts,
      },
      language,
    )
