import { type SessionApplication, shownApplication } from '@clientele/domain/logout'
import type { RegisteredClient } from '@clientele/domain/registration'
import type { ShownApplication } from '../pages/page.js'
import type { Language } from '../pages/messages/languages.js'

/** The maximum number of named applications; the others are counted. */
const maxNamed = 20

const hostOf = ({ client: { metadata } }: SessionApplication): string =>
  metadata.backchannel_logout_uri ?? metadata.frontchannel_logout_uri ?? ''

/** The applications beside the one to which the page leads back, which it names already. */
export const shownApplications =
  (language: Language) =>
  (
    applications: ReadonlyArray<SessionApplication>,
    back: RegisteredClient | undefined,
  ): { readonly applications: ReadonlyArray<ShownApplication>; readonly more: number } => {
    const others = applications.filter(({ client }) => client.registration_id !== back?.registration_id)
    return {
      applications: others
        .slice(0, maxNamed)
        .map((application) => shownApplication(language)(application.client, hostOf(application))),
      more: Math.max(0, others.length - maxNamed),
    }
  }
