namespace Mux.Description.Tests.Comparing;

/// <summary>Every rule, and what it does where it is not at its simplest.</summary>
internal static class RuleCases
{
    private const string Base = "message A { int32 x = 1; oneof subtype { B b = 3; C c = 4; } } message B { int32 y = 1; } message C { int32 z = 1; }";

    public static IEnumerable<RuleCase> All =>
    [
        // Services and methods.
        new("MUX0070", "service", Empty("service S { rpc Do(A) returns (A); } service T { }"), Empty("service S { rpc Do(A) returns (A); }"), Empty("service S { rpc Do(A) returns (A); } service U { option (mux.service) = { name: \"t.T\" }; }"), "t.T"),
        new("MUX0070", "method", Methods("rpc Do(A) returns (A); rpc Go(A) returns (A);"), Methods("rpc Do(A) returns (A);"), Methods("rpc New(A) returns (A) { option (mux.method) = { name: \"Go\" }; } rpc Do(A) returns (A);"), "[MuxMethod(\"Go\")]"),
        new("MUX0070", "wire name", Methods("rpc Do(A) returns (A);"), Methods("rpc Do(A) returns (A) { option (mux.method) = { name: \"do-it\" }; }"), Methods("rpc Do(A) returns (A); rpc More(A) returns (A);"), "t.S.Do"),
        new("MUX0070", "method of a callback", Callback("rpc Ask(A) returns (A);"), Callback("rpc Tell(A) returns (A);"), Callback("rpc Tell(A) returns (A); rpc Ask(A) returns (A);"), "t.S_Caller.Ask"),
        new("MUX0071", "stream", Methods("rpc Do(A) returns (A);"), Methods("rpc Do(A) returns (stream A);"), Methods("rpc Do(A) returns (A); rpc Watch(A) returns (stream A);"), "returns a stream"),
        new("MUX0071", "request stream", Methods("rpc Do(stream A) returns (stream A);"), Methods("rpc Do(A) returns (stream A);"), Methods("rpc Do(stream A) returns (stream A);"), "both directions"),
        new("MUX0071", "one-way", Methods("rpc Do(A) returns (google.protobuf.Empty);"), Methods("rpc Do(A) returns (google.protobuf.Empty) { option (mux.method) = { one_way: true }; }"), Methods("rpc Do(A) returns (google.protobuf.Empty);"), "one-way"),
        new("MUX0071", "callbacks", Callback("rpc Ask(A) returns (A);"), Methods("rpc Do(A) returns (A);"), Callback("rpc Ask(A) returns (A);"), "callbacks"),
        new("MUX0072", "one message to arguments", Methods("rpc Do(A) returns (A);"), Methods("rpc Do(S_DoRequest) returns (A);") + "message S_DoRequest { A a = 1; int32 n = 2; }", Methods("rpc Do(B) returns (A);") + "message B { }", "one message"),
        new("MUX0072", "inserted argument", Arguments("int32 a = 1; string b = 2;"), Arguments("int32 a = 1; bool c = 2; string b = 3;"), Arguments("int32 a = 1; string b = 2; bool c = 3;"), "argument 2 'b'"),
        new("MUX0072", "moved argument", Arguments("int32 a = 1; int32 b = 2;"), Arguments("int32 b = 1; int32 a = 2;"), Arguments("int32 first = 1; int32 second = 2;"), "argument 1 'a'"),
        new("MUX0072", "nothing to a value", Methods("rpc Do(A) returns (google.protobuf.Empty);"), Methods("rpc Do(A) returns (A);"), Methods("rpc Do(A) returns (google.protobuf.Empty);"), "a reply of nothing"),
        new("MUX0072", "another reply", Methods("rpc Do(A) returns (B);") + "message B { int32 a = 1; string b = 2; int64 c = 3; }", Methods("rpc Do(A) returns (C);") + "message C { string x = 1; int32 y = 2; }", Methods("rpc Do(A) returns (C);") + "message C { int32 a = 1; string b = 2; int64 c = 3; }", "'t.S.Do' was a method with the reply 't.B' and is one with 't.C'"),
        new("MUX0072", "a reply that is there still", Methods("rpc Do(A) returns (A); rpc Go(A) returns (B);") + "message B { int32 b = 1; }", Methods("rpc Do(A) returns (A); rpc Go(A) returns (A);") + "message B { int32 b = 1; }", Methods("rpc Do(A) returns (A); rpc Go(A) returns (C);") + "message C { int32 b = 1; }", "'t.B'"),
        new("MUX0072", "arguments of a stream", Methods("rpc Do(stream A) returns (A) { option (mux.method) = { arguments: \"t.A\" }; }"), Methods("rpc Do(stream A) returns (A);"), Methods("rpc Do(stream A) returns (A) { option (mux.method) = { arguments: \"t.B\" }; }") + "message B { }", "with arguments"),

        // Fields.
        new("MUX0073", "field", A("int32 a = 1; int32 b = 2;"), A("int32 a = 1;"), A("int32 a = 1; reserved 2;"), "[ProtoReserved(2)]"),
        new("MUX0073", "renumbered field", A("int32 a = 1;"), A("int32 a = 5;"), A("int32 a = 5; reserved 1 to 3;"), "is field 5"),
        new("MUX0073", "field of a field", A("B b = 1;") + "message B { int32 c = 1; }", A("B b = 1;") + "message B { }", A("D b = 1;") + "message D { int32 c = 1; int32 e = 2; }", "t.B.c"),
        new("MUX0073", "value of a map", A("map<string, B> b = 1;") + "message B { int32 c = 1; }", A("map<string, B> b = 1;") + "message B { }", A("map<string, B> b = 1;") + "message B { int64 c = 1; }", "t.B.c"),
        new("MUX0073", "argument", Arguments("int32 a = 1; int32 b = 2;"), Arguments("int32 a = 1;"), Arguments("int32 a = 1; int32 b = 2; int32 c = 3;"), "keep the argument"),
        new("MUX0073", "field of a reply", Methods("rpc Do(google.protobuf.Empty) returns (B);") + "message B { int32 c = 1; }", Methods("rpc Do(google.protobuf.Empty) returns (B);") + "message B { }", Methods("rpc Do(google.protobuf.Empty) returns (B);") + "message B { int32 d = 1; }", "t.B.c"),
        new("MUX0074", "name and type", A("int32 a = 1;"), A("string b = 1;"), A("int32 b = 1;"), "'b' of type string"),
        new("MUX0074", "exchanged fields", A("int32 a = 1; int32 b = 2;"), A("int32 b = 1; int32 a = 2;"), A("int32 c = 1; int32 d = 2;"), "'b' of type int32"),
        new("MUX0074", "reserved number", A("int32 a = 1; reserved 2;"), A("int32 a = 1; int32 b = 2;"), A("int32 a = 1; int32 b = 3;"), "reserved as 2"),
        new("MUX0075", "varint to fixed", A("int32 a = 1;"), A("fixed32 a = 1;"), A("int32 a = 1;"), "fixed32"),
        new("MUX0075", "text to number", A("string a = 1;"), A("int32 a = 1;"), A("string a = 1;"), "int32"),
        new("MUX0076", "ZigZag", A("int32 a = 1;"), A("sint32 a = 1;"), A("int64 a = 1;"), "sint32"),
        new("MUX0076", "signed", A("uint32 a = 1;"), A("int32 a = 1;"), A("uint64 a = 1;"), "int32"),
        new("MUX0076", "narrower", A("int64 a = 1;"), A("int32 a = 1;"), A("int64 a = 1;"), "int32"),
        new("MUX0076", "signed of four bytes", A("fixed32 a = 1;"), A("sfixed32 a = 1;"), A("fixed32 a = 1;"), "sfixed32"),
        new("MUX0076", "text to bytes", A("string a = 1;"), A("bytes a = 1;"), A("string a = 1;"), "bytes"),
        new("MUX0076", "level of a date", A("bcl.DateTime a = 1;"), A("google.protobuf.Timestamp a = 1;"), A("bcl.DateTime a = 1;"), "google.protobuf.Timestamp"),
        new("MUX0076", "message to bytes", A("B a = 1;") + "message B { }", A("bytes a = 1;"), A("B a = 1;") + "message B { }", "bytes"),
        new("MUX0076", "narrower in C#", Exact("int32 a = 1;"), Exact("int32 a = 1 [(mux.field).bits = 16];"), Exact("int64 a = 1;"), "was int32 and is int32 of 16 bits"),
        new("MUX0076", "narrower in C# with a new field", Exact("uint32 a = 1 [(mux.field).bits = 16];"), Exact("uint32 a = 1 [(mux.field).bits = 8]; int32 b = 2;"), Exact("int32 a = 1; int32 b = 2;"), "was uint32 of 16 bits and is uint32 of 8 bits"),
        new("MUX0076", "narrower items", Exact("repeated int32 a = 1 [(mux.field).bits = 16];"), Exact("repeated int32 a = 1 [(mux.field).bits = 8];"), Exact("repeated int32 a = 1;"), "repeated int32 of 8 bits"),
        new("MUX0076", "narrower values of a map", Exact("map<string, int32> a = 1;"), Exact("map<string, int32> a = 1 [(mux.field).bits = 16];"), Exact("map<string, int64> a = 1;"), "map<string, int32 of 16 bits>"),
        new("MUX0076", "narrower keys of a map", Exact("map<int32, string> a = 1 [(mux.field).key_bits = 16];"), Exact("map<int32, string> a = 1 [(mux.field).key_bits = 8];"), Exact("map<int32, string> a = 1;"), "map<int32 of 8 bits, string>"),
        new("MUX0076", "sign of an integer as wide", Exact("uint32 a = 1 [(mux.field).bits = 8];"), Exact("int32 a = 1 [(mux.field).bits = 8];"), Exact("int32 a = 1 [(mux.field).bits = 16];"), "int32 of 8 bits"),
        new("MUX0077", "single to list", A("int32 a = 1;"), A("repeated int32 a = 1;"), A("int32 a = 1;"), "repeated int32"),
        new("MUX0077", "list to map", A("repeated B a = 1;") + "message B { string key = 1; int32 value = 2; }", A("map<string, int32> a = 1;"), A("repeated B a = 1;") + "message B { string key = 1; int32 value = 2; }", "map<string, int32>"),
        new("MUX0078", "presence", A("int32 a = 1;"), A("optional int32 a = 1;"), A("int32 a = 1; optional int32 b = 2;"), "optional"),
        new("MUX0078", "into a oneof", A("optional int32 a = 1; optional int32 b = 2;"), A("oneof c { int32 a = 1; int32 b = 2; }"), A("oneof c { int32 a = 1; } optional int32 b = 2;"), "in one oneof"),
        new("MUX0078", "out of a oneof", A("oneof c { int32 a = 1; int32 b = 2; }"), A("oneof c { int32 a = 1; } optional int32 b = 2;"), A("oneof d { int32 a = 1; int32 b = 2; int32 c = 3; }"), "present together"),
        new("MUX0078", "into a new oneof", A("optional int32 a = 1;"), A("oneof c { int32 a = 1; int32 b = 2; }"), A("oneof c { int32 a = 1; }"), "outside of a oneof"),
        new("MUX0078", "out of an old oneof", A("oneof c { int32 a = 1; int32 b = 2; }"), A("optional int32 a = 1; reserved 2;"), A("oneof d { int32 a = 1; } reserved 2;"), "outside of it"),
        new("MUX0078", "first constant", "/* required */" + A("optional E a = 1;") + "enum E { E_A = 1; E_B = 2; }", "/* required */" + A("optional E a = 1;") + "enum E { E_B = 2; E_A = 1; }", "/* required */" + A("optional E a = 1;") + "enum E { E_C = 1; E_B = 2; }", "was E_A when it is absent and is E_B"),
        new("MUX0078", "default constant", "/* required */" + A("optional E a = 1 [default = E_B];") + "enum E { E_A = 1; E_B = 2; }", "/* required */" + A("optional E a = 1;") + "enum E { E_A = 1; E_B = 2; }", "/* required */" + A("optional E a = 1;") + "enum E { E_B = 2; E_A = 1; }", "was E_B when it is absent and is E_A"),
        new("MUX0078", "initial value", Exact("optional int32 a = 1 [(mux.field).absent = \"3\"];"), Exact("optional int32 a = 1 [(mux.field).absent = \"5\"];"), Exact("optional int64 a = 1 [(mux.field).absent = \"3\"];"), "was 3 when it is absent and is 5"),
        new("MUX0078", "a first initial value", Exact("optional string a = 1;"), Exact("optional string a = 1 [(mux.field).absent = \"x\"];"), Exact("optional string a = 1; optional string b = 2 [(mux.field).absent = \"x\"];"), "was nothing when it is absent and is x"),
        new("MUX0078", "initial constant", Exact("optional E a = 1 [(mux.field).absent = \"E_B\"];") + "enum E { E_A = 0; E_B = 1; }", Exact("optional E a = 1 [(mux.field).absent = \"E_A\"];") + "enum E { E_A = 0; E_B = 1; }", Exact("optional E a = 1 [(mux.field).absent = \"E_C\"];") + "enum E { E_A = 0; E_C = 1; }", "was E_B when it is absent and is E_A"),
        new("MUX0079", "gone", A("E a = 1;") + "enum E { E_A = 0; E_B = 1; }", A("E a = 1;") + "enum E { E_A = 0; }", A("E a = 1;") + "enum E { E_A = 0; reserved 1; }", "t.E.E_B"),
        new("MUX0079", "renumbered", A("E a = 1;") + "enum E { E_A = 0; E_B = 1; }", A("E a = 1;") + "enum E { E_A = 0; E_B = 2; E_C = 1; }", A("E a = 1;") + "enum E { E_A = 0; E_C = 1; }", "is 2"),
        new("MUX0079", "reserved", A("E a = 1;") + "enum E { E_A = 0; reserved 1; }", A("E a = 1;") + "enum E { E_A = 0; E_B = 1; }", A("E a = 1;") + "enum E { E_A = 0; E_B = 2; }", "reserved as 1"),
        new("MUX0080", "derived class", Base, Base.Replace("C c = 4", "C c = 5", StringComparison.Ordinal), Base.Replace("C c = 4;", "C c = 4; D d = 5;", StringComparison.Ordinal) + "message D { }", "[ProtoInclude(4, ...)]"),
        new("MUX0080", "exchanged classes", Base, Base.Replace("B b = 3; C c = 4", "C c = 3; B b = 4", StringComparison.Ordinal), Base.Replace("C c", "C other", StringComparison.Ordinal), "part 4"),

        // What methods say.
        new("MUX0081", "gone", Error("details: { number: 7, message: \"t.A\" }"), Error(""), Error("details: { number: 7, message: \"t.A\" } details: { number: 8, message: \"t.A\" }"), "[MuxError(7, ...)]"),
        new("MUX0081", "renumbered", Error("details: { number: 7, message: \"t.A\" }"), Error("details: { number: 8, message: \"t.A\" }"), Error("details: { number: 7, message: \"t.B\" }"), "8 (t.A)"),
        new("MUX0082", "format", Error("format: \"json\""), Error("format: \"cbor\""), Error("format: \"json\" priority: HIGH"), "cbor"),
        new("MUX0083", "idempotent", Methods("rpc Do(A) returns (A) { option idempotency_level = IDEMPOTENT; }"), Methods("rpc Do(A) returns (A);"), Methods("rpc Do(A) returns (A) { option idempotency_level = NO_SIDE_EFFECTS; }"), "Idempotent = true"),
        new("MUX0083", "deadline", Error("timeout_milliseconds: 200"), Error("timeout_milliseconds: 100"), Error("timeout_milliseconds: 300"), "100 ms"),
        new("MUX0083", "a first deadline", Error(""), Error("timeout_milliseconds: 100"), Error("priority: LOW"), "without a deadline"),
        new("MUX0083", "size", Error("max_message_bytes: 2000"), Error("max_message_bytes: 1000"), Error("max_message_bytes: 3000"), "1000 bytes"),
        new("MUX0084", "policy", Error("authorization: { policies: \"adult\" }"), Error("authorization: { policies: \"child\" }"), Error("authorization: { policies: \"adult\" }"), "policy 'child'"),
        new("MUX0084", "anonymous", Error("authorization: { requires_user: true }"), Error("authorization: { allows_anonymous: true }"), Error("authorization: { requires_user: true }"), "open to all"),

        // Names.
        new("MUX0085", "field", A("int32 last_name = 1;"), A("int32 sur_name = 1;"), A("int32 last_name = 1; int32 more = 2;"), "\"surName\"") { IsJson = true },
        new("MUX0085", "name that JSON may have", A("int32 last_name = 1;"), A("int32 sur_name = 1 [json_name = \"lastName\"];"), A("int32 last_name = 1 [json_name = \"lastName\"];"), "was also \"last_name\" in JSON") { IsJson = true },
        new("MUX0085", "name of another field", A("int32 a = 1;"), A("string a = 2; reserved 1;"), A("int32 a = 2; reserved 1;"), "was int32 in JSON and is string") { IsJson = true },
        new("MUX0085", "reserved name of a field", A("int32 a = 1; reserved \"b\";"), A("int32 a = 1; int32 b = 2;"), A("int32 a = 1; int32 c = 2;"), "reserved as the name 'b'") { IsJson = true },
        new("MUX0085", "reserved name of a constant", A("E a = 1;") + "enum E { E_A = 0; reserved \"E_B\"; }", A("E a = 1;") + "enum E { E_A = 0; E_B = 1; }", A("E a = 1;") + "enum E { E_A = 0; E_C = 1; }", "reserved as the name 'E_B'") { IsJson = true },
        new("MUX0085", "value of an enum", A("E a = 1;") + "enum E { E_A = 0; }", A("E a = 1;") + "enum E { E_B = 0; }", A("E a = 1;") + "enum E { E_A = 0; E_C = 1; }", "t.E.E_A") { IsJson = true },
        new("MUX0085", "first name of a number", A("E a = 1;") + "enum E { option allow_alias = true; E_A = 0; E_B = 0; }", A("E a = 1;") + "enum E { option allow_alias = true; E_B = 0; E_A = 0; }", A("E a = 1;") + "enum E { option allow_alias = true; E_A = 0; E_C = 0; E_B = 0; }", "after 'E_B'") { IsJson = true },
        new("MUX0085", "number to text", A("int32 a = 1;"), A("int64 a = 1;"), A("int32 a = 1;"), "int64") { IsJson = true },
    ];

    private static string A(string fields) => $"message A {{ {fields} }} ";

    // With what C# says of fields.
    private static string Exact(string fields) =>
        A(fields) + "service S { option (mux.service) = { exact_fields: true }; rpc Do(A) returns (google.protobuf.Empty); } ";

    private static string Empty(string services) => A("") + services;

    private static string Methods(string methods) => A("") + $"service S {{ {methods} }} ";

    private static string Arguments(string fields) => Methods("rpc Do(S_DoRequest) returns (A);") + $"message S_DoRequest {{ {fields} }} ";

    private static string Error(string options) => Methods($"rpc Do(A) returns (A) {{ option (mux.method) = {{ {options} }}; }}") + "message B { }";

    private static string Callback(string methods) =>
        Methods("rpc Do(A) returns (A) { option (mux.method) = { callbacks: \"t.S_Caller\" }; }") + $"service S_Caller {{ option (mux.service) = {{ callback: true }}; {methods} }}";
}
