/** Where the companion's files are, and the id that its key gives it. */
import { fileURLToPath } from 'node:url';

export const COMPANION = fileURLToPath(new URL('../../companion/', import.meta.url));
export const COMPANION_ID = 'pakilhpndlmmigpdhmnfindfdjpdmedn';
