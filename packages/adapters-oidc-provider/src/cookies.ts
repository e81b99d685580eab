/**
 * RFC 6265bis §4.1.3: the prefixes stop other hosts and plain http from setting them; without https there are none. The
 * cookies of an interaction are sent to its pages only.
 */
export const cookieNames = (
  baseUrl: string,
): { readonly session: string; readonly interaction: string; readonly resume: string } =>
  baseUrl.startsWith('https:')
    ? {
        session: '__Host-clientele-provider',
        interaction: '__Secure-clientele-interaction',
        resume: '__Secure-clientele-resume',
      }
    : { session: 'clientele-provider', interaction: 'clientele-interaction', resume: 'clientele-resume' }
