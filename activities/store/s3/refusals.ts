// What a failed request to a bucket means: somebody's to change, or the world's to get over.
import { ConfigProblem, WorldProblem } from '../../../domain/problems.ts';
import { statusOf } from './again.ts';

/** `uri`: of the object or folder that was asked for. `opened`: whether these credentials were good before. */
export type Asked = { uri: string; bucket: string; opened: boolean };

const rights = 's3:GetObject, s3:PutObject and s3:AbortMultipartUpload on its objects, s3:ListBucket on the bucket';
const renew = 'Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, to credentials that are good for it.';

/** Codes that no amount of waiting changes: what is wrong, and what to do. */
const known: { codes: RegExp; what(at: Asked): string; advice: string }[] = [
  {
    codes: /^NoSuchBucket$/,
    what: ({ bucket }) => `there is no bucket ${bucket}`,
    advice: 'Create it, or correct UTURN_STORE. Is AWS_ENDPOINT_URL_S3 that of the right server?',
  },
  {
    codes: /^CredentialsProviderError$/,
    what: () => 'no credentials are found',
    advice: renew,
  },
  {
    codes:
      /^(InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken|TokenRefreshRequired|InvalidClientTokenId|UnrecognizedClientException)$/,
    what: () => 'the credentials are not taken',
    advice: renew,
  },
  {
    codes:
      /^(PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException|301|307)$/,
    what: ({ bucket }) => `the bucket ${bucket} lies in another region, or on another server`,
    advice: 'Set AWS_REGION to the region of the bucket.',
  },
  {
    codes: /^(RequestTimeTooSkewed|RequestExpired)$/,
    what: () => 'the clock of this machine is wrong',
    advice: 'Set it: requests to a bucket carry the time.',
  },
  {
    codes: /^(NotImplemented|501|405|MethodNotAllowed)$/,
    what: () => 'this server does not know a request that the store needs',
    advice:
      'The server must take PutObject with "If-None-Match: *" and ListObjectsV2. See docs/store.md for servers that do.',
  },
  {
    codes: /^InvalidObjectState$/,
    what: () => 'this object is archived',
    advice: 'Restore it to a storage class that can be read at once, and take the prefix out of the archiving rule.',
  },
  {
    codes: /^(AccessDenied|AllAccessDisabled|AccountProblem|403|401)$/,
    what: () => 'access is denied',
    advice: `Give these credentials the rights ${rights}.`,
  },
  { codes: /^(InvalidBucketName|400)$/, what: () => 'the server refuses the request', advice: 'Correct UTURN_STORE.' },
];

/** Full, or at a limit that somebody may raise: what waits goes on when there is room. Some servers call it 403. */
const full = /quota|insufficientstorage|storagefull|^507$/i;

/** The problem behind a failed request. */
export function bucketProblem(error: unknown, at: Asked): ConfigProblem | WorldProblem {
  if (error instanceof ConfigProblem || error instanceof WorldProblem) return error;
  const code = codeOf(error);
  const said = saidBy(error, code);
  if (full.test(code))
    return new WorldProblem('store', `${at.uri}: the store is full (${code}${said})`, { cause: error });
  const found = known.find(({ codes }) => codes.test(code));
  // A role's credentials come over the network, and were there a moment ago.
  const passing = code === 'CredentialsProviderError' && at.opened;
  if (found === undefined || passing) return new WorldProblem('store', `${at.uri}: ${code}${said}`, { cause: error });
  return new ConfigProblem(`the store cannot be used: ${found.what(at)} (${code}${said})`, {
    place: { file: at.uri },
    advice: found.advice,
    cause: error,
  });
}

/** What the server said, if it said it in a way that can be read. */
function saidBy(error: unknown, code: string): string {
  if (
    !(error instanceof Error) ||
    error.message === code ||
    /^(UnknownError)?$|Deserialization error/.test(error.message)
  )
    return '';
  return `: ${error.message}`;
}

/** The server's word for it, the status where it had none, else the system's. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const status = statusOf(error);
  if (status !== null && /^(UnknownError|Unknown|NotFound|Forbidden|Error|S3ServiceException|\d+)$/.test(error.name))
    return String(status);
  if ('code' in error && typeof error.code === 'string' && status === null) return error.code;
  return error.name;
}
