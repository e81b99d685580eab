// CLIENTELE_TEST_POSTGRESQL is the URL of a server on which the role may create databases, or the path of the folder of
// the binaries to use.
const given = process.env['CLIENTELE_TEST_POSTGRESQL'] ?? ''
const isUrl = /^postgres(ql)?:\/\//.test(given)

if (given !== '' && !isUrl && !given.startsWith('/'))
  throw new Error('CLIENTELE_TEST_POSTGRESQL must be a URL (postgresql://…) or the path of a folder')

export const givenUrl = isUrl ? given : undefined
export const givenFolder = isUrl || given === '' ? undefined : given
