// The addresses and the load limits of the service.
import { flag, optional, range, several } from './values/setting-kinds.js'
import type { Setting } from './values/setting.js'
import { addressRange, commas, host, integer } from './values/values.js'

export const addressSettings = {
  host: {
    description: 'The address to listen on',
    values: 'host name or IP address',
    fallback: '127.0.0.1',
    parse: host,
  } satisfies Setting<string>,
  port: range('The port to listen on; 0 is any free port', 8080, 0, 65_535),
  'management-port': optional<number>({
    description:
      'A port on management-host for /metrics and /health and, below the path of base-url, for what the master token alone may ask of /keys, /logouts, /initial-access-tokens, /clients/{id}/renewal, /registration-policy and /encryption; also for GET /clients, POST /direct-authz and GET /jwks.json, which stay on the public port as well; when it is not set, all but /metrics are on the public port',
    values: '0 to 65535',
    fallbackText: 'none',
    parse: integer(0, 65_535),
  }),
  'list-clients-on-management-port-alone': flag(
    'Whether the public port refuses GET /clients with 405, as it shows all clients with their credentials to the master token; needs management-port',
    false,
  ),
  'management-host': {
    description:
      'The address of the management port. /health asks for no token there, nor does /metrics unless metrics-need-token is set: in a container whose probes come from outside, set it to an address that they alone reach',
    values: 'host name or IP address',
    fallback: '127.0.0.1',
    parse: host,
  } satisfies Setting<string>,
  'metrics-need-token': flag(
    'Whether /metrics needs the master token, or an operator token with the privilege metrics: where others than the operator reach the management port',
    false,
  ),
  workers: range(
    'How many instances clientele serve starts behind these ports, each a process with the limits of an instance; best one for each core. More than 1 needs PostgreSQL',
    1,
    1,
    128,
  ),
} as const

export const admissionSettings = {
  'maximum-connections': range(
    'Connections to the public port at a time, of each instance. One source (an IPv4 address, or the /64 of an IPv6 address) has half of them at most, and more only as long as it has fewer than are free; one network (a /24 of IPv4, or a /48 of IPv6) has four fifths, and more only as long as it has fewer than four times those; any further one is closed at once',
    2_000,
    10,
    1_000_000,
  ),
  'maximum-requests': range(
    'Requests on the public port at a time, of each instance, shared among sources in the same way; any further one is answered with 503',
    1_000,
    10,
    1_000_000,
  ),
  'trusted-proxies': several(
    'Proxies whose X-Forwarded-For counts. Their connections are bounded by maximum-connections alone, and their requests count for the addresses that they name',
    'CIDRs or addresses separated by commas',
    commas,
    addressRange,
  ),
} as const
