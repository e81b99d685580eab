import type { ValueType } from '../../codec/value-type.js'
import { contentEncryption } from '../algorithms.js'

/** A member of client metadata: its type, the standard that defines it, and its meaning. */
export type Member<A> = {
  readonly type: ValueType<A>
  readonly reference: string
  readonly about: string
}

/** The properties of a member from which the rules and the provider metadata follow. */
export type MemberProperties<A> = {
  /** The default value. */
  readonly default?: A
  /** The default value in words, where it depends on other members or on the service. */
  readonly byDefault?: string
  /** An empty text counts as if the member was left out. */
  readonly emptyIsAbsent?: true
  /** RFC 7591 §2.2, OpenID Federation §14: it may have a language tag, as in client_name#fr. */
  readonly languageTagged?: true
  /** The rules of redirection URIs apply to its entries. */
  readonly redirects?: true
  /** RFC 8705 §2.1.2: it identifies the certificate of the client. */
  readonly certificateSubject?: true
  /** Of a member that names an algorithm: the party whose key pair it takes. */
  readonly keyOf?: 'client' | 'provider'
  /** Of a member that names a content encryption: the member for key encryption that it requires. */
  readonly alg?: string
  /** OpenID RP Metadata Choices §2: the member whose supported values it lists. */
  readonly listOf?: string
}

// A misspelt property is an error of the compiler.
type NoOther<Properties, A> = { readonly [Name in Exclude<keyof Properties, keyof MemberProperties<A>>]: never }

/** Makes members that one standard defines. */
export const definedIn =
  (reference: string) =>
  <A, const Properties = unknown>(
    type: ValueType<A>,
    about: string,
    properties?: Properties & MemberProperties<A> & NoOther<Properties, A>,
  ): Member<A> & Properties =>
    Object.assign({ type, reference, about }, properties)

// OpenID Core §9, §10.2, RFC 8705 §2.2: the client signs with its own keys, and others encrypt for it with them.
export const ofClient = { keyOf: 'client' } as const
export const ofProvider = { keyOf: 'provider' } as const
export const languageTagged = { languageTagged: true } as const
export const redirects = { redirects: true } as const

const byDefault = '`A128CBC-HS256` when the member with `_alg` is there'

type Content = typeof contentEncryption extends ValueType<infer A> ? A : never

/** OpenID Registration §2, JARM §3, RFC 9701 §6: a content encryption, which has a default where key encryption is named. */
export const contentOf = <const Alg extends string>(
  define: ReturnType<typeof definedIn>,
  content: string,
  alg: Alg,
): Member<Content> & { readonly alg: Alg; readonly byDefault: string } =>
  define(contentEncryption, `Encrypts ${content}`, { alg, byDefault })

type Described = Pick<Member<unknown>, 'about'> & MemberProperties<unknown>

/** The default value in words; undefined when an absent member stays absent. */
export const defaultInWords = ({ default: value, byDefault }: Described): string | undefined =>
  value === undefined ? byDefault : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
