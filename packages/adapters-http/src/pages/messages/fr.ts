import { around } from './around.js'
import type { Messages } from './messages.js'
import { plural } from './plural.js'

// Typography: a no-break space stands before the colon, a narrow one before the question mark. Wording: no sentence
// depends on the gender of the end-user.
export const fr: Messages = {
  direction: 'ltr',
  more: plural('fr', { one: (count) => `et ${count} autre`, other: (count) => `et ${count} autres` }),
  redirectRefusal: {
    unidentified:
      'Le retour vers une application n’est pas possible, car on ne sait pas avec certitude de quelle application provient cette demande.',
    unverified: 'Le retour vers l’application n’est pas possible, car sa demande n’a pas pu être vérifiée.',
    outdated: 'Le retour vers l’application n’est pas possible, car sa demande est trop ancienne.',
    contradictory: 'Le retour vers l’application n’est pas possible, car sa demande est contradictoire.',
    otherUser: 'Le retour vers l’application n’est pas possible, car sa demande concerne une autre personne.',
    otherSession: 'Le retour vers l’application n’est pas possible, car sa demande concerne une autre session.',
    address: 'Le retour vers l’application n’est pas possible, car l’adresse de retour indiquée n’est pas autorisée.',
  },
  dialog: {
    heading: 'Voulez-vous vous déconnecter\u202F?',
    back: around('Dans les deux cas, vous retournerez ensuite sur {application}.'),
    applications: 'La déconnexion s’appliquera aussi à\u00A0:',
    manyApplications: (count) => `La déconnexion s’appliquera aussi à ${count} applications`,
    logout: 'Se déconnecter',
    stay: 'Garder la session ouverte',
  },
  nobody: {
    heading: 'Aucune session n’est ouverte',
    lead: 'La déconnexion a déjà eu lieu, ou votre session a expiré.',
    back: around('Retourner sur {application}'),
  },
  signed_out: {
    heading: 'Déconnexion effectuée',
    applications: 'La déconnexion est aussi en cours pour\u00A0:',
    manyApplications: (count) => `La déconnexion est aussi en cours pour ${count} applications`,
    lead: 'Vous pouvez maintenant fermer cette fenêtre.',
    back: around('Continuer vers {application}'),
    stillElsewhere: 'Votre session reste peut-être ouverte auprès du service qui a confirmé votre identité.',
    elsewhere: around('Se déconnecter aussi de {provider}'),
  },
  still_signed_in: {
    heading: 'Votre session reste ouverte',
    lead: 'Rien n’a changé. Vous pouvez fermer cette fenêtre.',
  },
  gone: {
    heading: 'Cette page n’est plus valable',
    lead: 'Elle a déjà reçu une réponse, a expiré ou appartient à un autre navigateur. Rien n’a été modifié.',
    again: 'Si vous souhaitez toujours vous déconnecter, veuillez recommencer.',
  },
  unavailable: {
    heading: 'La déconnexion est impossible pour le moment',
    lead: 'Rien n’a changé. Veuillez réessayer dans quelques minutes.',
  },
  too_many_requests: {
    heading: 'Trop de requêtes',
    lead: 'De nombreuses requêtes sont arrivées de votre réseau. Rien n’a changé. Veuillez patienter un instant, puis réessayer.',
  },
  home: {
    heading: 'Ceci est un fournisseur OpenID',
    lead: 'Les applications y sont enregistrées, les clés publiées et les personnes déconnectées.',
    metadata: 'Métadonnées du fournisseur',
    keySet: 'Jeu de clés',
    playground: 'Playground : essayer un enregistrement',
    consents: 'Vos applications',
    logout: 'Se déconnecter de ce service',
    readme: 'Le fichier README de Clientele explique comment enregistrer une application.',
  },
  not_found: { heading: 'Il n’y a rien ici', lead: 'Veuillez vérifier l’adresse.' },
  needs_token: {
    heading: 'Cette adresse est destinée aux programmes',
    lead: 'Des programmes y lisent et modifient des enregistrements. Ils présentent un jeton, qu’un navigateur n’a pas.',
    where: 'Si vous attendiez une page, veuillez vérifier l’adresse.',
  },
}
