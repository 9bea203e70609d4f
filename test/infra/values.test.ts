// Values for Temporal's chart, beside the Compose file that brings up the same.

import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { compose, read } from './files.ts';

const image = z.object({ repository: z.string(), tag: z.string() });
const withImage = z.object({ image });
const values = z
  .object({
    server: withImage.extend({
      config: z.object({
        namespaces: z.object({ namespace: z.array(z.object({ name: z.string(), retention: z.string() })) }),
      }),
    }),
    admintools: withImage,
    web: withImage,
  })
  .parse(parse(read('infra/temporal/values.yaml'), { merge: true }));

const { services } = compose();

test('the cluster runs the versions that the Compose file runs', () => {
  const named = ({ image: { repository, tag } }: z.output<typeof withImage>) => `${repository}:${tag}`;
  expect([values.server, values.admintools, values.web].map(named)).toEqual(
    ['temporal', 'temporal-schema', 'temporal-ui'].map((name) => services[name]?.image),
  );
});

test('the namespace is the same, with the same retention', () => {
  const { TEMPORAL_NAMESPACE: name, RETENTION: retention } = services['temporal-namespace']?.environment ?? {};
  expect(values.server.config.namespaces.namespace).toEqual([{ name, retention }]);
  expect(services['control']?.environment['TEMPORAL_NAMESPACE']).toBe(name);
});

test('no password is written down', () => {
  expect(read('infra/temporal/values.yaml').match(/^\s*password:.*$/gm)).toBe(null);
});
