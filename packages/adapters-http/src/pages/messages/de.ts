import type { Messages } from './en.js'
import { around, whole } from './sentences.js'

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
    lead: 'Hier werden Anwendungen registriert, Schlüssel veröffentlicht und Personen an- und abgemeldet.',
    developers:
      'Wenn Sie eine Anwendung entwickeln, registrieren Sie sie am Registrierungsendpunkt: Die Seiten hierunter sagen wie, und was angenommen wird.',
    people: 'Wenn Sie sich anmelden wollen, öffnen Sie die gewünschte Anwendung, und sie führt Sie hierher.',
    metadata: 'Metadaten des Providers',
    keySet: 'Schlüsselsatz',
    reference: 'Referenz: jede Anfrage mit ihren Antworten',
    rules: 'Regeln: was eine Registrierung einhalten muss',
    playground: 'Playground: eine Registrierung ausprobieren',
    console: 'Konsole: für Betreiber',
    consents: 'Ihre Anwendungen',
    logout: 'Von diesem Dienst abmelden',
  },
  not_found: { heading: 'Hier ist nichts', lead: 'Bitte prüfen Sie die Adresse.' },
  needs_token: {
    heading: 'Diese Adresse ist für Programme',
    lead: 'Programme lesen und ändern hier Registrierungen. Sie legen ein Token vor, das ein Browser nicht hat.',
    where: 'Wenn Sie eine Seite erwartet haben, prüfen Sie bitte die Adresse.',
  },
  signedInAs: around('Angemeldet als {user}'),
  onward: around('Zu {service}'),
  again: 'Noch einmal versuchen',
  login: {
    heading: 'Anmelden',
    lead: around('um mit {application} fortzufahren'),
    development:
      'Diese Seite dient nur der Entwicklung. Alle, die sie erreichen, können diese Konten verwenden: Geben Sie nie ein echtes Passwort ein.',
    accounts: 'Konten',
    username: 'Benutzername',
    password: 'Passwort',
    submit: 'Weiter',
    cancel: 'Abbrechen',
    refused: 'Benutzername und Passwort passen nicht zusammen. Bitte versuchen Sie es noch einmal.',
  },
  choose_login: {
    heading: 'Wie möchten Sie sich anmelden?',
    lead: around('um mit {application} fortzufahren'),
    party: around('Weiter mit {provider}'),
    cancel: 'Nicht anmelden',
  },
  consent: {
    heading: 'Zugriff erlauben?',
    asks: around('Eine Anwendung unter {host} möchte auf Ihr Konto zugreifen.'),
    asksOnDevice: around('Eine Anwendung auf Ihrem Gerät ({host}) möchte auf Ihr Konto zugreifen.'),
    claimed: around('Sie nennt sich {name}. Diesen Namen kann jeder angeben.'),
    registered: around('Sie nennt sich {name}. Der Betreiber dieses Dienstes hat sie registriert.'),
    nameless: 'Sie gibt keinen Namen an.',
    named: around('Ihr Name ist {name}.'),
    verified: around('{host} bürgt für diesen Namen und diese Adresse.'),
    otherHosts: 'Sie kann Ihre Daten auch hier empfangen:',
    scope: 'Sie verlangt:',
    scopes: {
      openid: 'Auskunft, wer Sie sind, um Sie anzumelden',
      profile: 'Ihren Namen und Ihr Profil',
      email: 'Ihre E-Mail-Adresse',
      address: 'Ihre Postanschrift',
      phone: 'Ihre Telefonnummer',
      offline_access: 'Zugriff auch dann, wenn Sie sie nicht verwenden',
    },
    resource: around('Bei {resource}:'),
    warnings: {
      loopback_only: whole(
        'Jedes Programm auf Ihrem Gerät kann sich als diese Anwendung ausgeben. Fahren Sie nur fort, wenn Sie die Anmeldung gerade selbst begonnen haben.',
      ),
      private_use_scheme: around(
        'Jede Anwendung auf Ihrem Gerät, die {scheme} öffnet, kann die Antwort erhalten. Fahren Sie nur fort, wenn Sie die Anmeldung gerade selbst begonnen haben.',
      ),
      looks_like: around('Der Name lässt sich mit {name} verwechseln, aber diese Anwendung gehört nicht dazu.'),
      claims_status: around('Der Name enthält „{word}“. Das hat niemand geprüft.'),
      mixed_scripts: whole('Der Name mischt Buchstaben mehrerer Alphabete, wie es Fälschungen tun.'),
    },
    changed: 'Seit Ihrer letzten Erlaubnis hat sich geändert:',
    changes: {
      identity: 'wer für die Anwendung bürgt',
      name: 'der Name der Anwendung',
      redirect_hosts: 'wo die Anwendung Ihre Daten empfängt',
      keys: 'die Schlüssel der Anwendung',
      logo: 'das Bild der Anwendung',
      scope: 'was die Anwendung verlangt',
      resources: 'worauf die Anwendung zugreifen will',
    },
    policy: 'Datenschutzerklärung der Anwendung',
    terms: 'Nutzungsbedingungen der Anwendung',
    allow: 'Erlauben',
    deny: 'Nicht erlauben',
  },
  consents: {
    heading: 'Anwendungen mit Zugriff',
    lead: 'Diesen Anwendungen haben Sie den Zugriff auf Ihr Konto erlaubt.',
    empty: 'Keine Anwendung hat Zugriff auf Ihr Konto.',
    since: around('Seit {date}'),
    lastUse: around('Zuletzt benutzt am {date}'),
    open: 'Anwendung öffnen',
    revoke: 'Zugriff entziehen',
    revoked: 'Der Anwendung wurde der Zugriff entzogen.',
  },
  login_failed: {
    heading: 'Die Anmeldung hat nicht geklappt',
    lead: 'Die Anmeldung wurde abgelehnt oder abgebrochen. Es hat sich nichts geändert.',
  },
  not_permitted: {
    heading: 'Sie dürfen sich hier nicht anmelden',
    lead: 'Ihre Identität wurde bestätigt, aber Ihr Konto gehört nicht zu denen, die sich hier anmelden dürfen.',
    ask: 'Wenn das nicht stimmt, fragen Sie bitte die Betreiber dieses Dienstes.',
    otherAccount: 'Mit einem anderen Konto anmelden',
  },
  sign_in_misconfigured: {
    heading: 'Die Anmeldung ist nicht richtig eingerichtet',
    lead: 'Der Dienst, der Ihre Identität bestätigt, nimmt Anfragen von hier nicht an. Mit Ihrem Konto ist alles in Ordnung, und ein neuer Versuch hilft nicht.',
    ask: 'Bitte benachrichtigen Sie die Betreiber dieses Dienstes: In ihrem Protokoll steht, was zu berichtigen ist.',
  },
  too_many_attempts: {
    heading: 'Zu viele Versuche',
    lead: 'Zu Ihrem Schutz wurde diese Anmeldung beendet. Sie können in der Anwendung neu beginnen.',
    leave: 'Zurück zur Anwendung',
  },
  interaction_gone: {
    heading: 'Diese Anmeldung ist nicht mehr gültig',
    lead: 'Sie ist bereits abgeschlossen, abgelaufen oder gehört zu einem anderen Browser.',
    restart: 'Wenn Sie sich noch anmelden möchten, beginnen Sie bitte in der Anwendung von vorn.',
  },
  request_error: {
    heading: 'Die Anwendung hat einen Fehler gemacht',
    lead: 'Sie hat Sie mit einer ungültigen Anfrage hierher geleitet. Ihr Konto ist nicht betroffen.',
    code: 'Für die Entwickler der Anwendung:',
    back: around('Zurück zu {application}'),
  },
  application_suspended: {
    heading: 'Die Anwendung ist gesperrt',
    lead: 'Die Betreiber dieses Dienstes haben sie gesperrt, sodass sich derzeit niemand bei ihr anmelden kann. Ihr Konto ist nicht betroffen.',
    code: 'Für ihre Entwickler:',
  },
  application_pending: {
    heading: 'Die Anwendung wartet auf eine Freigabe',
    lead: 'Sie ist hier registriert, und die Betreiber dieses Dienstes müssen sie freigeben, bevor sich jemand bei ihr anmelden kann. Bitte wenden Sie sich an sie. Es hilft nicht, die Anwendung noch einmal zu installieren oder zu registrieren.',
    code: 'Für Entwickler:',
  },
  application_refused: {
    heading: 'Die Anwendung wurde nicht freigegeben',
    lead: 'Die Betreiber dieses Dienstes haben entschieden, dass sich niemand bei ihr anmelden kann. Wenn Sie sie brauchen, wenden Sie sich bitte an sie. Es hilft nicht, die Anwendung noch einmal zu installieren oder zu registrieren.',
    reason: 'Der Grund:',
    code: 'Für die Entwicklung:',
  },
  sign_in_unavailable: {
    heading: 'Die Anmeldung ist derzeit nicht möglich',
    lead: 'Bitte versuchen Sie es in einigen Minuten noch einmal. An Ihrem Konto hat sich nichts geändert.',
  },
}
