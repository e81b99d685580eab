// The tests of the specification and the contract on the wire, for the service with its other shell. Without tests that
// start many services or send hundreds of bodies to test the domain, the store or the command line; and without invalid
// hosts, which the bridge refuses by itself.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundledProgram } from '../support/bundled-program.js'
import { discard, serveBy, startService } from '../support/service.js'
import './contract-5-updates-and-dry-runs.test.js'
import './contract-6-key-set.test.js'
import './interoperability.test.js'
import './metadata-all-faults.test.js'
import './metadata-attacks-bodies.test.js'
import './metadata-attacks-size.test.js'
import './metadata-attacks-taken.test.js'
import './metadata-dry-run.test.js'
import './metadata-every-member.test.js'
import './metadata-policy-statements.test.js'
import './metadata-policy.test.js'
import './metadata-real-clients.test.js'
import './metadata-software-statements.test.js'
import './playground.test.js'
import './spec-2-client-metadata.test.js'
import './spec-4-1-registration-endpoint.test.js'
import './spec-5-authentication.test.js'
import './spec-7-errors.test.js'

const program = bundledProgram('service-on-fetch')
// The tests start after this file is evaluated.
serveBy(program)

const shell = suite('the shell under test')

shell('is the one of web standards', async () => {
  const service = await startService()
  assert.equal(service.child.spawnargs.slice(1), [program])
  assert.is(await service.stop(), 0)
  discard(service.dataDir)
})

shell.run()
