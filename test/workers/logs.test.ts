import { ApplicationFailure } from '@temporalio/common';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logger } from '../../workers/logs.ts';
import { hostileTexts } from '../lab/hostile.ts';

const key = 'a-key-of-this-machine-0123456789';
const env = { LAB_API_KEY: key, HOME: '/home/somebody' };

function written(format: 'text' | 'json', say: (log: ReturnType<typeof logger>) => void): string[] {
  const lines: string[] = [];
  say(logger({ level: 'info', format, env, write: (line) => lines.push(line) }));
  return lines;
}

test('a line for people has the time, what happened, and its fields', () => {
  const [line] = written('text', (log) => log.info('shard sealed', { run: 'lab-1', stage: 'user_turn', ms: 12 }));
  expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z shard sealed run=lab-1 stage=user_turn ms=12\n$/);
  const [warning] = written('text', (log) => log.warn('slow', { of: 'two words' }));
  expect(warning).toMatch(/Z WARN slow of="two words"\n$/);
});

test('a line for machines is one JSON object with the same', () => {
  const [line = ''] = written('json', (log) => log.info('shard sealed', { run: 'lab-1', block: 3, key: 'abc' }));
  expect(JSON.parse(line)).toEqual({
    time: expect.stringMatching(/^\d{4}-/),
    level: 'info',
    message: 'shard sealed',
    run: 'lab-1',
    block: 3,
    key: 'abc',
  });
});

test('what is below the level is not written', () => {
  expect(written('text', (log) => log.debug('a detail'))).toEqual([]);
});

test('what the SDK says of every worker is a detail, and what is wrong with one is not', () => {
  const of = { sdkComponent: 'worker', taskQueue: 'uturn-judge' };
  const lines = written('text', (log) => {
    log.info('Worker state changed', of);
    log.warn('No workflows registered, not polling for workflow tasks', of);
    log.warn('Worker cannot reach its server', of);
  });
  expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'WARN Worker cannot reach its server taskQueue=uturn-judge\n',
  ]);
});

test('of a failure of ours its word is said, and not its message', () => {
  const failure = ApplicationFailure.create({
    message: 'http://x answered 500: Each of 2 boxes holds 3 pens',
    type: 'WorldProblem',
    details: ['server_error'],
  });
  const [line = ''] = written('json', (log) => log.warn('Activity failed', { error: failure, attempt: 2 }));
  expect(JSON.parse(line)).toMatchObject({ message: 'Activity failed', error: 'server_error', attempt: 2 });
  expect(line).not.toContain('pens');
});

test('of any other its class and where it comes from are said, so that somebody finds it', () => {
  const [line = ''] = written('json', (log) =>
    log.error('Activity failed', { error: new TypeError('Each of 2 boxes') }),
  );
  expect(JSON.parse(line)).toMatchObject({ error: 'TypeError', at: expect.stringContaining('logs.test.ts') });
  expect(line).not.toContain('boxes');
});

test('objects, whatever they hold, are not written out', () => {
  const [line = ''] = written('json', (log) =>
    log.info('x', { input: { messages: ['Each of 2 boxes'] }, list: ['pens'] }),
  );
  expect(JSON.parse(line)).toMatchObject({ input: 'object', list: 'object' });
});

test('a key of this environment, and whatever looks like one, is left out wherever it stands', () => {
  const bearer = 'Bearer abcdefgh12345678';
  const lines = written('json', (log) =>
    log.info(`asked with ${key}`, { header: bearer, url: 'http://me:secret@host/' }),
  );
  expect(lines.join('')).not.toMatch(new RegExp(`${key}|abcdefgh|:secret@`));
});

const nasty = fc.oneof(
  fc.constantFrom(...Object.values(hostileTexts)),
  fc.string({ unit: 'binary', maxLength: 2_000 }),
);

test('whatever stands in a field or message, an event is one short line that no terminal obeys', () => {
  fc.assert(
    fc.property(nasty, nasty, fc.constantFrom<'text' | 'json'>('text', 'json'), (message, value, format) => {
      const lines = written(format, (log) => log.info(message, { value }));
      expect(lines).toHaveLength(1);
      const line = lines[0] ?? '';
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expect(/[\p{Cc}\u2028\u2029\u202e]/u.test(line.slice(0, -1))).toBe(false);
      expect(line.length).toBeLessThan(5_000);
      if (format === 'json') expect(typeof JSON.parse(line)).toBe('object');
    }),
  );
});
