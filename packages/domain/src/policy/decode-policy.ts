import * as E from 'fp-ts/lib/Either.js'
import type { Ceilings } from '../authorization/authorize-registrant.js'
import type { Privileges } from '../authorization/privileges.js'
import { allPrivileges } from '../authorization/privileges.js'
import {
  asymmetricAlgorithm,
  contentEncryption,
  encryptionAlgorithm,
  signingAlgorithmOrNone,
} from '../client/algorithms.js'
import type { ValueSet } from '../authorization/value-set.js'
import { onlyValues } from '../authorization/value-set.js'
import { isMemberName } from '../client/members.js'
import { isPrivateUseName } from '../client/private-use-scheme.js'
import { authMethod } from '../client/value-types.js'
import { isPlainObject } from '../codec/json-object.js'
import type { RegistrationPolicy } from './registration-policy.js'
import { noCeilings } from './registration-policy.js'

/** What is wrong with a policy, and where: RFC 6901. */
export type PolicyFault = { readonly pointer: string; readonly description: string }

/** A value that was read, or what is wrong with it. */
type Read<A> = E.Either<ReadonlyArray<PolicyFault>, A>
type Reader<A> = (value: unknown, pointer: string) => Read<A>

const refuse = (pointer: string, description: string): Read<never> => E.left([{ pointer, description }])

const listThat =
  (description: string, holds: (entry: string) => boolean): Reader<ReadonlyArray<string>> =>
  (value, pointer) => {
    if (!Array.isArray(value)) return refuse(pointer, 'must be a JSON array')
    const entries: ReadonlyArray<unknown> = value
    const sound = entries.filter((entry): entry is string => typeof entry === 'string' && holds(entry))
    if (sound.length === entries.length) return E.right([...new Set(sound)])
    return E.left(
      entries.flatMap((entry, index) =>
        typeof entry === 'string' && holds(entry) ? [] : [{ pointer: `${pointer}/${index}`, description }],
      ),
    )
  }

const count: Reader<number> = (value, pointer) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? E.right(value)
    : refuse(pointer, 'must be a whole number, 0 or more')

const boolean: Reader<boolean> = (value, pointer) =>
  typeof value === 'boolean' ? E.right(value) : refuse(pointer, 'must be true or false')

const address = /^(?:\[::1\]|\d{1,3}(?:\.\d{1,3}){3})$/
// A name whose last label is no number, so that *.0.0.1 does not stand for addresses
const hostName = /^(?:\*\.)?(?!.*(?:^|\.)\d+$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/

const isScheme = (entry: string): boolean => entry.endsWith(':') && isPrivateUseName(entry.slice(0, -1))
const allAlgorithms = [
  asymmetricAlgorithm,
  signingAlgorithmOrNone,
  encryptionAlgorithm,
  contentEncryption,
].flatMap<string>(({ values }) => values)
const visible = /^[\x21\x23-\x5B\x5D-\x7E]{1,256}$/

const listOfValues = listThat('must be visible ASCII text without quotation mark or backslash', (entry) =>
  visible.test(entry),
)

const values: Reader<ValueSet> = (value, pointer) =>
  value === 'any' ? E.right('any') : E.map(onlyValues)(listOfValues(value, pointer))

const privilegeReaders: { readonly [Part in keyof Privileges]: Reader<Privileges[Part]> } = {
  grant_types: values,
  scope: values,
  data: boolean,
  preferred_client_id: boolean,
  preferred_client_secret: boolean,
}

/** Reads each member with its own reader, and refuses the names that have none. */
const objectOf =
  <A extends object>(readers: { readonly [Name in keyof A]-?: Reader<NonNullable<A[Name]>> }): Reader<Partial<A>> =>
  (value, pointer) => {
    if (!isPlainObject(value)) return refuse(pointer, 'must be a JSON object')
    const known: Readonly<Record<string, Reader<unknown>>> = readers
    const read = Object.entries(value).map(([name, each]) => {
      const at = `${pointer}/${name.replace(/~/g, '~0').replace(/\//g, '~1')}`
      const reader = Object.hasOwn(known, name) ? known[name] : undefined
      return {
        name,
        result:
          reader === undefined
            ? refuse(at, `is unknown: leave it out, or write one of ${Object.keys(known).join(', ')}`)
            : reader(each, at),
      }
    })
    const faults = read.flatMap(({ result }) => (E.isLeft(result) ? result.left : []))
    const sound = read.flatMap(({ name, result }) => (E.isRight(result) ? [[name, result.right] as const] : []))
    return faults.length > 0 ? E.left(faults) : E.right(Object.fromEntries(sound) as Partial<A>)
  }

const ceiling: Reader<Privileges> = (value, pointer) =>
  E.map((parts: Partial<Privileges>) => ({ ...allPrivileges, ...parts }))(
    objectOf<Privileges>(privilegeReaders)(value, pointer),
  )

const ceilings: Reader<Ceilings> = (value, pointer) =>
  E.map((parts: Partial<Ceilings>) => ({ ...noCeilings, ...parts }))(
    objectOf<Ceilings>({ open: ceiling, managed: ceiling })(value, pointer),
  )

const policy = objectOf<RegistrationPolicy>({
  allowed_redirect_hosts: listThat(
    'must be a host in lower case such as rp.example, *.rp.example for all below it, or a private-use scheme such as com.example.app: (docs/client-metadata.md lists those that are never taken)',
    (entry) => hostName.test(entry) || address.test(entry) || isScheme(entry),
  ),
  allowed_private_use_schemes: listThat(
    'must be a private-use scheme in lower case, without colon and period, such as cursor (docs/client-metadata.md lists those that are never taken); schemes with a period are always taken: bound them by allowed_redirect_hosts',
    (entry) => isPrivateUseName(entry) && !entry.includes('.'),
  ),
  required_members: listThat('must be the name of a member of client metadata', isMemberName),
  allowed_token_endpoint_auth_methods: listThat(`must be one of ${authMethod.values.join(', ')}`, authMethod.codec.is),
  allowed_algorithms: listThat('must be an algorithm that client metadata may name', (entry) =>
    allAlgorithms.includes(entry),
  ),
  maximum_clients: count,
  maximum_unused_open_clients: count,
  ceilings,
})

/** A parsed JSON value as a policy, or everything that is wrong with it. */
export const decodeRegistrationPolicy = (value: unknown): E.Either<ReadonlyArray<PolicyFault>, RegistrationPolicy> =>
  E.map((parts: Partial<RegistrationPolicy>): RegistrationPolicy => ({ ceilings: noCeilings, ...parts }))(
    policy(value, ''),
  )
