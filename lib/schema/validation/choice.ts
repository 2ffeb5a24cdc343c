/**
 * Of several forms that a value may take and takes none of: the one that was meant.
 *
 * @module
 */
import type { JsonType } from "../json_schema.ts";
import { type Finding, wrongType, wrongValue } from "./findings.ts";

/** How far a value is from a form. */
interface Distance {
  readonly findings: readonly Finding[];
  /** It is of another type, or another value where few are allowed. */
  readonly isOther: boolean;
  /** Members that tell forms from each other and have another value. */
  readonly otherMarks: number;
  readonly depth: number;
}

/** What is wrong with the value as the form that fits best, or what is wrong with it for all. */
export function explainChoice(
  forms: readonly (readonly Finding[])[],
  given: JsonType,
): readonly Finding[] {
  const distances = forms.map(measure);
  if (distances.every(({ isOther }) => isOther)) {
    const joined = join(forms.map((findings) => findings.find(isOfValue)), given);
    if (joined !== undefined) return [joined];
  }
  return distances.reduce((best, next) => isNearer(next, best) ? next : best).findings;
}

/** True for what says that the value is another one altogether. */
function isOfValue({ path, keyword }: Finding): boolean {
  return path.length === 0 && (keyword === "type" || keyword === "enum");
}

function measure(findings: readonly Finding[]): Distance {
  return {
    findings,
    isOther: findings.some(isOfValue),
    otherMarks: findings.filter(({ path, keyword }) => path.length === 1 && keyword === "enum")
      .length,
    depth: Math.max(...findings.map(({ path }) => path.length)),
  };
}

function isNearer(a: Distance, b: Distance): boolean {
  if (a.isOther !== b.isOther) return b.isOther;
  if (a.otherMarks !== b.otherMarks) return a.otherMarks < b.otherMarks;
  if (a.findings.length !== b.findings.length) return a.findings.length < b.findings.length;
  return a.depth > b.depth;
}

/** One finding for all forms: all types, or all values, that would do. */
function join(findings: readonly (Finding | undefined)[], given: JsonType): Finding | undefined {
  const all = findings.filter((finding) => finding !== undefined);
  const allowed = all.flatMap((finding) => finding.allowed ?? []);
  if (all.every(({ keyword }) => keyword === "type")) return wrongType(allowed, given);
  // The type null has one value, which goes well with other values.
  const areValues = all.every(({ keyword, allowed }) =>
    keyword === "enum" || (allowed?.length === 1 && allowed[0] === "null")
  );
  return areValues ? wrongValue(allowed) : undefined;
}
