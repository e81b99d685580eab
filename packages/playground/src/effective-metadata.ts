import { presetMembers } from '@clientele/domain/client'
import { isPlainObject, stepsOf } from '@clientele/domain/kernel'
import type { Explanation } from '@clientele/domain/operations'

export type EffectiveMember = {
  readonly name: string
  /** As JSON. */
  readonly value: string
  /** Added by registration, changed for a document, valid as sent, or sent with a fault, so that it would not be registered. */
  readonly origin: 'added' | 'changed' | 'sent' | 'invalid'
}

const maxLineLength = 48

const asJson = (value: unknown): string => {
  const line = JSON.stringify(value)
  return line.length > maxLineLength ? JSON.stringify(value, null, 2) : line
}

/** RFC 7591 §3.2.1: the members as they would be registered, and those that registration adds. */
export const effectiveMetadata = (
  body: unknown,
  { added, dropped, faults }: Pick<Explanation, 'added' | 'dropped' | 'faults'>,
): ReadonlyArray<EffectiveMember> => {
  if (!isPlainObject(body)) return []
  const unknown = new Set(dropped)
  const invalid = new Set(faults.map(({ pointer }) => stepsOf(pointer)[0]))
  const sent = Object.entries(body)
    .filter(([name]) => !unknown.has(name) && !presetMembers.includes(name) && !Object.hasOwn(added, name))
    .map(([name, value]): EffectiveMember => ({
      name,
      value: asJson(value),
      origin: invalid.has(name) ? 'invalid' : 'sent',
    }))
  return [
    ...sent,
    ...Object.entries(added).map(([name, value]): EffectiveMember => ({ name, value: asJson(value), origin: 'added' })),
  ]
}
