/**
 * The types of `google.rpc` that errors are told in (google/rpc/status.proto and
 * error_details.proto), which servers send without describing them.
 *
 * @module
 */
import { createFileRegistry, type DescMessage, type FileRegistry } from "@bufbuild/protobuf";
import { file_google_protobuf_any, file_google_protobuf_duration } from "@bufbuild/protobuf/wkt";
import { fileOf, type MessageTable } from "../own_types.ts";

const ANY = "google.protobuf.Any";
const DURATION = "google.protobuf.Duration";

const MESSAGES: MessageTable = {
  Status: { code: [1, "int32"], message: [2, "string"], details: [3, ANY, "repeated"] },
  ErrorInfo: {
    reason: [1, "string"],
    domain: [2, "string"],
    metadata: [3, "google.rpc.ErrorInfo.MetadataEntry", "repeated"],
  },
  "ErrorInfo.MetadataEntry": { key: [1, "string"], value: [2, "string"] },
  RetryInfo: { retry_delay: [1, DURATION] },
  DebugInfo: { stack_entries: [1, "string", "repeated"], detail: [2, "string"] },
  QuotaFailure: { violations: [1, "google.rpc.QuotaFailure.Violation", "repeated"] },
  "QuotaFailure.Violation": {
    subject: [1, "string"],
    description: [2, "string"],
    api_service: [3, "string"],
    quota_metric: [4, "string"],
    quota_id: [5, "string"],
    quota_dimensions: [6, "google.rpc.QuotaFailure.Violation.QuotaDimensionsEntry", "repeated"],
    quota_value: [7, "int64"],
    future_quota_value: [8, "int64"],
  },
  "QuotaFailure.Violation.QuotaDimensionsEntry": { key: [1, "string"], value: [2, "string"] },
  PreconditionFailure: { violations: [1, "google.rpc.PreconditionFailure.Violation", "repeated"] },
  "PreconditionFailure.Violation": {
    type: [1, "string"],
    subject: [2, "string"],
    description: [3, "string"],
  },
  BadRequest: { field_violations: [1, "google.rpc.BadRequest.FieldViolation", "repeated"] },
  "BadRequest.FieldViolation": {
    field: [1, "string"],
    description: [2, "string"],
    reason: [3, "string"],
    localized_message: [4, "google.rpc.LocalizedMessage"],
  },
  RequestInfo: { request_id: [1, "string"], serving_data: [2, "string"] },
  ResourceInfo: {
    resource_type: [1, "string"],
    resource_name: [2, "string"],
    owner: [3, "string"],
    description: [4, "string"],
  },
  Help: { links: [1, "google.rpc.Help.Link", "repeated"] },
  "Help.Link": { description: [1, "string"], url: [2, "string"] },
  LocalizedMessage: { locale: [1, "string"], message: [2, "string"] },
};

const FILE = fileOf(
  {
    name: "google/rpc/bowire_errors.proto",
    package: "google.rpc",
    imports: [file_google_protobuf_any.proto.name, file_google_protobuf_duration.proto.name],
  },
  MESSAGES,
);

/** All of them. */
export const statusTypes: FileRegistry = createFileRegistry(
  FILE,
  (path) =>
    [file_google_protobuf_any, file_google_protobuf_duration]
      .find(({ proto }) => proto.name === path)?.proto,
);

/** `google.rpc.Status`. */
export const statusType: DescMessage = mustHave("google.rpc.Status");

function mustHave(name: string): DescMessage {
  const type = statusTypes.getMessage(name);
  if (type === undefined) throw new Error(`${name} is not in the table`);
  return type;
}
