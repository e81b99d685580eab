import { suite } from 'uvu'
import { checkLaw, documentLaws } from '@clientele/testing'

const Laws = suite('Client ID Metadata Documents')

for (const law of documentLaws) Laws(law.statement, () => checkLaw(law))

Laws.run()
