// Single-page applications as the first pages of these libraries show them: one file each, bundled for a browser.
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

// https://github.com/authts/react-oidc-context#getting-started
const react = `
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const App = () => {
  const auth = useAuth()
  window.accessToken = () => Promise.resolve(auth.user?.access_token)
  if (auth.activeNavigator !== undefined || auth.isLoading) return <div>Loading...</div>
  if (auth.error) return <div id="error">Oops... {auth.error.kind} caused {auth.error.message}</div>
  if (!auth.isAuthenticated) return <button id="log-in" onClick={() => void auth.signinRedirect()}>Log in</button>
  const leave = () => void auth.signoutRedirect({ post_logout_redirect_uri: location.origin + '/' })
  return <div>Hello <span id="sub">{auth.user?.profile.sub}</span> <button id="log-out" onClick={leave}>Log out</button></div>
}

const oidcConfig = {
  ...window.given,
  redirect_uri: location.origin + '/',
  onSigninCallback: () => window.history.replaceState({}, document.title, window.location.pathname),
}
createRoot(document.querySelector('main')).render(<AuthProvider {...oidcConfig}><App /></AuthProvider>)
`

// https://angular-auth-oidc-client.com, with the configuration that its schematic writes; compiled in the browser.
const angular = `
import '@angular/compiler'
import { provideHttpClient } from '@angular/common/http'
import { Component, inject, signal } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { OidcSecurityService, provideAuth } from 'angular-auth-oidc-client'
import { firstValueFrom } from 'rxjs'

@Component({
  selector: 'main',
  template: \`@if (user(); as data) {
    <div>Hello <span id="sub">{{ data.sub }}</span> <button id="log-out" (click)="leave()">Log out</button></div>
  } @else if (ready()) {
    <button id="log-in" (click)="oidc.authorize()">Log in</button>
  }\`,
})
class App {
  oidc = inject(OidcSecurityService)
  user = signal(undefined)
  ready = signal(false)
  constructor() {
    window.accessToken = () => firstValueFrom(this.oidc.getAccessToken())
    this.oidc.checkAuth().subscribe(({ isAuthenticated, userData }) => {
      this.user.set(isAuthenticated ? userData : undefined)
      this.ready.set(true)
    })
  }
  leave() {
    this.oidc.logoff().subscribe()
  }
}

const { authority, client_id: clientId } = window.given
const config = {
  authority,
  clientId,
  redirectUrl: location.origin + '/',
  postLogoutRedirectUri: location.origin + '/',
  scope: 'openid profile offline_access',
  responseType: 'code',
  silentRenew: true,
  useRefreshToken: true,
  renewTimeBeforeTokenExpiresInSeconds: 30,
}
void bootstrapApplication(App, { providers: [provideHttpClient(), provideAuth({ config })] })
`

const here = fileURLToPath(new URL('.', import.meta.url))

const bundled = async (contents: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: here, loader: 'tsx' },
    bundle: true,
    write: false,
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
  })
  return outputFiles[0]?.text ?? ''
}

export type Framework = 'react-oidc-context' | 'angular-auth-oidc-client'

const sources: Readonly<Record<Framework, string>> = {
  'react-oidc-context': react,
  'angular-auth-oidc-client': angular,
}

/** The script of the application, which reads `window.given`. */
export const scriptOf = (framework: Framework): Promise<string> => bundled(sources[framework])
