// RFC 9110 §11.2: parameters are separated by commas; §5.6.4: quotes and backslashes are escaped
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** RFC 6750 §3: the challenge, bare where no credential was presented. */
export const challenge = (error?: string, description = ''): Readonly<Record<string, string>> => ({
  'WWW-Authenticate':
    error === undefined ? 'Bearer' : `Bearer error=${quoted(error)}, error_description=${quoted(description)}`,
})
