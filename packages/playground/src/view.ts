// From the choices and texts of the user to everything that the page reports: total for any text.
import { type RegistrationScope, parseRegistrationScope } from '@clientele/domain/authorization'
import type { Fault, InvalidScope } from '@clientele/domain/kernel'
import { type Explanation, type Unchecked, explainRegistration } from '@clientele/domain/operations'
import { type DocumentAdjustment, sameRegistration } from '@clientele/domain/provider'
import { type Adjustment, tidiedIf } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { curlCommand } from './curl-command.js'
import { type Decision, decisionOf, maxBytes, noSuchToken, tooLarge } from './decision.js'
import { type DocumentReport, readText, reportDocument } from './document-report.js'
import { type EffectiveMember, effectiveMetadata } from './effective-metadata.js'
import { factsOf, settingsOf } from './facts.js'
import { type ReportedFault, reportedFault } from './reported-fault.js'
import { type ServedSettings, defaultSettings } from './served-settings.js'
import { type State, documentUrlOf, tokenScopeOf } from './state.js'
import { type Tested, scopeTestCase, testCase } from './test-case.js'
import { privilegeTexts } from './texts.js'

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
  /** What is set or left out although it was not asked for. */
  readonly adjustments: ReadonlyArray<Adjustment | DocumentAdjustment>
  readonly dropped: ReadonlyArray<string>
  readonly unchecked: ReadonlyArray<Unchecked>
  /** The registration as commands and code; undefined for a text that is too large to send. */
  readonly commands: Commands | undefined
  /** Of the document at the URL, where one is given. */
  readonly document?: Pick<DocumentReport, 'judged' | 'remarks' | 'command'> & {
    readonly doors: ReadonlyArray<Door>
  }
}

/** What one answers. */
export type Door = { readonly name: string; readonly answer: string }

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
  const facts = factsOf(settings, body, E.isRight(scope) ? scope.right : O.none)
  return { body, settings, read: facts.body, explanation: explainRegistration(settings)(facts) }
}

const reported = (state: State, served: ServedSettings, scope: Scope, explanation: Explanation): Decision => {
  if (E.isLeft(scope)) return noSuchToken(scope.left)
  return isTooLarge(state.body) ? tooLarge : decisionOf(explanation, served.registrationStatus)
}

// The pointers are those of the body that was judged: the text has more entries where repetitions were left out.
const isMoved = ({ adjustments }: Explanation, fault: Fault): boolean =>
  adjustments.some(({ rule, pointer }) => rule === 'repetition-left-out' && fault.pointer.startsWith(`${pointer}/`))

const registrationView = (state: State, served: ServedSettings): View => {
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
    faults: explanation.faults.map((fault) => reportedFault(isMoved(explanation, fault) ? '' : body)(fault)),
    metadata: effectiveMetadata(
      E.isRight(read.read) ? tidiedIf(read.settings.lenient, read.read.right).body : undefined,
      explanation,
    ),
    adjustments: explanation.adjustments,
    dropped: explanation.dropped,
    unchecked: decision.kind === 'registered' ? explanation.unchecked : [],
    commands: isTooLarge(state.body) ? undefined : { tokenScope, curl: curlCommand(state), testCase: tested },
  }
}

const postAnswer = ({ kind, status, error, description }: Decision): string =>
  kind === 'registered' ? `Would be registered. ${description}` : `${status} ${error ?? ''}. ${description}`

/** POST /clients with the metadata of the document; undefined where there is no JSON object. */
const sameByPost = (
  state: State,
  served: ServedSettings,
  document: unknown,
): { readonly explanation: Explanation; readonly door: Door } | undefined => {
  const body = sameRegistration(document)
  if (body === undefined) return undefined
  const registration = { ...state, body: JSON.stringify(body) }
  const tokenScope = tokenScopeOf(state)
  const scope = scopeOf(tokenScope)
  const { explanation } = explained(registration, served, scope)
  const name = `POST /clients with the same metadata, ${tokenScope === '' ? 'without a token' : 'with the token'}`
  return { explanation, door: { name, answer: postAnswer(reported(registration, served, scope, explanation)) } }
}

const documentView = (state: State, served: ServedSettings, url: string): View => {
  const tooLong = isTooLarge(state.body)
  const read = readText(state.body, tooLong)
  const post = sameByPost(state, served, E.isRight(read) ? read.right : undefined)
  const { decision, faults, metadata, adjustments, dropped, authorize, ...document } = reportDocument(
    settingsOf(state, served),
    url,
    read,
    post?.explanation,
  )
  const doors = [{ name: 'Authorization request', answer: authorize }, ...(post === undefined ? [] : [post.door])]
  return {
    decision,
    requested: [],
    granted: [],
    missing: [],
    needed: [],
    faults: faults.map(reportedFault(document.judged === 'URL' || tooLong ? '' : state.body)),
    metadata,
    adjustments,
    dropped,
    unchecked: [],
    commands: undefined,
    document: { ...document, doors },
  }
}

export const view = (state: State, served: ServedSettings = defaultSettings): View => {
  const url = documentUrlOf(state)
  return url === undefined ? registrationView(state, served) : documentView(state, served, url)
}
