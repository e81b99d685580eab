// The texts of the page about itself and its controls.
import {
  type Privileges,
  allPrivileges,
  isNothing,
  missingPrivileges,
  parseRegistrationScope,
  registrationScopeValues,
} from '@clientele/domain/authorization'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { examples } from './examples.js'
import { type Piece, element } from './pieces.js'
import { type BrokenLink, type Unshareable, maxFragment } from './share-link.js'
import type { ServedSettings } from './served-settings.js'

const ofValues = {
  grant_types: { any: 'any grant type', each: 'grant type' },
  scope: { any: 'any scope value', each: 'scope value' },
}

const flags = {
  data: 'custom data',
  preferred_client_id: 'a client_id of its own',
  preferred_client_secret: 'a client_secret of its own',
}

const listed = (part: keyof typeof ofValues, values: Privileges[typeof part]): ReadonlyArray<string> =>
  values === 'any' ? [ofValues[part].any] : values.map((value) => `${ofValues[part].each} ${value}`)

/** The parts of a set of privileges, each in a few words. */
export const privilegeTexts = (privileges: Privileges): ReadonlyArray<string> => [
  ...listed('grant_types', privileges.grant_types),
  ...listed('scope', privileges.scope),
  ...(privileges.data ? [flags.data] : []),
  ...(privileges.preferred_client_id ? [flags.preferred_client_id] : []),
  ...(privileges.preferred_client_secret ? [flags.preferred_client_secret] : []),
]

// RFC 7523 §8.1, RFC 7522 §3: the rest of such a name is clear beside the scope value
const grantTypeNamespace = 'urn:ietf:params:oauth:grant-type:'

const permittedBy = (value: string): string =>
  pipe(
    parseRegistrationScope(value),
    E.match(
      () => '',
      ({ privileges }) =>
        isNothing(missingPrivileges(privileges)(allPrivileges))
          ? 'everything'
          : privilegeTexts(privileges).join(', ').replace(grantTypeNamespace, ''),
    ),
  )

const choice = (value: string): Piece =>
  element('label', { class: 'choice' })(
    element('input', { type: 'checkbox', name: 'ticked', value })(),
    element('span')(element('code')(value), ' ', element('small')(permittedBy(value))),
  )

export const exampleButtons: ReadonlyArray<Piece> = examples.map(({ name }, at) =>
  element('button', { type: 'button', 'data-example': String(at) })(name),
)

/** A check box for each of the fixed scope values. */
export const scopeChoices: ReadonlyArray<Piece> = registrationScopeValues.map(choice)

export const brokenLinkTexts: Readonly<Record<BrokenLink, string>> = {
  malformed: 'The link is damaged, so the page begins anew: ask for the link again.',
  other_version: 'The link was made by another version of this page, so the page begins anew: ask for a new link.',
  too_long: `The link is longer than ${maxFragment} characters, so the page begins anew: ask for the text itself.`,
}

export const unshareableTexts: Readonly<Record<Unshareable, string>> = {
  secret:
    'No link is made of a text with a client secret, a registration access token or a private key: leave it out first.',
  too_long: 'This is too long for a link: pass the text itself on.',
}

/** The settings by which the page decides. */
export const settingsText = (served: ServedSettings | undefined): string =>
  served === undefined
    ? 'No service has told this page its settings: it decides by the defaults and without a registration policy.'
    : `It decides by the registration policy of the service that it comes from, where registration is ${served.mode.kind}, by its settings outbound-fetches and lenient, and by whether it is on loopback; of its other settings by the defaults, and without trusted issuers of software statements.`

export const copyTexts = {
  done: 'Copied.',
  selected: 'Copying is not allowed here. The text is selected: copy it by Ctrl+C (⌘C).',
  address: 'Copying is not allowed here: copy the address of this page.',
} as const
