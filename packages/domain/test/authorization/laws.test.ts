import { suite } from 'uvu'
import { authorizationLaws, checkLaw } from '../../src/testing/index.js'

const Laws = suite('authorization')

for (const law of authorizationLaws) Laws(law.statement, () => checkLaw(law))

Laws.run()
