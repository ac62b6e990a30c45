namespace Mux.Description.Tests.Comparing;

/// <summary>An edit or more for each rule of buf that is about contracts, then those of <see cref="RuleCases"/>, and each simple type to each other one.</summary>
internal static class BufEdits
{
    private const string Values = "enum E { E_A = 0; E_B = 1; } ";

    public static IReadOnlyList<BufEdit> All { get; } =
    [
        .. Own, .. RuleCases.All.SelectMany(static change => new[]
        {
            new BufEdit("", change.ToString(), change.Before, change.After), new BufEdit("", $"{change}, similar", change.Before, change.Fine),
        }),
        .. Types("int32", "int64", "uint32", "uint64", "sint32", "sint64", "bool", "E", "fixed32", "sfixed32", "float", "fixed64", "sfixed64", "double", "string", "bytes"),
    ];

    private static IEnumerable<BufEdit> Own =>
    [
        // Fields.
        new("FIELD_NO_DELETE FIELD_NO_DELETE_UNLESS_NAME_RESERVED FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED", "field gone", A("int32 a = 1; int32 b = 2;"), A("int32 a = 1;")),
        new("FIELD_NO_DELETE", "field gone, number and name reserved", A("int32 a = 1; int32 b = 2;"), A("int32 a = 1; reserved 2; reserved \"b\";")),
        new("FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED", "field gone, name reserved", A("int32 a = 1; int32 b = 2;"), A("int32 a = 1; reserved \"b\";")),
        new("FIELD_NO_DELETE_UNLESS_NAME_RESERVED", "field gone, number reserved", A("int32 a = 1; int32 b = 2;"), A("int32 a = 1; reserved 2;")),
        new("FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED", "field with another number", A("int32 a = 1;"), A("int32 a = 2;")),
        new("FIELD_NO_DELETE_UNLESS_NAME_RESERVED", "field with another number, the first reserved", A("int32 a = 1;"), A("int32 a = 2; reserved 1;")),
        new("FIELD_NO_DELETE_UNLESS_NAME_RESERVED", "field with another number and type, the first reserved", A("int32 a = 1;"), A("string a = 2; reserved 1;")),
        new("FIELD_SAME_NAME FIELD_SAME_JSON_NAME", "renamed field", A("int32 last_name = 1;"), A("int32 sur_name = 1;")),
        new("FIELD_SAME_NAME", "renamed field with the same name in JSON", A("int32 last_name = 1;"), A("int32 sur_name = 1 [json_name = \"lastName\"];")),
        new("FIELD_SAME_NAME", "field whose name was the one in JSON", A("int32 lastName = 1;"), A("int32 last_name = 1;")),
        new("FIELD_SAME_JSON_NAME", "another name in JSON", A("int32 a = 1;"), A("int32 a = 1 [json_name = \"other\"];")),
        new("FIELD_SAME_TYPE FIELD_WIRE_JSON_COMPATIBLE_TYPE", "wider type", A("int32 a = 1;"), A("int64 a = 1;")),
        new("FIELD_SAME_TYPE FIELD_WIRE_COMPATIBLE_TYPE FIELD_WIRE_JSON_COMPATIBLE_TYPE", "type with another wire type", A("int32 a = 1;"), A("string a = 1;")),
        new("FIELD_SAME_TYPE FIELD_WIRE_COMPATIBLE_TYPE FIELD_WIRE_JSON_COMPATIBLE_TYPE", "type with other values", A("int32 a = 1;"), A("sint32 a = 1;")),
        new("FIELD_SAME_TYPE FIELD_WIRE_COMPATIBLE_TYPE FIELD_WIRE_JSON_COMPATIBLE_TYPE", "other message with the same fields", A("B a = 1;") + "message B { int32 b = 1; } message C { int32 b = 1; }", A("C a = 1;") + "message B { int32 b = 1; } message C { int32 b = 1; }"),
        new("FIELD_SAME_TYPE FIELD_WIRE_COMPATIBLE_TYPE FIELD_WIRE_JSON_COMPATIBLE_TYPE", "other message with other fields", A("B a = 1;") + "message B { int32 b = 1; } message C { string b = 1; }", A("C a = 1;") + "message B { int32 b = 1; } message C { string b = 1; }"),
        new("FIELD_SAME_TYPE FIELD_WIRE_COMPATIBLE_TYPE FIELD_WIRE_JSON_COMPATIBLE_TYPE", "message to group", Two("optional B b = 1;") + "message B { optional int32 c = 1; }", Two("optional group B = 1 { optional int32 c = 1; }")),
        new("FIELD_WIRE_COMPATIBLE_TYPE FIELD_WIRE_JSON_COMPATIBLE_TYPE", "type of the keys of a map", A("map<string, int32> a = 1;"), A("map<int32, int32> a = 1;")),
        new("FIELD_WIRE_COMPATIBLE_TYPE FIELD_WIRE_JSON_COMPATIBLE_TYPE", "enum with other constants", A("E a = 1;") + Values + "enum F { F_A = 0; }", A("F a = 1;") + Values + "enum F { F_A = 0; }"),
        new("FIELD_SAME_CARDINALITY FIELD_WIRE_COMPATIBLE_CARDINALITY FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "single number to list", A("int32 a = 1;"), A("repeated int32 a = 1;")),
        new("FIELD_SAME_CARDINALITY FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "single text to list", A("string a = 1;"), A("repeated string a = 1;")),
        new("FIELD_SAME_CARDINALITY FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "list of messages to map", A("repeated B a = 1;") + "message B { string key = 1; int32 value = 2; }", A("map<string, int32> a = 1;")),
        new("FIELD_SAME_CARDINALITY", "presence", A("int32 a = 1;"), A("optional int32 a = 1;")),
        new("", "list that is not packed", A("repeated int32 a = 1;"), A("repeated int32 a = 1 [packed = false];")),
        new("FIELD_SAME_DEFAULT", "another default", Two("optional int32 a = 1 [default = 5];"), Two("optional int32 a = 1 [default = 6];")),
        new("FIELD_SAME_DEFAULT", "no default", Two("optional string a = 1 [default = \"x\"];"), Two("optional string a = 1;")),
        new("FIELD_SAME_DEFAULT", "another first constant of an enum", Two("optional E a = 1;") + "enum E { E_A = 1; E_B = 2; }", Two("optional E a = 1;") + "enum E { E_B = 2; E_A = 1; }"),
        new("FIELD_SAME_ONEOF", "fields of a message into a oneof", A("optional int32 a = 1; optional int32 b = 2;"), A("oneof c { int32 a = 1; int32 b = 2; }")),
        new("FIELD_SAME_ONEOF", "field into a oneof with a new one", A("optional int32 a = 1; optional int32 b = 2;"), A("optional int32 b = 2; oneof c { int32 a = 1; string d = 3; }")),
        new("FIELD_SAME_ONEOF", "field into a oneof of its own", A("optional int32 a = 1;"), A("oneof c { int32 a = 1; }")),
        new("FIELD_SAME_ONEOF ONEOF_NO_DELETE", "renamed oneof", A("oneof c { int32 a = 1; string b = 2; }"), A("oneof d { int32 a = 1; string b = 2; }")),
        new("FIELD_SAME_ONEOF ONEOF_NO_DELETE", "oneof gone", A("oneof c { int32 a = 1; string b = 2; }"), A("optional int32 a = 1; optional string b = 2;")),
        new("", "new field of a oneof", A("oneof c { int32 a = 1; string b = 2; }"), A("oneof c { int32 a = 1; string b = 2; bool d = 3; }")),
        new("MESSAGE_SAME_REQUIRED_FIELDS FIELD_SAME_CARDINALITY FIELD_WIRE_COMPATIBLE_CARDINALITY FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "field became required", Two("optional int32 a = 1;"), Two("required int32 a = 1;")),
        new("MESSAGE_SAME_REQUIRED_FIELDS FIELD_SAME_CARDINALITY FIELD_WIRE_COMPATIBLE_CARDINALITY FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "field stopped being required", Two("required int32 a = 1;"), Two("optional int32 a = 1;")),
        new("MESSAGE_SAME_REQUIRED_FIELDS", "new required field", Two("optional int32 a = 1;"), Two("optional int32 a = 1; required int32 b = 2;")),
        new("MESSAGE_SAME_REQUIRED_FIELDS", "required field gone, number and name reserved", Two("optional int32 a = 1; required int32 b = 2;"), Two("optional int32 a = 1; reserved 2; reserved \"b\";")),
        new("RESERVED_MESSAGE_NO_DELETE", "number of a field free", A("int32 a = 1; reserved 2;"), A("int32 a = 1;")),
        new("RESERVED_MESSAGE_NO_DELETE", "number of a field used", A("int32 a = 1; reserved 2;"), A("int32 a = 1; int32 b = 2;")),
        new("RESERVED_MESSAGE_NO_DELETE", "fewer numbers of fields reserved", A("int32 a = 1; reserved 2 to 9;"), A("int32 a = 1; reserved 2 to 8;")),
        new("RESERVED_MESSAGE_NO_DELETE", "name of a field free", A("int32 a = 1; reserved \"b\";"), A("int32 a = 1;")),
        new("RESERVED_MESSAGE_NO_DELETE", "name of a field used", A("int32 a = 1; reserved \"b\";"), A("int32 a = 1; int32 b = 2;")),

        // Enums.
        new("ENUM_VALUE_NO_DELETE ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED", "constant gone", Enum("E_A = 0; E_B = 1;"), Enum("E_A = 0;")),
        new("ENUM_VALUE_NO_DELETE", "constant gone, number and name reserved", Enum("E_A = 0; E_B = 1;"), Enum("E_A = 0; reserved 1; reserved \"E_B\";")),
        new("ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED", "constant gone, name reserved", Enum("E_A = 0; E_B = 1;"), Enum("E_A = 0; reserved \"E_B\";")),
        new("ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED", "constant gone, number reserved", Enum("E_A = 0; E_B = 1;"), Enum("E_A = 0; reserved 1;")),
        new("", "constant with another number, the first reserved", Enum("E_A = 0; E_B = 1;"), Enum("E_A = 0; E_B = 2; reserved 1;")),
        new("", "new constant", Enum("E_A = 0; E_B = 1;"), Enum("E_A = 0; E_B = 1; E_C = 2;")),
        new("ENUM_VALUE_SAME_NAME", "renamed constant", Enum("E_A = 0; E_B = 1;"), Enum("E_A = 0; E_C = 1;")),
        new("ENUM_VALUE_SAME_NAME", "alias gone", Enum("option allow_alias = true; E_A = 0; E_B = 0;"), Enum("E_A = 0;")),
        new("", "new alias", Enum("E_A = 0;"), Enum("option allow_alias = true; E_A = 0; E_B = 0;")),
        new("", "alias in front", Enum("E_A = 0;"), Enum("option allow_alias = true; E_B = 0; E_A = 0;")),
        new("RESERVED_ENUM_NO_DELETE", "number of a constant free", Enum("E_A = 0; reserved 1;"), Enum("E_A = 0;")),
        new("RESERVED_ENUM_NO_DELETE", "number of a constant used", Enum("E_A = 0; reserved 1;"), Enum("E_A = 0; E_B = 1;")),
        new("RESERVED_ENUM_NO_DELETE", "name of a constant free", Enum("E_A = 0; reserved \"E_B\";"), Enum("E_A = 0;")),
        new("RESERVED_ENUM_NO_DELETE", "name of a constant used", Enum("E_A = 0; reserved \"E_B\";"), Enum("E_A = 0; E_B = 1;")),
        new("ENUM_NO_DELETE PACKAGE_ENUM_NO_DELETE", "enum gone that no method reaches", A("int32 a = 1;") + Values + "enum F { F_A = 0; }", A("int32 a = 1;") + "enum F { F_A = 0; }"),
        new("ENUM_NO_DELETE PACKAGE_ENUM_NO_DELETE", "renamed enum", A("E a = 1;") + Values, A("F a = 1;") + "enum F { E_A = 0; E_B = 1; }"),

        // Services.
        new("SERVICE_NO_DELETE PACKAGE_SERVICE_NO_DELETE", "service gone", A("") + "service S { } service T { }", A("") + "service S { }"),
        new("SERVICE_NO_DELETE PACKAGE_SERVICE_NO_DELETE", "renamed service with the same name on the wire", A("") + "service S { }", A("") + "service T { option (mux.service) = { name: \"t.S\" }; }"),
        new("RPC_NO_DELETE", "method gone", Service("rpc Do(A) returns (A); rpc Go(A) returns (A);"), Service("rpc Do(A) returns (A);")),
        new("RPC_NO_DELETE", "renamed method with the same name on the wire", Service("rpc Do(A) returns (A);"), Service("rpc Go(A) returns (A) { option (mux.method) = { name: \"Do\" }; }")),
        new("RPC_SAME_CLIENT_STREAMING", "request stream", Service("rpc Do(A) returns (A);"), Service("rpc Do(stream A) returns (A);")),
        new("RPC_SAME_SERVER_STREAMING", "reply stream", Service("rpc Do(A) returns (A);"), Service("rpc Do(A) returns (stream A);")),
        new("RPC_SAME_IDEMPOTENCY_LEVEL", "no longer idempotent", Service("rpc Do(A) returns (A) { option idempotency_level = IDEMPOTENT; }"), Service("rpc Do(A) returns (A);")),
        new("RPC_SAME_IDEMPOTENCY_LEVEL", "idempotent", Service("rpc Do(A) returns (A);"), Service("rpc Do(A) returns (A) { option idempotency_level = IDEMPOTENT; }")),
        new("RPC_SAME_IDEMPOTENCY_LEVEL", "no side effects to idempotent", Service("rpc Do(A) returns (A) { option idempotency_level = NO_SIDE_EFFECTS; }"), Service("rpc Do(A) returns (A) { option idempotency_level = IDEMPOTENT; }")),
        new("RPC_SAME_REQUEST_TYPE", "other request", Service("rpc Do(B) returns (A);") + "message B { int32 b = 1; string c = 2; }", Service("rpc Do(A) returns (A);") + "message B { int32 b = 1; string c = 2; }"),
        new("RPC_SAME_REQUEST_TYPE", "other request with the fields of the first", Service("rpc Do(B) returns (A);") + "message B { int32 b = 1; }", Service("rpc Do(C) returns (A);") + "message B { int32 b = 1; } message C { int32 b = 1; }"),
        new("RPC_SAME_RESPONSE_TYPE", "other reply", Service("rpc Do(A) returns (B);") + "message B { int32 b = 1; string c = 2; }", Service("rpc Do(A) returns (A);") + "message B { int32 b = 1; string c = 2; }"),
        new("RPC_SAME_RESPONSE_TYPE", "reply in place of nothing", Service("rpc Do(A) returns (google.protobuf.Empty);"), Service("rpc Do(A) returns (A);")),
        new("RPC_SAME_RESPONSE_TYPE", "other reply with the fields of the first", Service("rpc Do(A) returns (B);") + "message B { int32 b = 1; }", Service("rpc Do(A) returns (C);") + "message B { int32 b = 1; } message C { int32 b = 1; }"),

        // Files.
        new("MESSAGE_NO_DELETE PACKAGE_MESSAGE_NO_DELETE", "message gone that no method reaches", A("int32 a = 1;") + "message B { }", A("int32 a = 1;")),
        new("MESSAGE_NO_DELETE PACKAGE_MESSAGE_NO_DELETE", "renamed message", A("B a = 1;") + "message B { int32 b = 1; }", A("C a = 1;") + "message C { int32 b = 1; }"),
        new("", "message that no method reaches any more", A("int32 a = 1;") + "message B { int32 b = 1; }", A("int32 a = 1;") + "message B { }"),
        new("FILE_NO_DELETE PACKAGE_NO_DELETE", "file gone", A("int32 a = 1;"), null),
        new("FILE_NO_DELETE PACKAGE_NO_DELETE", "file without services gone", "/* no service */ " + A("int32 a = 1;"), null),
        new("FILE_SAME_PACKAGE PACKAGE_NO_DELETE", "other package", A("int32 a = 1;"), "package t.v2; " + A("int32 a = 1;")),
        new("FILE_SAME_PACKAGE PACKAGE_NO_DELETE", "other package with the same name of the service on the wire", A("") + "service S { rpc Do(A) returns (A); }", "package t.v2; " + A("") + "service S { option (mux.service) = { name: \"t.S\" }; rpc Do(A) returns (A); }"),
        new("FILE_SAME_SYNTAX MESSAGE_SAME_JSON_FORMAT FIELD_SAME_UTF8_VALIDATION", "other syntax", A("optional string a = 1;"), Two("optional string a = 1;")),
        new("FILE_SAME_SYNTAX ENUM_SAME_TYPE ENUM_SAME_JSON_FORMAT", "other syntax of an enum", A("optional E a = 1;") + Values, Two("optional E a = 1;") + Values),
        new("", "deprecated field", A("int32 a = 1;"), A("int32 a = 1 [deprecated = true];")),
    ];

    private static IEnumerable<BufEdit> Types(params string[] types) =>
        types.SelectMany(before => types.Where(after => after != before).Select(after => new BufEdit("", $"{before} to {after}", Of(before), Of(after))));

    private static string Of(string type) => A($"{type} a = 1;") + Values;

    private static string A(string fields) => $"message A {{ {fields} }} ";

    private static string Enum(string values) => A("E a = 1;") + $"enum E {{ {values} }} ";

    private static string Service(string methods) => A("") + $"service S {{ {methods} }} ";

    // The word in the comment makes it a file of proto2.
    private static string Two(string fields) => $"/* required */ {A(fields)}";
}
