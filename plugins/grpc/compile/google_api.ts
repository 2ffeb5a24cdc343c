/**
 * The two files of `google/api` that tell which HTTP request a method stands for. Many files import
 * them and few bring them along.
 *
 * @module
 */

const HTTP = `
syntax = "proto3";
package google.api;

message Http {
  repeated HttpRule rules = 1;
  bool fully_decode_reserved_expansion = 2;
}

message HttpRule {
  string selector = 1;
  oneof pattern {
    string get = 2;
    string put = 3;
    string post = 4;
    string delete = 5;
    string patch = 6;
    CustomHttpPattern custom = 8;
  }
  string body = 7;
  string response_body = 12;
  repeated HttpRule additional_bindings = 11;
}

message CustomHttpPattern {
  string kind = 1;
  string path = 2;
}
`;

const ANNOTATIONS = `
syntax = "proto3";
package google.api;

import "google/api/http.proto";
import "google/protobuf/descriptor.proto";

extend google.protobuf.MethodOptions {
  HttpRule http = 72295728;
}
`;

/** Their texts by their paths. */
export const GOOGLE_API: ReadonlyMap<string, string> = new Map([
  ["google/api/annotations.proto", ANNOTATIONS],
  ["google/api/http.proto", HTTP],
]);
