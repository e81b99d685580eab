// Starts a server, names its folder, and ends without closing it.
import { startServer } from './server.js'

const { folder } = await startServer()
process.stdout.write(folder)
if (process.argv[2] === 'killed') process.kill(process.pid, 'SIGKILL')
