// RFC 8252 §7.1, §8.4: the schemes other than https and http that a redirection URI may have, compared in lower case.
import { isWebScheme } from './uri.js'

/** Schemes that are always refused, by name or by prefix. */
export type RefusedSchemes = {
  /** What the scheme does; the text follows "because it". */
  readonly reason: string
  readonly schemes: ReadonlyArray<string>
  readonly prefixes: ReadonlyArray<string>
}

const words = (text: string): ReadonlyArray<string> => text.split(' ').filter((word) => word !== '')

const refused = (reason: string, schemes: string, prefixes = ''): RefusedSchemes => ({
  reason,
  schemes: words(schemes),
  prefixes: words(prefixes),
})

export const refusedSchemes: ReadonlyArray<RefusedSchemes> = [
  refused(
    'runs as a script, or shows what the URI itself holds',
    'javascript vbscript livescript mocha wysiwyg data blob filesystem mhtml jar cid mid',
  ),
  refused(
    'opens a page of the browser itself, or a web page that follows it',
    'about view-source resource devtools extension edge brave vivaldi ie.http',
    'chrome googlechrome firefox moz- opera safari- x-safari- microsoft-edge',
  ),
  refused(
    'names a file of the machine or of its network',
    'file content disk disks res mk shell search search-ms afp smb cifs nfs dav davs',
  ),
  refused(
    'is a protocol of its own',
    'ftp ftps sftp ws wss ssh telnet rlogin tn3270 gopher ldap ldaps imap pop nntp news snews git svn rtsp rtmp vnc rdp coap mqtt',
  ),
  // https://html.spec.whatwg.org/#custom-handlers lists them; Firefox gives extensions those that begin with ext+
  refused(
    'can be claimed by any web site or extension in the browser',
    'bitcoin geo im irc ircs magnet mailto matrix mms openpgp4fpr sip sms smsto tel urn webcal wtai xmpp',
    'web+ ext+',
  ),
  refused(
    'makes the operating system call, write, install, configure or search',
    'intent android-app market telprompt callto sips mmsto facetime facetime-audio prefs app-prefs app-settings shortcuts workflow applescript x-man-page help hcp jnlp jnlps vnd.ms.radio windowsdefender',
    'ms- itms x-apple',
  ),
  refused('passes for a web address, or for a host with a port', 'localhost shttp', 'http www.'),
  refused('names a thing and leads nowhere', 'tag oid uuid info ni'),
]

const names = new Set(refusedSchemes.flatMap(({ schemes }) => schemes))
const prefixes = refusedSchemes.flatMap((each) => each.prefixes)

/** Whether every redirection URI with the scheme, in lower case, is refused. */
export const isRefusedScheme = (scheme: string): boolean =>
  !isWebScheme(scheme) && (names.has(scheme) || prefixes.some((prefix) => scheme.startsWith(prefix)))

/** The schemes without a period that are accepted by default: those of well-known editors. */
export const knownPrivateUseSchemes = ['cursor', 'vscode', 'vscode-insiders', 'windsurf'] as const

/** The accepted private-use schemes without a period. */
export type PrivateUseSchemes = ReadonlySet<string> | 'any'

// RFC 8252 §7.1: a scheme with a period is a reversed domain name, which belongs to the author of the application
export const isPrivateUse = (allowed: PrivateUseSchemes, scheme: string): boolean =>
  scheme.includes('.') || allowed === 'any' || allowed.has(scheme)

/** Whether the text is a scheme, in lower case, that a native application may claim. */
export const isPrivateUseName = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*$/.test(text) && !isWebScheme(text) && !isRefusedScheme(text)
