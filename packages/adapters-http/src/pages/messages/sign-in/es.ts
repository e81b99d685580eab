import { around, whole } from '../around.js'
import type { SignInMessages } from './sign-in-messages.js'

// No sentence depends on the gender of the end-user.
export const es: SignInMessages = {
  signedInAs: around('Sesión de {user}'),
  onward: around('Ir a {service}'),
  again: 'Intentarlo de nuevo',
  login: {
    heading: 'Iniciar sesión',
    lead: around('para continuar a {application}'),
    development:
      'Esta página es solo para desarrollo. Cualquiera que llegue a ella puede usar estas cuentas: no escriba nunca una contraseña real.',
    accounts: 'Cuentas',
    username: 'Nombre de usuario',
    password: 'Contraseña',
    submit: 'Continuar',
    cancel: 'Cancelar',
    refused: 'El nombre de usuario y la contraseña no coinciden. Inténtelo otra vez.',
  },
  consent: {
    heading: '¿Permitir el acceso?',
    asks: around('Una aplicación en {host} solicita acceso a su cuenta.'),
    asksOnDevice: around('Una aplicación en su dispositivo ({host}) solicita acceso a su cuenta.'),
    claimed: around('Se hace llamar {name}. Cualquiera puede usar ese nombre.'),
    nameless: 'No indica ningún nombre.',
    named: around('Su nombre es {name}.'),
    verified: around('{host} responde de este nombre y de esta dirección.'),
    otherHosts: 'También puede recibir sus datos en:',
    scope: 'Solicita:',
    scopes: {
      openid: 'Saber quién es, para iniciar su sesión',
      profile: 'Su nombre y su perfil',
      email: 'Su correo electrónico',
      address: 'Su dirección postal',
      phone: 'Su número de teléfono',
      offline_access: 'Acceso también cuando no la esté usando',
    },
    resource: around('En {resource}:'),
    warnings: {
      loopback_only: whole(
        'Cualquier programa de su dispositivo puede hacerse pasar por esta aplicación. Continúe solo si acaba de iniciar este acceso.',
      ),
      private_use_scheme: around(
        'Cualquier aplicación de su dispositivo que abra {scheme} puede recibir la respuesta. Continúe solo si acaba de iniciar este acceso.',
      ),
      looks_like: around('El nombre puede confundirse con {name}, pero esta aplicación no le pertenece.'),
      claims_status: around('El nombre contiene «{word}». Nadie lo ha comprobado.'),
      mixed_scripts: whole('El nombre mezcla letras de varios alfabetos, como hacen las falsificaciones.'),
    },
    changed: 'Desde la última vez que lo permitió, ha cambiado:',
    changes: {
      identity: 'quién responde de la aplicación',
      name: 'el nombre de la aplicación',
      redirect_hosts: 'dónde recibe sus datos la aplicación',
      keys: 'las claves de la aplicación',
      scope: 'lo que solicita la aplicación',
      resources: 'dónde quiere acceder la aplicación',
    },
    allow: 'Permitir',
    deny: 'No permitir',
  },
  consents: {
    heading: 'Aplicaciones con acceso',
    lead: 'Ha permitido que estas aplicaciones accedan a su cuenta.',
    empty: 'Ninguna aplicación tiene acceso a su cuenta.',
    since: around('Desde el {date}'),
    revoke: 'Retirar el acceso',
    revoked: 'Se ha retirado el acceso de la aplicación.',
  },
  login_failed: {
    heading: 'No se ha podido iniciar sesión',
    lead: 'El inicio de sesión se rechazó o se interrumpió. No ha cambiado nada.',
  },
  not_permitted: {
    heading: 'No puede iniciar sesión aquí',
    lead: 'Se ha confirmado su identidad, pero su cuenta no es una de las que pueden iniciar sesión aquí.',
    ask: 'Si cree que es un error, consulte a los responsables de este servicio.',
    otherAccount: 'Iniciar sesión con otra cuenta',
  },
  sign_in_misconfigured: {
    heading: 'El inicio de sesión no está bien configurado',
    lead: 'El servicio que confirma su identidad rechaza las solicitudes de este. Su cuenta no tiene ningún problema, y volver a intentarlo no sirve de nada.',
    ask: 'Avise a los responsables de este servicio: su registro indica qué hay que corregir.',
  },
  too_many_attempts: {
    heading: 'Demasiados intentos',
    lead: 'Por su seguridad, este inicio de sesión ha terminado. Puede empezar de nuevo en la aplicación.',
    leave: 'Volver a la aplicación',
  },
  interaction_gone: {
    heading: 'Este inicio de sesión ya no es válido',
    lead: 'Ya se ha completado, ha caducado o pertenece a otro navegador.',
    restart: 'Si todavía desea iniciar sesión, empiece de nuevo en la aplicación.',
  },
  request_error: {
    heading: 'La aplicación ha cometido un error',
    lead: 'Su solicitud no es válida. La cuenta de usted no se ve afectada.',
    code: 'Para quien desarrolla la aplicación:',
    back: around('Regresar a {application}'),
  },
  application_suspended: {
    heading: 'La aplicación está suspendida',
    lead: 'Quienes gestionan este servicio la han suspendido, de modo que ahora nadie puede iniciar sesión en ella. La cuenta de usted no se ve afectada.',
    code: 'Para quien la desarrolla:',
  },
  sign_in_unavailable: {
    heading: 'Ahora mismo no es posible iniciar sesión',
    lead: 'Inténtelo de nuevo en unos minutos. Su cuenta no ha cambiado.',
  },
}
