// The spans of the service, by the SDK of OpenTelemetry, on the standard output. Put the exporter of your collector in the
// place of ConsoleSpanExporter. docs/operate/observe.md has the command.
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, ConsoleSpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'

trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ConsoleSpanExporter())] }),
)
