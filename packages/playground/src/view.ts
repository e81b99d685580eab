// From the choices and texts of the user to everything that the page reports: total for any text.
import {
  type Explanation,
  type Fault,
  type InvalidScope,
  type RegistrationScope,
  type Unchecked,
  explainRegistration,
  parseRegistrationScope,
  ruleTexts,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { curlCommand } from './curl-command.js'
import { type Decision, decisionOf, maxBytes, noSuchToken, sentence, tooLarge } from './decision.js'
import { type EffectiveMember, effectiveMetadata } from './effective-metadata.js'
import { factsOf, settingsOf } from './facts.js'
import { type Place, placeInJson } from './json-place.js'
import { privilegeTexts } from './privilege-texts.js'
import { type ServedSettings, defaultSettings } from './served-settings.js'
import { type State, tokenScopeOf } from './state.js'
import { type Tested, scopeTestCase, testCase } from './test-case.js'

export type ReportedFault = {
  readonly pointer: string
  readonly rule: string
  readonly problem: string
  /** The remedy; left out where the problem states it. */
  readonly remedy?: string
  readonly reference: string
  /** The place in the text; left out for a missing member. */
  readonly place?: Place
}

export type Commands = {
  /** The scope of the token that the command presents; empty without one. */
  readonly tokenScope: string
  readonly curl: string
  readonly testCase: string
}

export type View = {
  readonly decision: Decision
  readonly requested: ReadonlyArray<string>
  readonly granted: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
  /** The scope values of a token that would grant the missing privileges. */
  readonly needed: ReadonlyArray<string>
  readonly faults: ReadonlyArray<ReportedFault>
  readonly metadata: ReadonlyArray<EffectiveMember>
  readonly dropped: ReadonlyArray<string>
  readonly unchecked: ReadonlyArray<Unchecked>
  /** The registration as commands and code; undefined for a text that is too large to send. */
  readonly commands: Commands | undefined
}

const reportedFault =
  (body: string) =>
  ({ pointer, rule, description }: Fault): ReportedFault => {
    const [problem = '', ...remedy] = sentence(description).split(': ')
    const place = pointer === '' ? undefined : placeInJson(body, pointer)
    return {
      pointer,
      rule,
      problem,
      reference: ruleTexts[rule].reference,
      ...(remedy.length === 0 ? {} : { remedy: remedy.join(': ') }),
      ...(place === undefined ? {} : { place }),
    }
  }

const isTooLarge = (body: string): boolean => new TextEncoder().encode(body).length > maxBytes

type Scope = E.Either<InvalidScope, O.Option<RegistrationScope>>

const scopeOf = (text: string): Scope =>
  text === '' ? E.right(O.none) : pipe(parseRegistrationScope(text), E.map(O.some))

/** Undefined for a text that is too large to be read, and for a token that cannot exist. */
const explained = (
  state: State,
  served: ServedSettings,
  scope: Scope,
): Pick<Tested, 'body' | 'read' | 'explanation' | 'settings'> => {
  const body = isTooLarge(state.body) ? '' : state.body
  const settings = settingsOf(state, served)
  const facts = factsOf(body, E.isRight(scope) ? scope.right : O.none)
  return { body, settings, read: facts.body, explanation: explainRegistration(settings)(facts) }
}

const reported = (state: State, served: ServedSettings, scope: Scope, explanation: Explanation): Decision => {
  if (E.isLeft(scope)) return noSuchToken(scope.left)
  return isTooLarge(state.body)
    ? tooLarge
    : decisionOf(explanation, state.mode === 'managed', served.registrationStatus)
}

export const view = (state: State, served: ServedSettings = defaultSettings): View => {
  const tokenScope = tokenScopeOf(state)
  const scope = scopeOf(tokenScope)
  const { explanation, body, ...read } = explained(state, served, scope)
  const decision = reported(state, served, scope, explanation)
  const tested = E.isLeft(scope)
    ? scopeTestCase(tokenScope)
    : testCase({ ...read, body, explanation, scope: tokenScope })
  return {
    decision,
    requested: privilegeTexts(explanation.requested),
    granted: privilegeTexts(explanation.granted),
    missing: privilegeTexts(explanation.missing),
    needed: explanation.needed,
    faults: explanation.faults.map(reportedFault(body)),
    metadata: effectiveMetadata(E.isRight(read.read) ? read.read.right : undefined, explanation),
    dropped: explanation.dropped,
    unchecked: decision.kind === 'registered' ? explanation.unchecked : [],
    commands: isTooLarge(state.body) ? undefined : { tokenScope, curl: curlCommand(state), testCase: tested },
  }
}
