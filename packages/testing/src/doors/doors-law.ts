import type { SentMetadata } from '../arbitraries/json-values.js'
import type { RefusedBody, ReportedFault } from '../laws/metadata-values.js'

// A door: a way by which client metadata enters a service.

/** What a door answers: the faults of the body, or none where it lets the body in. */
export type Verdict = ReadonlyArray<ReportedFault>

/** What a door says that it changed of a body. */
export type Told = Pick<ReportedFault, 'pointer' | 'rule' | 'description'>

/** A door of any service: its name, and its verdict on a body. One over HTTP returns a promise. */
export type Door = {
  readonly name: string
  readonly judge: (body: SentMetadata) => Verdict | Promise<Verdict>
  /** Of a door that lets in what is left of a body: the faults for which it refuses all of it. Without this, all faults. */
  readonly refusesFor?: (fault: Pick<ReportedFault, 'pointer' | 'rule'>) => boolean
  /** What it leaves out, and tells: the same at all doors that have it. */
  readonly adjust?: (body: SentMetadata) => ReadonlyArray<Told>
}

/**
 * The verdict of a refusal: its faults; where it reports none, one fault without a place, whose rule is its code.
 *
 * @example
 * const post = async (body) => {
 *   const answer = await fetch('https://op.example/clients', { method: 'POST', body: JSON.stringify(body), headers })
 *   return answer.ok ? [] : verdictOf(await answer.json())
 * }
 */
export const verdictOf = ({ error, error_description = '', errors = [] }: RefusedBody): Verdict =>
  errors.length > 0 ? errors : [{ pointer: '', rule: error, description: error_description }]

const refused: Verdict = [{ pointer: '', rule: 'refused', description: '' }]

/** The door of which only the verdict counts, for a service that reports its faults otherwise. */
export const verdictAlone = ({ name, judge }: Door): Door => ({
  name,
  judge: async (body) => ((await judge(body)).length === 0 ? [] : refused),
})

// No door lets in what another one refuses.

/** A fault that one of two doors reports, and the other does not. */
export type FaultOfOneDoor = {
  readonly fault: ReportedFault
  readonly reportedBy: 'the door' | 'the first door'
  readonly body: SentMetadata
}

/** Where a door is to answer otherwise than the first one, and why. */
export type DoorException = {
  /** Stable, in kebab-case. */
  readonly id: string
  /** The names of the doors that it is about. */
  readonly doors: ReadonlyArray<string>
  readonly difference: string
  readonly reason: string
  /** Whether the exception permits that one of the doors alone reports the fault. */
  readonly permits: (fault: FaultOfOneDoor) => boolean
}

export type DoorDisagreement = {
  /** The names of the door and of the first one; of two that adjust, of the first of these. */
  readonly doors: readonly [door: string, first: string]
  readonly body: SentMetadata
  /** The faults that each of the two reports, but for those that exceptions permit. */
  readonly verdicts: readonly [door: Verdict, first: Verdict]
}

export type ComparedDoors = {
  /** How many verdicts were compared with the one of the first door. */
  readonly compared: number
  readonly disagreements: ReadonlyArray<DoorDisagreement>
  /** The ids of the exceptions that no body needed: without them, the law holds as well. */
  readonly unused: ReadonlyArray<string>
}

const isSame = (one: ReportedFault, other: ReportedFault): boolean =>
  one.pointer === other.pointer && one.rule === other.rule && one.description === other.description

const areSame = (one: Verdict, other: Verdict): boolean =>
  one.length === other.length &&
  one.every((fault, index) => {
    const same = other[index]
    return same !== undefined && isSame(fault, same)
  })

/**
 * Compares the verdicts of all doors on all bodies with the verdict of the first door: the same faults (place, rule and
 * description) in the same order, or none; of a door with `refusesFor`, those faults. Doors with `adjust` tell the same. An exception permits single faults, so that all others still count. The law
 * holds where `disagreements` is empty; a list of exceptions is no longer than it must be where `unused` is empty.
 *
 * @example
 * const { compared, disagreements, unused } = await doorsLaw(ownDoors(), bodiesForDoors(), doorExceptions)
 */
export const doorsLaw = async (
  [first, ...others]: readonly [first: Door, ...others: ReadonlyArray<Door>],
  bodies: Iterable<SentMetadata>,
  exceptions: ReadonlyArray<DoorException> = [],
): Promise<ComparedDoors> => {
  const used = new Set<string>()
  const disagreements: Array<DoorDisagreement> = []
  const isPermitted = (door: Door, found: FaultOfOneDoor): boolean => {
    const permitting = exceptions.filter(({ doors, permits }) => doors.includes(door.name) && permits(found))
    for (const { id } of permitting) used.add(id)
    return permitting.length > 0
  }
  const [adjusting, ...alike] = others.filter(({ adjust }) => adjust !== undefined)
  let compared = 0
  for (const body of bodies) {
    const all = await first.judge(body)
    for (const door of alike) {
      const verdicts = [door.adjust?.(body) ?? [], adjusting?.adjust?.(body) ?? []] as const
      if (!areSame(...verdicts)) disagreements.push({ doors: [door.name, adjusting?.name ?? ''], body, verdicts })
    }
    for (const door of others) {
      const { refusesFor = () => true } = door
      const expected = all.filter(refusesFor)
      const given = (await door.judge(body)).filter(refusesFor)
      const without = (verdict: Verdict, other: Verdict, reportedBy: FaultOfOneDoor['reportedBy']): Verdict =>
        verdict.filter(
          (fault) => other.some((each) => isSame(each, fault)) || !isPermitted(door, { fault, reportedBy, body }),
        )
      const verdicts = [without(given, expected, 'the door'), without(expected, given, 'the first door')] as const
      if (!areSame(...verdicts)) disagreements.push({ doors: [door.name, first.name], body, verdicts })
      compared += 1
    }
  }
  return { compared, disagreements, unused: exceptions.map(({ id }) => id).filter((id) => !used.has(id)) }
}
