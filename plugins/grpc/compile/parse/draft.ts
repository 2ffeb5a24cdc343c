/**
 * A file that is being parsed: the cursor, the descriptor so far, and notes for the linker.
 *
 * @module
 */
import { create, type Message } from "@bufbuild/protobuf";
import {
  type DescriptorProto_ExtensionRange as ExtensionRange,
  Edition,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type SourceCodeInfo_Location,
  SourceCodeInfo_LocationSchema,
  SourceCodeInfoSchema,
} from "@bufbuild/protobuf/wkt";
import { failAt, type Source } from "../failure.ts";
import { readComments } from "../syntax/comments.ts";
import { Cursor } from "../syntax/cursor.ts";
import type { OptionOwner, OptionStatement, ParsedFile } from "../syntax/tree.ts";

/** Most levels of declarations and of values inside of each other. */
export const MAX_DEPTH = 100;

interface LocatedComments {
  readonly leading: string | undefined;
  readonly trailing: string | undefined;
  readonly detached: string[];
}

/** The notes of one parse. */
export class Draft {
  readonly source: Source;
  readonly cursor: Cursor;
  readonly proto: FileDescriptorProto;
  /** The edition of the file; proto2 until it says otherwise. */
  edition = Edition.EDITION_PROTO2;
  readonly imports = new Map<string, number>();
  /** Where the declaration that is being parsed lies in the descriptor. */
  readonly path: number[] = [];
  readonly #offsets = new Map<Message, number>();
  readonly #options = new Map<OptionOwner, OptionStatement[]>();
  readonly #locations: SourceCodeInfo_Location[] = [];
  /** Ranges of one statement have the options of its first one. */
  readonly twins = new Map<ExtensionRange, ExtensionRange>();
  /** What a person should know though it compiles. */
  readonly warnings: string[] = [];
  readonly #lineStarts: number[] = [0];
  /** Comments that wait for the next declaration. */
  #leading: string | undefined;
  #detached: string[];

  constructor(source: Source) {
    this.source = source;
    this.cursor = new Cursor(source);
    this.proto = create(FileDescriptorProtoSchema, { name: source.path });
    const { leading, detached } = readComments(source, 0);
    this.#leading = leading;
    this.#detached = [...detached];
    const { text } = source;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  /** Parses something that lies one step further in the descriptor. */
  within(field: number, index: number | undefined, parse: () => void): void {
    const { length } = this.path;
    this.path.push(field);
    if (index !== undefined) this.path.push(index);
    if (this.path.length > 2 * MAX_DEPTH) this.fail(`more than ${MAX_DEPTH} levels of nesting`);
    parse();
    this.path.length = length;
  }

  /** Notes where a declaration has its name. */
  place(declaration: Message, offset: number): void {
    this.#offsets.set(declaration, offset);
  }

  /** Where a declaration has its name. */
  offsetOf(declaration: Message): number {
    return this.#offsets.get(declaration) ?? 0;
  }

  /** Notes an option of a declaration; without a statement, that it has options at all. */
  addOption(owner: OptionOwner, statement?: OptionStatement): void {
    const statements = this.#options.get(owner) ?? [];
    this.#options.set(owner, statements);
    if (statement !== undefined) statements.push(statement);
  }

  /** The option statements about a declaration so far. */
  statementsOf(owner: OptionOwner): readonly OptionStatement[] {
    return this.#options.get(owner) ?? [];
  }

  /**
   * Goes past the `;`, `{` or `}` that ends a declaration or its head, and gives the comments
   * around it to the declaration that started at an offset.
   *
   * @returns the location of those comments, if there are any.
   */
  end(symbol: ";" | "{" | "}", start?: number): SourceCodeInfo_Location | undefined {
    const { cursor } = this;
    if (!cursor.isAt(symbol)) cursor.fail(`"${symbol}"`);
    const comments = readComments(this.source, cursor.token.end);
    cursor.next();
    const leading = this.#leading;
    const detached = this.#detached;
    this.#leading = comments.leading;
    if (start === undefined && symbol !== "}") {
      // There may be more than a call has arguments.
      for (const comment of comments.detached) detached.push(comment);
      return undefined;
    }
    this.#detached = [...comments.detached];
    const { trailing } = comments;
    return start === undefined ? undefined : this.#locate(start, { leading, detached, trailing });
  }

  #locate(start: number, comments: LocatedComments): SourceCodeInfo_Location | undefined {
    const { leading, trailing, detached } = comments;
    if (leading === undefined && trailing === undefined && detached.length === 0) return undefined;
    const location = create(SourceCodeInfo_LocationSchema);
    location.path = [...this.path];
    const [line, column] = this.#placeOf(start);
    const [endLine, endColumn] = this.#placeOf(this.cursor.lastEnd);
    location.span = line === endLine
      ? [line, column, endColumn]
      : [line, column, endLine, endColumn];
    if (leading !== undefined) location.leadingComments = leading;
    if (trailing !== undefined) location.trailingComments = trailing;
    location.leadingDetachedComments = detached;
    this.#locations.push(location);
    return location;
  }

  /** Line and column from 0, as descriptors count them. */
  #placeOf(offset: number): [line: number, column: number] {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return [low, offset - (this.#lineStarts[low] ?? 0)];
  }

  /** The result. */
  finish(): ParsedFile {
    const { source, proto, imports, twins, warnings } = this;
    if (this.#locations.length > 0) {
      proto.sourceCodeInfo = create(SourceCodeInfoSchema, { location: this.#locations });
    }
    const notes = { offsets: this.#offsets, options: this.#options, twins, imports, warnings };
    return { source, proto, ...notes };
  }

  /**
   * Ends the parse, at the present token unless an offset is given.
   *
   * @throws {BowireError} `bad_document`, always.
   */
  fail(problem: string, offset: number = this.cursor.token.start): never {
    return failAt(this.source, offset, problem);
  }
}
