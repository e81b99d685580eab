import { type SessionApplication, shownApplication } from '@clientele/domain'
import type { ShownApplication } from '../pages/page.js'
import type { Language } from '../pages/messages/languages.js'

/** The maximum number of named applications; the others are counted. */
const maxNamed = 20

const hostOf = ({ client: { metadata } }: SessionApplication): string =>
  metadata.backchannel_logout_uri ?? metadata.frontchannel_logout_uri ?? ''

export const shownApplications =
  (language: Language) =>
  (
    applications: ReadonlyArray<SessionApplication>,
  ): { readonly applications: ReadonlyArray<ShownApplication>; readonly more: number } => ({
    applications: applications
      .slice(0, maxNamed)
      .map((application) => shownApplication(language)(application.client, hostOf(application))),
    more: Math.max(0, applications.length - maxNamed),
  })
