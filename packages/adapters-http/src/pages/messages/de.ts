import { around } from './around.js'
import type { Messages } from './messages.js'

export const de: Messages = {
  direction: 'ltr',
  more: (count) => `und ${count} weitere`,
  redirectRefusal: {
    unidentified:
      'Sie werden nicht zu einer Anwendung zurückgeleitet, weil nicht feststeht, von welcher Anwendung diese Anfrage stammt.',
    unverified:
      'Sie werden nicht zur Anwendung zurückgeleitet, weil die Anfrage der Anwendung nicht überprüft werden konnte.',
    outdated: 'Sie werden nicht zur Anwendung zurückgeleitet, weil die Anfrage der Anwendung zu alt ist.',
    contradictory: 'Sie werden nicht zur Anwendung zurückgeleitet, weil die Anfrage der Anwendung widersprüchlich ist.',
    otherUser:
      'Sie werden nicht zur Anwendung zurückgeleitet, weil die Anfrage der Anwendung eine andere Person betrifft.',
    otherSession:
      'Sie werden nicht zur Anwendung zurückgeleitet, weil die Anfrage der Anwendung eine andere Sitzung betrifft.',
    address:
      'Sie werden nicht zur Anwendung zurückgeleitet, weil die dafür angegebene Adresse der Anwendung nicht zugelassen ist.',
  },
  dialog: {
    heading: 'Möchten Sie sich abmelden?',
    back: around('In beiden Fällen kehren Sie anschließend zu {application} zurück.'),
    applications: 'Mit der Abmeldung werden Sie auch abgemeldet von:',
    manyApplications: (count) => `Mit der Abmeldung werden Sie auch von ${count} Anwendungen abgemeldet`,
    logout: 'Abmelden',
    stay: 'Angemeldet bleiben',
  },
  nobody: {
    heading: 'Sie sind nicht angemeldet',
    lead: 'Sie haben sich bereits abgemeldet, oder Ihre Sitzung ist abgelaufen.',
    back: around('Zurück zu {application}'),
  },
  signed_out: {
    heading: 'Sie sind abgemeldet',
    applications: 'Sie werden auch abgemeldet von:',
    manyApplications: (count) => `Sie werden auch von ${count} Anwendungen abgemeldet`,
    lead: 'Sie können dieses Fenster jetzt schließen.',
    back: around('Weiter zu {application}'),
    stillElsewhere: 'Bei dem Dienst, der Ihre Identität bestätigt hat, sind Sie möglicherweise noch angemeldet.',
    elsewhere: around('Auch bei {provider} abmelden'),
  },
  still_signed_in: {
    heading: 'Sie sind weiterhin angemeldet',
    lead: 'Es hat sich nichts geändert. Sie können dieses Fenster schließen.',
  },
  gone: {
    heading: 'Diese Seite ist nicht mehr gültig',
    lead: 'Sie wurde bereits beantwortet, ist abgelaufen oder gehört zu einem anderen Browser. Es wurde nichts geändert.',
    again: 'Wenn Sie sich noch abmelden möchten, beginnen Sie bitte von vorn.',
  },
  unavailable: {
    heading: 'Die Abmeldung ist derzeit nicht möglich',
    lead: 'Es hat sich nichts geändert. Bitte versuchen Sie es in einigen Minuten erneut.',
  },
  too_many_requests: {
    heading: 'Zu viele Anfragen',
    lead: 'Aus Ihrem Netz kamen viele Anfragen. Es hat sich nichts geändert. Bitte warten Sie einen Moment und versuchen Sie es dann erneut.',
  },
  home: {
    heading: 'Dies ist ein OpenID-Provider',
    lead: 'Hier werden Anwendungen registriert, Schlüssel veröffentlicht und Personen abgemeldet.',
    metadata: 'Metadaten des Providers',
    keySet: 'Schlüsselsatz',
    playground: 'Playground: eine Registrierung ausprobieren',
    consents: 'Ihre Anwendungen',
    logout: 'Von diesem Dienst abmelden',
    readme: 'Die README von Clientele beschreibt, wie Anwendungen registriert werden.',
  },
  not_found: { heading: 'Hier ist nichts', lead: 'Bitte prüfen Sie die Adresse.' },
  needs_token: {
    heading: 'Diese Adresse ist für Programme',
    lead: 'Programme lesen und ändern hier Registrierungen. Sie legen ein Token vor, das ein Browser nicht hat.',
    where: 'Wenn Sie eine Seite erwartet haben, prüfen Sie bitte die Adresse.',
  },
}
