import type { ValueType } from '../../codec/value-type.js'

/** A member of client metadata: its type, the standard that defines it, its meaning, and its default. */
export type Member<A> = {
  readonly type: ValueType<A>
  readonly reference: string
  readonly about: string
  /** The default value, in words; undefined when an absent member stays absent. */
  readonly byDefault: string | undefined
}

/** Makes members that one standard defines. */
export const definedIn =
  (reference: string) =>
  <A>(type: ValueType<A>, about: string, byDefault?: string): Member<A> => ({ type, reference, about, byDefault })
