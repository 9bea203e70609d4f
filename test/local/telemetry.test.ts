import { expect, test } from 'vitest';
import { ConfigProblem } from '../../domain/problems.ts';
import { logSettings, metricsAddress, tracesEndpoint } from '../../local/telemetry.ts';

test('nothing is said, so lines for people and nothing else', () => {
  expect([logSettings({}), metricsAddress({}), tracesEndpoint({})]).toEqual([
    { level: 'info', format: 'text' },
    null,
    null,
  ]);
});

test('an empty variable is one that is not set', () => {
  const env = { UTURN_LOG: '', UTURN_LOG_FORMAT: '', UTURN_METRICS: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' };
  expect([logSettings(env), metricsAddress(env), tracesEndpoint(env)]).toEqual([
    { level: 'info', format: 'text' },
    null,
    null,
  ]);
});

test.each([
  ['9464', '127.0.0.1:9464'],
  [':9464', '127.0.0.1:9464'],
  ['0.0.0.0:9464', '0.0.0.0:9464'],
  ['worker-1.lab:80', 'worker-1.lab:80'],
  ['[::1]:9464', '[::1]:9464'],
])('metrics at %s are shown at %s', (given, address) => {
  expect(metricsAddress({ UTURN_METRICS: given })).toBe(address);
});

test.each(['yes', '0', '70000', 'http://127.0.0.1:9464', '127.0.0.1', '1.2.3.4:9464/metrics'])(
  'metrics at %s are refused with what to give',
  (given) => {
    expect(() => metricsAddress({ UTURN_METRICS: given })).toThrow(ConfigProblem);
  },
);

test('levels and formats are told where they are others', () => {
  expect(logSettings({ UTURN_LOG: 'WARN', UTURN_LOG_FORMAT: 'json' })).toEqual({ level: 'warn', format: 'json' });
  expect(() => logSettings({ UTURN_LOG: 'loud' })).toThrow('UTURN_LOG is "loud"');
  expect(() => logSettings({ UTURN_LOG_FORMAT: 'xml' })).toThrow('UTURN_LOG_FORMAT is "xml"');
});

test('the endpoint of traces alone goes before the common one', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://a:4318',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://b:4318/v1/traces',
  };
  expect(tracesEndpoint(env)).toBe('http://b:4318/v1/traces');
});
