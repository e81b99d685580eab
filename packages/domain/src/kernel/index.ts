// JSON, faults and the texts of rules, refusals, times and budgets.
export type { AbusePolicy, Budget, BudgetKind, BudgetLimits, ExhaustedBudget, Source } from './budgets.js'
export { budgetKinds, draw, latestStored, limitsPer, maxDrawn, maxStoredSources, refusalReason } from './budgets.js'
export { secondsToWait, sourceOf, sourcesOfNetwork } from './budgets.js'
export type { Fault } from './faults.js'
export { stepsOf } from './faults.js'
export { isExactNumber, mergePatch, parseTokenJson, parseWellFormedJson, readJson } from './json.js'
export * from './json-object.js'
export type { ClientIdTaken, IdempotencyConflict, IdempotencyKeyReused, InvalidRequest } from './refusals.js'
export type { InvalidScope, InvalidSettings, KeyRefusal, PreconditionFailed } from './refusals.js'
export type { PreconditionRequired, Refusal, RegistryFull, TooManyRequests, Unavailable } from './refusals.js'
export type { UnknownClient, UnknownConnection, UnknownSession } from './refusals.js'
export {
  clientIdTaken,
  clientInForce,
  countChanged,
  idempotencyKeyReused,
  invalidKeys,
  invalidRequest,
} from './refusals.js'
export { noClientSecret } from './refusals.js'
export { invalidSettings, invalidToken, jsonExpected, missingToken, preconditionFailed } from './refusals.js'
export { preconditionRequired, registrationChanged, registryFull, restorationConflict } from './refusals.js'
export { sessionFull, tooManyRequests, unavailable, unknownClient, unknownInitialAccessToken } from './refusals.js'
export { unknownConnection, unknownNotification, unknownOperatorToken, unknownSession } from './refusals.js'
export type { RuleId } from './all-rules.js'
export { isRuleId, ruleTexts } from './all-rules.js'
export type { EpochSecondsBrand } from './time.js'
export { EpochSeconds, clockDifference, decideClock, epochSeconds, secondsAfter } from './time.js'
export { secondsOfText, timeOfText } from './time.js'
export { nearestName } from './values.js'
