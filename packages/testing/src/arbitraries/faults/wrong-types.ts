import { type Spoiling, spoiling, wrongly } from './spoiling.js'
import { booleans, choiceListMembers, choices, isChoice, lists, texts, uris } from './member-kinds.js'

const objects = [[], {}]
const scalars = [123, true, null]
const strings = [
  ...texts,
  ...uris,
  'scope',
  'description',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_ip',
  'software_statement',
] as const

// Names of inherited properties, other cases, blanks at the ends, and values of the standards that the service refuses
const noChoice = ['', 'toString', 'constructor', 'Web', 'rs256', 'RS256 ', 'HS1', 'RSA1_5', 'PBES2-HS256+A128KW']

const wrongChoices: ReadonlyArray<Spoiling> = Object.keys(choices)
  .filter(isChoice)
  .flatMap((member) => wrongly(choices[member], member, [...objects, ...scalars, ...noChoice]))

const isChoiceList = (member: string): boolean => choiceListMembers.some((each) => each === member)
const choiceRules = { response_modes: 'response-mode', client_registration_types: 'registration-type' } as const

// A hole is not a value, so that a sparse array is refused at the hole.
const wrongEntries: ReadonlyArray<Spoiling> = [
  ...lists
    .filter((member) => !isChoiceList(member))
    .flatMap((member) =>
      [...objects, ...scalars, undefined].map((entry) =>
        spoiling('string', `/${member}/0`, { [member]: entry === undefined ? Array(1) : [entry] }),
      ),
    ),
  ...choiceListMembers.flatMap((member) =>
    [...objects, ...scalars, ...noChoice].map((entry) =>
      spoiling(choiceRules[member], `/${member}/0`, { [member]: [entry] }),
    ),
  ),
]

export const wrongTypes: ReadonlyArray<Spoiling> = [
  ...strings.flatMap((member) => wrongly('string', member, [...objects, ...scalars])),
  ...lists.flatMap((member) => wrongly('array', member, [{}, ...scalars, '', 'code', { 0: 'code', length: 1 }])),
  ...wrongEntries,
  ...wrongChoices,
  ...booleans.flatMap((member) => wrongly('boolean', member, [...objects, 0, 1, null, '', 'true', 'false'])),
  ...wrongly('seconds', 'default_max_age', [...objects, true, null, '', '60', -1, 1.5, 2 ** 53]),
  ...wrongly('data', 'data', [
    [],
    ...scalars,
    '',
    'text',
    { undefined },
    { much: 'x'.repeat(16_384) },
    { exceeding: 2 ** 53 },
    { deep: [[{ exceeding: -(2 ** 60) }]] },
  ]),
  ...wrongly('credential-formats', 'vp_formats_supported', [
    [],
    ...scalars,
    '',
    { mso_mdoc: [] },
    { mso_mdoc: null },
    { mso_mdoc: { much: 'x'.repeat(4096) } },
    { mso_mdoc: { exceeding: 2 ** 53 } },
  ]),
  ...wrongly('jwk-set', 'jwks', [
    [],
    {},
    ...scalars,
    '',
    { keys: {} },
    { keys: Array.from({ length: 33 }, () => ({ kty: 'of-tomorrow' })) },
  ]),
  ...wrongly('jwk-set-size', 'jwks', [
    { keys: [{ kty: 'of-tomorrow', x: 'x'.repeat(16_384) }] },
    { keys: [{ kty: 'of-tomorrow', x: Array.from({ length: 8_200 }, () => 0) }] },
    { keys: [{ kty: 'of-tomorrow' }], more: '🦊'.repeat(4_100) },
  ]),
]
