// A bucket that fails once more, on a server by other people: where it was built before, or `UTURN_TEST_S3=versitygw` asks for it.
import { versitygwAtHand } from '../bucket/environment.ts';

process.env['UTURN_TEST_S3'] ||= (await versitygwAtHand()) === null ? 'moto' : 'versitygw';
await import('../activities/store/bucket-faults.test.ts');
