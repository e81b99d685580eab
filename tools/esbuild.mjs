// The bundler, for the packages that are bundled before anything but the service is installed.
export { build } from 'esbuild'
