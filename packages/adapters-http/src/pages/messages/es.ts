import { around } from './around.js'
import type { Messages } from './messages.js'

// No sentence depends on the gender of the end-user.
export const es: Messages = {
  direction: 'ltr',
  more: (count) => `y ${count} más`,
  redirectRefusal: {
    unidentified:
      'No volverá a ninguna aplicación, porque no se sabe con certeza de qué aplicación procede esta solicitud.',
    unverified: 'No volverá a la aplicación, porque no se ha podido verificar la solicitud que envió.',
    outdated: 'No volverá a la aplicación, porque la solicitud que envió es demasiado antigua.',
    contradictory: 'No volverá a la aplicación, porque la solicitud que envió es contradictoria.',
    otherUser: 'No volverá a la aplicación, porque la solicitud que envió se refiere a otra persona.',
    otherSession: 'No volverá a la aplicación, porque la solicitud que envió se refiere a otra sesión.',
    address: 'No volverá a la aplicación, porque la dirección de retorno que indicó no está autorizada.',
  },
  dialog: {
    heading: '¿Desea cerrar la sesión?',
    back: around('En ambos casos volverá después a {application}.'),
    applications: 'Al cerrar la sesión, también saldrá de:',
    manyApplications: (count) => `Al cerrar la sesión, también saldrá de ${count} aplicaciones`,
    logout: 'Cerrar sesión',
    stay: 'Mantener la sesión abierta',
  },
  nobody: {
    heading: 'No hay ninguna sesión abierta',
    lead: 'Ya ha cerrado la sesión, o esta ha caducado.',
    back: around('Volver a {application}'),
  },
  signed_out: {
    heading: 'Ha cerrado la sesión',
    applications: 'También se está cerrando la sesión en:',
    manyApplications: (count) => `También se está cerrando la sesión en ${count} aplicaciones`,
    lead: 'Ya puede cerrar esta ventana.',
    back: around('Continuar a {application}'),
    stillElsewhere: 'Es posible que su sesión siga abierta en el servicio que confirmó su identidad.',
    elsewhere: around('Cerrar también la sesión en {provider}'),
  },
  still_signed_in: {
    heading: 'Su sesión sigue abierta',
    lead: 'No ha cambiado nada. Puede cerrar esta ventana.',
  },
  gone: {
    heading: 'Esta página ya no es válida',
    lead: 'Ya se ha respondido, ha caducado o pertenece a otro navegador. No se ha cambiado nada.',
    again: 'Si todavía desea cerrar la sesión, vuelva a empezar.',
  },
  unavailable: {
    heading: 'Ahora mismo no es posible cerrar la sesión',
    lead: 'No ha cambiado nada. Inténtelo de nuevo dentro de unos minutos.',
  },
  too_many_requests: {
    heading: 'Demasiadas solicitudes',
    lead: 'Desde su red han llegado muchas solicitudes. No ha cambiado nada. Espere un momento y vuelva a intentarlo.',
  },
  home: {
    heading: 'Este es un proveedor OpenID',
    lead: 'Aquí se registran aplicaciones, se publican claves y se cierran sesiones.',
    metadata: 'Metadatos del proveedor',
    keySet: 'Conjunto de claves',
    playground: 'Playground: probar un registro',
    consents: 'Sus aplicaciones',
    logout: 'Cerrar la sesión en este servicio',
    readme: 'El archivo README de Clientele explica cómo registrar una aplicación.',
  },
  not_found: { heading: 'Aquí no hay nada', lead: 'Compruebe la dirección.' },
  needs_token: {
    heading: 'Esta dirección es para programas',
    lead: 'Los programas leen y modifican aquí los registros. Presentan un token, que un navegador no tiene.',
    where: 'Si esperaba una página, compruebe la dirección.',
  },
}
