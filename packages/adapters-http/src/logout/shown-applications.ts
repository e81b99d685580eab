import { type SessionApplication, shownApplication } from '@clientele/domain'
import type { ShownApplication } from './page.js'
import type { Language } from './messages/languages.js'

/** So many are named; of the others their number is told. */
const mostNamed = 20

const toldAt = ({ client: { metadata } }: SessionApplication): string =>
  metadata.backchannel_logout_uri ?? metadata.frontchannel_logout_uri ?? ''

export const shownApplications =
  (language: Language) =>
  (
    applications: ReadonlyArray<SessionApplication>,
  ): { readonly applications: ReadonlyArray<ShownApplication>; readonly more: number } => ({
    applications: applications
      .slice(0, mostNamed)
      .map((application) => shownApplication(language)(application.client, toldAt(application))),
    more: Math.max(0, applications.length - mostNamed),
  })
