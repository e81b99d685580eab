// The manifests: as the schemas of Kubernetes say, restricted, and with probes that a service answers.
import { Deployment } from 'kubernetes-models/apps/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Namespace, Service } from 'kubernetes-models/v1'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../support/documented-commands.js'
import { load } from '../config/loaded.js'
import { discard, startService } from '../support/service.js'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { type Manifest, image, manifest, manifests, pod, podEnvironment, settingsAmong } from './support/deployed.js'

const kubernetes = suite('the manifests for Kubernetes')

type Model = new (data?: never) => { readonly validate: () => void }
const models: Readonly<Record<string, Model>> = {
  ConfigMap,
  Deployment,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
}

kubernetes('each is as its schema says', () => {
  assert.equal(
    manifests()
      .map(({ kind }) => kind)
      .sort(),
    Object.keys(models).sort(),
  )
  for (const each of manifests()) {
    const Model = models[each.kind]
    assert.ok(Model)
    new Model(each as never).validate()
  }
})

const modules: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
}

// The schemas take members that they do not know. The compiler refuses those that the types do not have.
const typeFaults = (given: ReadonlyArray<Manifest>): string => {
  const cache = join(root, 'packages/app/node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const place = mkdtempSync(join(cache, 'manifests-'))
  const text = given.map(
    ({ kind, ...members }, index) =>
      `import type { I${kind} as T${index} } from 'kubernetes-models/${modules[kind] ?? 'v1'}'\n` +
      `export const m${index}: T${index} = ${JSON.stringify({ kind, ...members })}`,
  )
  writeFileSync(join(place, 'manifests.ts'), text.join('\n'))
  const tsc = join(root, 'tools/node_modules/typescript/bin/tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2022',
  ]
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, 'manifests.ts'], { cwd: place, encoding: 'utf8' })
  rmSync(place, { recursive: true })
  return stdout
}

kubernetes('each has members of its kind alone', () => {
  assert.is(typeFaults(manifests()), '')
  const { spec, ...others } = manifest('PodDisruptionBudget')
  assert.match(typeFaults([{ ...others, spec: { ...(spec as object), minAvailabel: 1 } } as Manifest]), 'minAvailabel')
})

// Pod Security Standards, restricted
kubernetes('the pod is what a restricted namespace takes, and reads nothing of the cluster', () => {
  const { securityContext, automountServiceAccountToken, containers } = pod()
  const [user] = image().user.split(':').map(Number)
  assert.is(automountServiceAccountToken, false)
  assert.equal(securityContext, {
    runAsNonRoot: true,
    runAsUser: user,
    runAsGroup: user,
    fsGroup: user,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  for (const each of containers)
    assert.equal(each.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
})

kubernetes('selectors find the pods, and ports have the names of the pod', () => {
  const { template } = manifest('Deployment')['spec'] as { template: { metadata: { labels: object } } }
  const selectors = ['Deployment', 'PodDisruptionBudget', 'Service', 'NetworkPolicy'].map((kind) => {
    const spec = manifest(kind)['spec'] as Record<string, { matchLabels?: object }>
    const selector = spec['podSelector'] ?? spec['selector']
    return selector?.matchLabels ?? selector
  })
  for (const selector of selectors) assert.equal(selector, template.metadata.labels)
  const [container] = pod().containers
  const names = container?.ports.map(({ name }) => name) ?? []
  const { ports } = manifest('Service')['spec'] as { ports: ReadonlyArray<{ targetPort: string }> }
  const { ingress } = manifest('NetworkPolicy')['spec'] as {
    ingress: ReadonlyArray<{ ports: ReadonlyArray<{ port: string }> }>
  }
  assert.equal(
    ports.map(({ targetPort }) => targetPort),
    ['public'],
  )
  assert.equal(
    ingress.flatMap(({ ports: own }) => own.map(({ port }) => port)),
    names,
  )
})

kubernetes('the variables of a Service with this name would stop the start: they are turned off', () => {
  const own = settingsAmong(podEnvironment())
  const links = { CLIENTELE_PORT: 'tcp://10.96.0.1:80', CLIENTELE_SERVICE_HOST: '10.96.0.1' }
  assert.is(load({ ...own, ...links })._tag, 'Left')
  assert.is(pod().enableServiceLinks, false)
})

kubernetes('the secrets are where the settings name them', () => {
  const { volumes, containers } = pod()
  const [mount] = containers[0]?.volumeMounts ?? []
  const files = Object.entries(podEnvironment()).filter(([name]) => name.endsWith('_FILE'))
  assert.is(files.length, 3)
  for (const [, path] of files) assert.ok(path.startsWith(`${mount?.mountPath ?? ''}/`), path)
  assert.ok(volumes.some(({ name, secret }) => name === mount?.name && secret !== undefined))
})

kubernetes('a service with the ports of the pod answers its probes, and not on the public port', async () => {
  const [container] = pod().containers
  assert.ok(container)
  const environment = podEnvironment()
  const declared = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))
  assert.equal(declared, { public: 8080, management: Number(environment['CLIENTELE_MANAGEMENT_PORT']) })
  const port = await freePort()
  const service = await startService({
    CLIENTELE_HOST: '127.0.0.1',
    CLIENTELE_MANAGEMENT_HOST: '127.0.0.1',
    CLIENTELE_MANAGEMENT_PORT: String(port),
  })
  try {
    for (const { httpGet } of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      assert.is(httpGet.port, 'management')
      assert.is((await fetch(`http://127.0.0.1:${port}${httpGet.path}`)).status, 200, httpGet.path)
      assert.is((await fetch(service.base + httpGet.path)).status, 404, httpGet.path)
    }
  } finally {
    await service.stop()
    discard(service.dataDir)
  }
})

kubernetes.run()
