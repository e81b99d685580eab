import type { BudgetKind, ExhaustedBudget } from '@clientele/domain/kernel'
import { tooMany } from '../http/error-response.js'
import type { HttpResponse } from '../http/response.js'
import type { Language } from './messages/languages.js'
import type { pageResponse } from './page-response.js'

/** RFC 6585 §4, for an end-user. */
export const tooManyPage = (
  respond: ReturnType<typeof pageResponse>,
  language: Language,
  kind: BudgetKind,
  exhausted: Pick<ExhaustedBudget, 'retryAfter' | 'scope'>,
  again?: string,
): HttpResponse => ({
  ...tooMany(
    { kind, retryAfter: exhausted.retryAfter, scope: exhausted.scope },
    respond({ kind: 'too_many_requests', again }, language),
  ),
  refusal: { error: 'too_many_requests' },
})
