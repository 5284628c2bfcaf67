/**
 * What the published schema of workflows says of a place: its keys, its values, and whether references are read there. The schema is the one that `shidi workflow schema` prints; nothing of it is written down again. Pure.
 */
import published from '../../../assets/workflows/schema.json';
import { textOf, valueOf, type Entry, type ListNode, type MapNode } from './outline';

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema | boolean>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  enum?: (string | number)[];
  const?: string;
  oneOf?: Schema[];
  required?: string[];
  not?: Schema;
  $defs?: Record<string, Schema>;
}

/** One step of the way to a place. */
export type Way = { map: MapNode; entry: Entry } | { list: ListNode; index: number };

/** What may stand in a place: one of these. */
export type Place = readonly Schema[];

/** A key that a map takes. */
export interface TakenKey {
  name: string;
  isNeeded: boolean;
  /** Whether its value is a list or a map alone, which begins on the next line. */
  isContainer: boolean;
}

const ROOT = published as unknown as Schema;
const DEFINITIONS = ROOT.$defs ?? {};

/** Plain texts in which values have their places: to the schema they are texts as any. */
const TEMPLATES: readonly string[] = ['message', 'prompt', 'system'];

export function placeOf(ways: readonly Way[]): Place {
  return ways.reduce<Place>((place, way) => {
    const within =
      'list' in way ? place.map(({ items }) => items) : fitting(place, way.map).map(valueIn(way.entry.key));
    // Within a value that may be anything, everything may be.
    return place.some(isAny) ? place : within.flatMap(shapesOf);
  }, shapesOf(ROOT));
}

/** The keys that a map takes and does not have yet, those that it can't be without first. */
export function keysOf(place: Place, map: MapNode | null, typed?: Entry): TakenKey[] {
  const shapes = fitting(place, map).filter(({ properties }) => properties !== undefined);
  const present = map?.entries.filter((entry) => entry !== typed && entry.hasColon).map(({ key }) => key) ?? [];
  const names = [...new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const having = (name: string) => shapes.filter(({ properties = {} }) => name in properties);
  return names
    .filter((name) => having(name).length * 2 > shapes.length)
    .filter((name) => !present.some((other) => other === name || areExclusive(having(name)[0], name, other)))
    .map((name) => ({
      name,
      isNeeded: shapes.every(({ required = [] }) => required.includes(name)),
      isContainer: having(name).flatMap(valueIn(name)).flatMap(shapesOf).every(isContainer),
    }))
    .toSorted((one, other) => Number(other.isNeeded) - Number(one.isNeeded));
}

/** The values that a place names one by one. */
export function valuesOf(place: Place): string[] {
  const named = place.flatMap((shape) => shape.enum ?? shape.const ?? []);
  const flags = place.some(({ type }) => [type].flat().includes('boolean')) ? ['true', 'false'] : [];
  return [...new Set([...named.filter((value) => typeof value === 'string'), ...flags])];
}

/** Whether `{name}` stands for a value there. */
export function takesReferences(place: Place, key: string): boolean {
  const isText = place.some(({ type }) => type === 'string') && TEMPLATES.includes(key);
  return isText || place.some((shape) => isAny(shape) || shape === DEFINITIONS['condition']);
}

/** The schemas that a schema stands for: those that it leads to, or is one of. */
function shapesOf(schema: Schema | boolean | undefined): Schema[] {
  if (typeof schema !== 'object') return [];
  if (schema.$ref !== undefined) return shapesOf(DEFINITIONS[schema.$ref.replace('#/$defs/', '')]);
  const ways = schema.oneOf?.filter(({ $ref, type, enum: values }) => ($ref ?? type ?? values) !== undefined) ?? [];
  return ways.length > 0 ? ways.flatMap(shapesOf) : [schema];
}

/** The shapes that a map may have by its type: all of them until it has one. */
function fitting(place: Place, map: MapNode | null): Place {
  const type = textOf(valueOf(map, 'type'));
  const ofType = place.filter(({ properties }) => {
    const known = properties?.['type'];
    return typeof known === 'object' && known.const === type;
  });
  return ofType.length > 0 ? ofType : place;
}

function valueIn(key: string): (shape: Schema) => Schema | boolean | undefined {
  return ({ properties, additionalProperties }) => {
    const own = Object.entries(properties ?? {}).find(([name]) => name === key);
    return own?.[1] ?? additionalProperties;
  };
}

/** Whether a map has one of the two alone: the schema says so, or both are words for the same. */
function areExclusive(shape: Schema | undefined, one: string, other: string): boolean {
  const pair = shape?.not?.required ?? [];
  if (pair.includes(one) && pair.includes(other)) return true;
  return `${one}s` === other || `${other}s` === one;
}

function isContainer({ type }: Schema): boolean {
  return type === 'array' || type === 'object';
}

/** Whether a schema says nothing of a value: it may be anything, with references in it. */
function isAny(schema: Schema): boolean {
  return Object.keys(schema).every((key) => key === 'description');
}
