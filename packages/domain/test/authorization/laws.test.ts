import { suite } from 'uvu'
import { authorizationLaws, checkLaw } from '@clientele/testing'

const Laws = suite('authorization')

for (const law of authorizationLaws) Laws(law.statement, () => checkLaw(law))

Laws.run()
