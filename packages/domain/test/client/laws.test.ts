import { suite } from 'uvu'
import { checkLaw, metadataLaws, redirectLaws } from '@clientele/testing'

const Laws = suite('client metadata')

for (const law of metadataLaws) Laws(law.statement, () => checkLaw(law))
for (const law of redirectLaws) Laws(law.statement, () => checkLaw(law))

Laws.run()
