// wrk with a script for the request; a constant request is built once.
import { newFile, runLoad } from '../machine.mjs'

// The texts of these requests are ASCII, where JSON and Lua strings have the same syntax.
const quoted = (text) => JSON.stringify(text)

const concatenated = (text) =>
  text
    .split(/\{(client_id|token|number)\}/)
    .map((part, place) => (place % 2 === 1 ? part : quoted(part)))
    .join(' .. ')

const table = (headers, toLua) =>
  `{ ${Object.entries(headers)
    .map(([name, value]) => `[${quoted(name)}] = ${toLua(value)}`)
    .join(', ')} }`

const nextPlace = { random: 'math.random(#ids)', next: 'at % #ids + 1', once: 'at + 1' }

const varying = ({ method, path, headers, body, clients }) => `
local ids, tokens, at = {}, {}, ${clients.used}
for line in io.lines(${quoted(clients.file)}) do
  local id, token = line:match("(%S+) (%S+)")
  ids[#ids + 1], tokens[#tokens + 1] = id, token
end
math.randomseed(${1 + clients.used})
request = function()
  at = ${nextPlace[clients.order]}
  local client_id, token, number = ids[at] or "none-left", tokens[at] or "none-left", at
  return wrk.format(${quoted(method)}, ${concatenated(path)}, ${table(headers, concatenated)}, ${body === undefined ? 'nil' : concatenated(body)})
end`

const constant = ({ method, headers, body }) => `
wrk.method, wrk.headers, wrk.body = ${quoted(method)}, ${table(headers, quoted)}, ${body === undefined ? 'nil' : quoted(body)}`

// Node accepts one connection for each turn of its event loop (libuv pull request 3696). Under load, the last
// connection would wait for as many turns: so all connect first, and then send together.
const settling = 300
const delay = ({ connections }) => `
local begun = 0
delay = function()
  begun = begun + 1
  return begun <= ${connections} and ${settling} or 0
end`

const report = `
done = function(summary, latency)
  local errors = summary.errors
  print("figures " .. table.concat({ summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect, errors.read, errors.write, errors.timeout }, " "))
end
`

export const runWrk = async (request) => {
  const { base, path, clients, connections, seconds } = request
  const script = newFile((clients === undefined ? constant(request) : varying(request)) + delay(request) + report)
  const url = base + (clients === undefined ? path : '/')
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '15s', '-s', script]
  const [, reported] = /^figures (.*)$/m.exec(await runLoad(['wrk', ...options, url]))
  const [requests, duration, p50, p99, refusals, connect, read, write, timeouts] = reported.split(' ').map(Number)
  return {
    requests,
    rate: requests / (duration / 1e6 - settling / 1000),
    p50: p50 / 1000,
    p99: p99 / 1000,
    faults: { refusals, 'broken connections': connect + read + write, timeouts },
  }
}
