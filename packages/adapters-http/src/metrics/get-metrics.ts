import type { OperatorHandler } from '../http/handler.js'
import type { HttpPorts } from '../ports.js'

/** The metrics for an operator. */
export const getMetrics =
  (metrics: Required<HttpPorts>['metrics']): OperatorHandler<'metrics'> =>
  async (_request, operator) => {
    const { contentType, text } = await metrics(operator)()
    return { status: 200, headers: { 'Content-Type': contentType }, body: { kind: 'text', text } }
  }
