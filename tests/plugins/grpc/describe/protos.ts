/**
 * Texts of `.proto` files with everything that is easy to get wrong.
 *
 * @module
 */

/** A stand-in for the file of the same name of googleapis, with what is used of it. */
export const ANNOTATIONS = `
syntax = "proto3";
package google.api;
import "google/protobuf/descriptor.proto";
message HttpRule {
  oneof pattern { string get = 2; string put = 3; string post = 4; string delete = 5;
    string patch = 6; CustomHttpPattern custom = 8; }
  string body = 7;
  repeated HttpRule additional_bindings = 11;
}
message CustomHttpPattern { string kind = 1; string path = 2; }
extend google.protobuf.MethodOptions { HttpRule http = 72295728; }
`;

const MODERN = `
syntax = "proto3";
package torture.v1;
import "google/api/annotations.proto";
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "torture/old.proto";
import "torture/edition.proto";
import "torture/next.proto";

// Looks after orders.
service Orders {
  // Finds one.
  //
  // And no more.
  rpc Get(Order) returns (Order) { option (google.api.http) = { get: "/v1/orders/{name}" }; }
  rpc Change(Order) returns (google.protobuf.Empty) {
    option deprecated = true;
    option idempotency_level = IDEMPOTENT;
    option (google.api.http) = { custom: { kind: "LOCK" path: "/v1/\\"x" } body: "*" };
  }
  rpc Watch(Order) returns (stream Order.Line); // behind it
  rpc Send(stream old.Everything) returns (google.protobuf.StringValue);
  rpc Talk(stream edition.Modern) returns (stream option);
}

// An order.
message Order {
  string name = 1; // its name
  repeated Line lines = 2;
  map<string, Line> lines_by_name = 3;
  map<int32, Kind> kinds = 4;
  map<bool, google.protobuf.Struct> structs = 5;
  oneof choice {
    // The first.
    string a_b = 6;
    Line line = 7;
    Kind kind = 8;
  }
  optional int64 count = 9;
  uint64 big = 10;
  float ratio = 11;
  bytes data = 12 [json_name = "raw"];
  google.protobuf.Timestamp created = 13;
  google.protobuf.Duration age = 14;
  google.protobuf.Int64Value maybe = 15;
  google.protobuf.Any anything = 16;
  google.protobuf.Value value = 17;
  google.protobuf.ListValue list = 18;
  google.protobuf.FieldMask mask = 19;
  repeated google.protobuf.StringValue texts = 20;
  old.Everything old = 21;
  .torture.v1.option word = 22 [deprecated = true];
  Line.Order inner = 23;
  google.protobuf.NullValue null = 24;
  repeated int32 numbers = 25 [packed = false];
  oneof many { int32 m1 = 31; int32 m2 = 32; int32 m3 = 33; int32 m4 = 34; int32 m5 = 35; int32 m6 = 36; }
  next.Shown shown = 26;
  reserved 100, 110 to 119, 1000 to max;
  reserved "gone", "away";

  message Line {
    Order order = 1;
    .torture.v1.Order outer = 2;
    Line line = 3;
    message Order { Kind kind = 1; }
    enum Kind { LINE_KIND_UNSPECIFIED = 0; }
  }
}
enum Kind {
  option allow_alias = true;
  KIND_UNSPECIFIED = 0;
  // The one.
  KIND_ONE = 1;
  KIND_FIRST = 1 [deprecated = true];
  KIND_NEGATIVE = -5;
  reserved 7 to 9, 100 to max;
  reserved "KIND_GONE";
}
message option { string message = 1; Order order = 2; }
`;

const OLD = `
syntax = "proto2";
package torture.old;

message Everything {
  required int32 id = 1;
  optional string text = 2 [default = "a\\"b\\\\c\\n\\001ü"];
  optional bytes data = 3 [default = "\\000\\377\\"x"];
  optional double d = 4 [default = inf];
  optional float f = 5 [default = -1.5e10];
  optional double n = 6 [default = nan];
  optional Level level = 7 [default = HIGH];
  optional bool yes = 8 [default = true];
  optional uint64 big = 9 [default = 18446744073709551615];
  repeated group Row = 10 { required string cell = 1; optional Everything around = 2; }
  optional group Single = 11 [deprecated = true] { }
  repeated int32 packed = 12 [packed = true];
  map<int64, Level> levels = 13;
  oneof pick { string left = 14; group Right = 15 { optional int32 deep = 1; } }
  optional int64 as_text = 16 [jstype = JS_STRING];
  extensions 200 to 299, 1000 to max;
  reserved 50 to 60;
}
enum Level { LOW = 1; HIGH = 2; }
extend Everything { optional string extra = 200; }
`;

const EDITION = `
edition = "2023";
package torture.edition;
option features.field_presence = IMPLICIT;

message Modern {
  int32 plain = 1;
  int32 explicit = 2 [features.field_presence = EXPLICIT];
  int32 must = 3 [features.field_presence = LEGACY_REQUIRED];
  Modern delimited = 4 [features.message_encoding = DELIMITED];
  repeated int32 expanded = 5 [features.repeated_field_encoding = EXPANDED];
  Closed closed = 6 [features.field_presence = EXPLICIT];
  string raw = 7 [features.utf8_validation = NONE];
  reserved gone, away;
}
enum Closed { option features.enum_type = CLOSED; FIRST = 3; SECOND = 4; }
`;

const NEXT = `
edition = "2024";
package torture.next;

export message Shown {
  Hidden hidden = 1;
  export enum Level { LEVEL_UNSPECIFIED = 0; LEVEL_HIGH = 1; }
  Level level = 2;
}
local message Hidden { string name = 1; }
`;

/** Files of all kinds of syntax, one of them with a service of five methods. */
export const TORTURE: Readonly<Record<string, string>> = {
  "google/api/annotations.proto": ANNOTATIONS,
  "torture/modern.proto": MODERN,
  "torture/old.proto": OLD,
  "torture/edition.proto": EDITION,
  "torture/next.proto": NEXT,
};
