export type JsonValue = string | number | boolean | null | ReadonlyArray<JsonValue> | JsonObject
export type JsonObject = { readonly [member: string]: JsonValue }

/** The maximum nesting of a body; JSON.stringify overflows the stack at a few thousand levels. */
export const maxDepth = 32
const maxNodes = 20_000

// RFC 8259 §6: readers agree on integers up to 2^53 - 1 and may change greater ones.
const isExact = (value: number): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))

const isScalar = (value: unknown): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value.isWellFormed()) ||
  (typeof value === 'number' && isExact(value))

const hasPlainPrototype = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  hasPlainPrototype(value) &&
  Object.getOwnPropertySymbols(value).length === 0

/** The own member of an object; inherited ones are ignored. */
export const ownMember = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

export const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const children = (value: unknown): ReadonlyArray<unknown> | undefined => {
  // The spread turns holes of an array into undefined, which is not a JSON value.
  if (isList(value)) return value.length > maxNodes ? undefined : [...value]
  if (isPlainObject(value) && Object.keys(value).every((key) => key.isWellFormed())) return Object.values(value)
  return undefined
}

/** The nodes left of the budget; negative when the value is not JSON, too deep or too large. */
const nodesLeft = (value: unknown, depth: number, budget: number): number => {
  if (budget < 0) return budget
  if (isScalar(value)) return budget - 1
  const inside = children(value)
  if (inside === undefined || depth === 0) return -1
  return inside.reduce<number>((left, child) => nodesLeft(child, depth - 1, left), budget - 1)
}

/** For a value from JSON.parse: all values in it are JSON. */
export const isParsedObject = (parsed: unknown): parsed is JsonObject => isPlainObject(parsed)

/**
 * Whether JSON.stringify and JSON.parse preserve the value, within the depth. Total for all values, cyclic ones
 * included.
 */
export const isJsonObject =
  (depth: number) =>
  (value: unknown): value is JsonObject =>
    isPlainObject(value) && nodesLeft(value, depth, maxNodes) >= 0

// RFC 8259 §4: the members of an object have no order
const inOrder = (_name: string, value: unknown): unknown =>
  isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** The JSON of a value, null in place of none, with the members of its objects in one order. */
export const jsonInOrder = (value: unknown): string => JSON.stringify(value ?? null, inOrder)

/** Whether the two have the same JSON value; one that is left out has none. */
export const isSameJson = (one: unknown, other: unknown): boolean => jsonInOrder(one) === jsonInOrder(other)

/** Whether the two have the same JSON text: members in another order make another one. */
export const isSameText = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The names of the members that have different JSON values in the two; one that is left out has none. */
export const differingMembers = (one: object, other: object): ReadonlyArray<string> => {
  const before: ReadonlyMap<string, unknown> = new Map(Object.entries(one))
  const after: ReadonlyMap<string, unknown> = new Map(Object.entries(other))
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name) && !isSameJson(before.get(name), after.get(name)),
  )
}
