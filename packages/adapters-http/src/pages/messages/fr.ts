import type { Messages } from './en.js'
import { around, plural, whole } from './sentences.js'

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
  signedInAs: around('Session de {user}'),
  onward: around('Aller à {service}'),
  again: 'Réessayer',
  login: {
    heading: 'Se connecter',
    lead: around('pour continuer vers {application}'),
    development:
      'Cette page sert uniquement au développement. Toute personne qui y accède peut utiliser ces comptes\u00A0: ne saisissez jamais un vrai mot de passe.',
    accounts: 'Comptes',
    username: 'Nom de compte',
    password: 'Mot de passe',
    submit: 'Continuer',
    cancel: 'Annuler',
    refused: 'Le nom de compte et le mot de passe ne correspondent pas. Veuillez réessayer.',
  },
  consent: {
    heading: 'Autoriser l’accès\u202F?',
    asks: around('Une application à l’adresse {host} demande l’accès à votre compte.'),
    asksOnDevice: around('Une application sur votre appareil ({host}) demande l’accès à votre compte.'),
    claimed: around('Elle se nomme {name}. N’importe qui peut choisir ce nom.'),
    nameless: 'Elle n’indique pas de nom.',
    named: around('Son nom est {name}.'),
    verified: around('{host} se porte garant de ce nom et de cette adresse.'),
    otherHosts: 'Elle peut aussi recevoir vos données ici\u00A0:',
    scope: 'Elle demande\u00A0:',
    scopes: {
      openid: 'Qui vous êtes, pour ouvrir votre session',
      profile: 'Votre nom et votre profil',
      email: 'Votre adresse électronique',
      address: 'Votre adresse postale',
      phone: 'Votre numéro de téléphone',
      offline_access: 'L’accès même quand vous ne l’utilisez pas',
    },
    resource: around('Sur {resource}\u00A0:'),
    warnings: {
      loopback_only: whole(
        'Tout programme sur votre appareil peut se faire passer pour cette application. Ne continuez que si vous venez de commencer la connexion.',
      ),
      private_use_scheme: around(
        'Toute application de votre appareil qui ouvre {scheme} peut recevoir la réponse. Ne continuez que si vous venez de commencer la connexion.',
      ),
      looks_like: around('Le nom peut être confondu avec {name}, mais cette application n’en fait pas partie.'),
      claims_status: around('Le nom contient «\u00A0{word}\u00A0». Personne ne l’a vérifié.'),
      mixed_scripts: whole('Le nom mélange les lettres de plusieurs alphabets, comme le font les contrefaçons.'),
    },
    changed: 'Depuis votre dernière autorisation, ceci a changé\u00A0:',
    changes: {
      identity: 'qui se porte garant de l’application',
      name: 'le nom de l’application',
      redirect_hosts: 'où l’application reçoit vos données',
      keys: 'les clés de l’application',
      scope: 'ce que l’application demande',
      resources: 'où l’application veut accéder',
    },
    allow: 'Autoriser',
    deny: 'Ne pas autoriser',
  },
  consents: {
    heading: 'Applications autorisées',
    lead: 'Vous avez autorisé ces applications à accéder à votre compte.',
    empty: 'Aucune application n’a accès à votre compte.',
    since: around('Depuis le {date}'),
    revoke: 'Retirer l’accès',
    revoked: 'L’accès de l’application a été retiré.',
  },
  login_failed: {
    heading: 'La connexion a échoué',
    lead: 'La connexion a été refusée ou interrompue. Rien n’a changé.',
  },
  not_permitted: {
    heading: 'Vous ne pouvez pas vous connecter ici',
    lead: 'Votre identité a été confirmée, mais votre compte ne fait pas partie de ceux qui peuvent se connecter ici.',
    ask: 'Si vous pensez que c’est une erreur, adressez-vous aux responsables de ce service.',
    otherAccount: 'Se connecter avec un autre compte',
  },
  sign_in_misconfigured: {
    heading: 'La connexion n’est pas configurée correctement',
    lead: 'Le service qui confirme votre identité refuse les demandes de celui-ci. Votre compte n’est pas en cause, et réessayer n’y changera rien.',
    ask: 'Veuillez prévenir les responsables de ce service : leur journal indique ce qu’il faut corriger.',
  },
  too_many_attempts: {
    heading: 'Trop de tentatives',
    lead: 'Pour votre protection, cette connexion a pris fin. Vous pouvez recommencer dans l’application.',
    leave: 'Retourner à l’application',
  },
  interaction_gone: {
    heading: 'Cette connexion n’est plus valable',
    lead: 'Elle est déjà terminée, a expiré ou appartient à un autre navigateur.',
    restart: 'Si vous souhaitez toujours vous connecter, veuillez recommencer dans l’application.',
  },
  request_error: {
    heading: 'L’application a fait une erreur',
    lead: 'Sa demande n’est pas valable. Votre compte n’est pas concerné.',
    code: 'Pour l’équipe qui développe l’application\u00A0:',
    back: around('Retourner sur {application}'),
  },
  application_suspended: {
    heading: 'L’application est suspendue',
    lead: 'L’équipe qui gère ce service l’a suspendue\u00A0: personne ne peut s’y connecter pour le moment. Votre compte n’est pas concerné.',
    code: 'Pour l’équipe qui la développe\u00A0:',
  },
  sign_in_unavailable: {
    heading: 'La connexion est impossible pour le moment',
    lead: 'Veuillez réessayer dans quelques minutes. Votre compte n’a pas changé.',
  },
}
