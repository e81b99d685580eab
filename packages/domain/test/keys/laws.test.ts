import { suite } from 'uvu'
import { checkLaw, keyLaws } from '@clientele/testing'

const Laws = suite('keys of several instances')

for (const law of keyLaws) Laws(law.statement, () => checkLaw(law))

Laws.run()
