import { type Lack, type Outcome, type PlanName, modulesOf, plans } from '../conformance/modules.js'

const results: Readonly<Record<Outcome['result'], string>> = {
  passes: 'passes',
  skipped: 'skipped',
  warns: 'passes with a warning',
  refused: '**does not pass**',
}

const lackText = ({ member, value }: Lack): string =>
  value === false ? `\`${member}\` is false` : `\`${member}\` lacks \`${value}\``

const because = (outcome: Outcome): string => {
  if (outcome.result === 'passes') return ''
  const reasons = [
    ...(outcome.lack === undefined ? [] : [lackText(outcome.lack)]),
    ...('reason' in outcome ? [outcome.reason] : []),
  ]
  return reasons.join('; ')
}

const row = ([name, outcome]: readonly [string, Outcome]): string =>
  `| \`${name}\` | ${results[outcome.result]} | ${because(outcome)} |`

const names = Object.keys(plans) as ReadonlyArray<PlanName>

const countOf = (plan: PlanName, result: Outcome['result']): number =>
  modulesOf(plan).filter(([, outcome]) => outcome.result === result).length

const total = (plan: PlanName): string => {
  const counts = (['passes', 'warns', 'skipped', 'refused'] as const).map((result) => countOf(plan, result))
  return `| [${plans[plan].profile}](#${plans[plan].profile.toLowerCase().replaceAll(' ', '-')}) | ${counts.join(' | ')} |`
}

const section = (plan: PlanName): string => `## ${plans[plan].profile}

The modules of \`${plan}\`:

| module | result | because |
|---|---|---|
${modulesOf(plan).map(row).join('\n')}
`

/** docs/conformance.md */
export const conformanceDocument = (): string => `# Conformance

This page is generated from \`packages/app/test/conformance/modules.ts\`.

The OpenID Foundation certifies OpenID providers by its [conformance suite](https://gitlab.com/openid/conformance-suite). The service is not certified. Each module of six of its plans for providers is a test of
this repository, under the name of the module: it asserts what the module asserts, on the service as a process with \`engine\` \`oidc-provider\` and \`login\` \`development\`, over HTTP, through the pages. A test reads the metadata,
and fails if they offer what this page says is lacking. The tests are no replacement for a run of the suite: they check the same, with other code.

| plan | passes | with a warning | skipped | does not pass |
|---|---|---|---|---|
${names.map(total).join('\n')}

*Skipped*: the suite does not run the module, because the metadata do not offer what it is about; its test asserts the refusal. *Does not pass*: the service decided otherwise; the test asserts what it does in place of that.
The Dynamic profile therefore cannot be certified.

Two modules wait: \`oidcc-codereuse-30seconds\` for 30 seconds, and \`oidcc-refresh-token-rp-key-rotation\` for 60, because the engine fetches a key set of a client once a minute at most. The other modules of the plan run meanwhile.

${names.map(section).join('\n')}`
