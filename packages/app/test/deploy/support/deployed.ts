// The files of deploy/, as the programs read them that they are for, and the settings that each gives the service.
import { type Instruction, type PropertyInstruction, DockerfileParser } from 'dockerfile-ast'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { root } from '../../support/documented-commands.js'

export type Texts = Readonly<Record<string, string>>

export const folder = join(root, 'deploy')
export const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

/** The instructions of each stage, beginning with its FROM. */
export const stages = (): ReadonlyArray<ReadonlyArray<Instruction>> => {
  const instructions = DockerfileParser.parse(read('Dockerfile')).getInstructions()
  const starts = instructions.flatMap((each, place) => (each.getKeyword() === 'FROM' ? [place] : []))
  return starts.map((start, index) => instructions.slice(start, starts[index + 1]))
}

export const contentOf = (instruction: Instruction | undefined): string => instruction?.getRawArgumentsContent() ?? ''

const strings = (json: string): ReadonlyArray<string> => (JSON.parse(json) as ReadonlyArray<unknown>).map(String)

export type Image = {
  readonly environment: Texts
  readonly user: string
  readonly command: ReadonlyArray<string>
  readonly healthCheck: ReadonlyArray<string>
}

/** What Docker starts by the last stage of the Dockerfile. */
export const image = (): Image => {
  const last = stages().at(-1) ?? []
  const of = (keyword: string): ReadonlyArray<Instruction> => last.filter((each) => each.getKeyword() === keyword)
  const [user, entrypoint, command, healthCheck] = ['USER', 'ENTRYPOINT', 'CMD', 'HEALTHCHECK'].map((each) =>
    contentOf(of(each)[0]),
  )
  return {
    environment: Object.fromEntries(
      of('ENV')
        .flatMap((each) => (each as PropertyInstruction).getProperties())
        .map((each) => [each.getName(), each.getValue() ?? '']),
    ),
    user: user ?? '',
    command: [...strings(entrypoint ?? ''), ...strings(command ?? '')],
    healthCheck: strings((healthCheck ?? '').replace(/^CMD /, '')),
  }
}

type Container = {
  readonly image: string
  readonly environment?: Texts
  readonly networks: ReadonlyArray<string>
  readonly secrets?: ReadonlyArray<string>
  readonly read_only?: boolean
  readonly cap_drop?: ReadonlyArray<string>
  readonly security_opt?: ReadonlyArray<string>
  readonly volumes?: ReadonlyArray<string>
  readonly ports?: ReadonlyArray<string>
}

export type Composition = {
  readonly services: Readonly<Record<string, Container>>
  readonly networks: Readonly<
    Record<string, { readonly ipam?: { readonly config: ReadonlyArray<{ readonly subnet: string }> } }>
  >
  readonly volumes: Readonly<Record<string, unknown>>
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>
}

export const composeFiles = ['compose/sqlite.yaml', 'compose/postgresql.yaml']

/** A composition for the site, and its containers that run the service. */
export const composed = (file: string, site: string): { whole: Composition; instances: ReadonlyArray<Container> } => {
  const whole = parse(read(file).replaceAll(/\$\{SITE:\?[^}]*\}/g, site)) as Composition
  return { whole, instances: Object.values(whole.services).filter((each) => each.image.startsWith('clientele:')) }
}

export type Manifest = { readonly apiVersion: string; readonly kind: string; readonly [member: string]: unknown }

export const manifests = (): ReadonlyArray<Manifest> =>
  parseAllDocuments(read('kubernetes/clientele.yaml')).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'))
    return document.toJS() as Manifest
  })

type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }

export type Pod = {
  readonly automountServiceAccountToken: boolean
  readonly enableServiceLinks: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly volumes: ReadonlyArray<{ readonly name: string; readonly secret?: { readonly secretName: string } }>
  readonly containers: ReadonlyArray<{
    readonly ports: ReadonlyArray<{ readonly name: string; readonly containerPort: number }>
    readonly startupProbe: Probe
    readonly livenessProbe: Probe
    readonly readinessProbe: Probe
    readonly securityContext: Readonly<Record<string, unknown>>
    readonly volumeMounts: ReadonlyArray<{ readonly name: string; readonly mountPath: string }>
  }>
}

export const manifest = (kind: string): Manifest => {
  const found = manifests().find((each) => each.kind === kind)
  if (found === undefined) throw new Error(`no manifest is a ${kind}`)
  return found
}

export const pod = (): Pod => (manifest('Deployment')['spec'] as { template: { spec: Pod } }).template.spec

/** The settings that the service has in a pod. */
export const podEnvironment = (): Texts => ({
  ...image().environment,
  ...(manifest('ConfigMap')['data'] as Texts),
})

const lines = (unit: string, name: string): ReadonlyArray<string> =>
  [...read(`systemd/${unit}`).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

/** The values of a setting of a unit, in their order. */
export const unitValues = lines

/** The environment of a unit, with the folders of its state and of its credentials. */
export const unitEnvironment = (unit: string, state: string, credentials: string): Texts =>
  Object.fromEntries(
    lines(unit, 'Environment')
      .map((line) => line.replaceAll('%S', state).replaceAll('%d', credentials))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

/** The variables that are settings. */
export const settingsAmong = (environment: Texts): Texts =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('CLIENTELE_')))
