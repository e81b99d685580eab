import type { ValueType } from '../../codec/value-type.js'

/** A member of client metadata: what it may hold, where it is defined, what it says, and what its absence says. */
export type Member<A> = {
  readonly type: ValueType<A>
  readonly reference: string
  readonly about: string
  /** The value that a registration without it gets, in words; none when it is simply absent. */
  readonly byDefault: string | undefined
}

/** A maker of members that one document defines. */
export const definedIn =
  (reference: string) =>
  <A>(type: ValueType<A>, about: string, byDefault?: string): Member<A> => ({ type, reference, about, byDefault })
