using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Importing;
using Mux.Generators.Tests.Driver;

namespace Mux.Generators.Tests.Importing;

/// <summary>A project makes C# of .proto files.</summary>
public sealed class ImportTests
{
    private const string Money = "syntax = \"proto3\"; package shop.v1; message Money { string currency = 1; int64 units = 2; }";

    private const string Orders = """
        syntax = "proto3";
        package shop.v1;
        import "shop/money.proto";
        message Order { int32 id = 1; Money price = 2; }
        service Orders { rpc Find(Order) returns (Order); }
        """;

    private static readonly (string Path, string Text)[] s_shop = [("/src/app/protos/shop/money.proto", Money), ("/src/app/protos/shop/orders.proto", Orders)];

    [Fact]
    public void A_service_becomes_a_contract_that_compiles()
    {
        var run = ImportRun.Of("class Uses { Shop.V1.IOrders? Contract; Shop.V1.Order? Order; }", s_shop);
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
        Assert.Contains(run.GeneratedTrees, static tree => tree.FilePath.EndsWith("Shop_V1_IOrders_Service.g.cs", StringComparison.Ordinal));
        Assert.Contains(run.GeneratedTrees, static tree => tree.FilePath.EndsWith("Shop_V1_Money_Codec.g.cs", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("import \"shop/money.proto\"; import \"shop/tax.proto\";")]
    [InlineData("import 'shop/money.proto';import public 'shop/tax.proto';")]
    [InlineData("import\n  \"shop/money.proto\" ;\n import\tweak\n\"shop/tax.proto\";")]
    [InlineData("import /* one */ \"shop/money.proto\"; import // another\n \"shop/tax.proto\";")]
    [InlineData("option java_package = \"a\"; import \"shop/money.proto\"; /* of both */ import \"shop/tax.proto\";")]
    public void Imports_are_found_wherever_they_are_on_their_lines(string imports)
    {
        const string tax = "syntax = \"proto3\"; package shop.v1; message Tax { int32 rate = 1; }";
        var run = ImportRun.Of("class Uses { Shop.V1.Bill? Bill; }", ("/vendor/shop/money.proto", Money), ("/vendor/shop/tax.proto", tax),
            ("/vendor/shop/bill.proto", $"syntax = \"proto3\"; package shop.v1; {imports} message Bill {{ Money price = 1; Tax tax = 2; }}"));
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
    }

    [Theory]
    [InlineData("2024")]
    [InlineData("2026")]
    public void An_edition_that_is_not_read_is_told_with_those_that_are(string edition)
    {
        var run = ImportRun.Of(string.Empty, ("/src/app/new.proto", $"edition = \"{edition}\"; message A {{ int32 id = 1; repeated A more = 2; }}"));
        var told = Assert.Single(run.Told());
        Assert.StartsWith("MUX0089 /src/app/new.proto:1:11 ", told, StringComparison.Ordinal);
        Assert.Contains($"\"{edition}\"", told, StringComparison.Ordinal);
        Assert.All(["\"2023\"", "\"proto2\"", "\"proto3\""], allowed => Assert.Contains(allowed, told, StringComparison.Ordinal));
    }

    [Fact]
    public void A_contract_in_CSharp_may_name_imported_types()
    {
        const string code = """
            using System.Threading.Tasks; using System.Runtime.Serialization;
            [DataContract] public class Basket { [DataMember(Order = 1)] public Shop.V1.Order? Order { get; set; } }
            [Mux.MuxService("s")] public interface IBaskets { ValueTask<Basket> Add(Basket basket, Shop.V1.Money tip); }
            """;
        var run = ImportRun.Of(code, s_shop);
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
        Assert.Contains("Shop_V1_Order_Description.Describe(description)", run.GeneratedFile("Shop_V1_Order_Codec.g.cs"), StringComparison.Ordinal);
        Assert.Contains("Shop_V1_Order_Codec.Describe(description)", run.GeneratedFile("Basket_Codec.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_mistake_of_a_contract_that_names_imported_types_is_told()
    {
        const string code = "[Mux.MuxService(\"s\")] public interface IBaskets { void Add(Shop.V1.Money tip); }";
        Assert.StartsWith("MUX0007 App0.cs:1:", Assert.Single(ImportRun.Of(code, s_shop).Told()), StringComparison.Ordinal);
    }

    [Fact]
    public void A_type_that_a_referenced_project_made_of_the_same_file_is_not_made_again()
    {
        var shared = ImportRun.Of(string.Empty, [], [], s_shop[0]);
        var run = ImportRun.Of("class Uses { Shop.V1.IOrders? Contract; }", [shared.ToReference()], [], s_shop);
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
        Assert.DoesNotContain(run.GeneratedTrees, static tree => tree.ToString().Contains("class Money", StringComparison.Ordinal));
    }

    [Fact]
    public void Access_and_namespace_are_those_of_the_item()
    {
        var run = ImportRun.Of("class Uses { Vendor.Pay.Money? Money; }", [], [("money.proto", "Access", "Internal"), ("money.proto", "Namespace", "Vendor.Pay")], s_shop[0]);
        Assert.Empty(run.Told());
        Assert.Contains("internal sealed partial class Money", run.GeneratedTrees.Single(static tree => tree.FilePath.Contains("money.proto", StringComparison.Ordinal)).ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_mistake_is_told_at_its_line_and_the_other_files_are_imported()
    {
        var run = ImportRun.Of("class Uses { Shop.V1.Money? Money; }", s_shop[0], ("/src/app/bad.proto", "syntax = \"proto3\";\nmessage Bad { int32 = 1; }"));
        Assert.StartsWith("MUX0089 /src/app/bad.proto:2:21 'bad.proto' cannot be imported: ", Assert.Single(run.Told()), StringComparison.Ordinal);
        Assert.Empty(run.Errors());
    }

    [Theory]
    [InlineData("money.proto", "No item MuxProto is imported as 'money.proto'. The project has '/src/app/protos/shop/money.proto'")]
    [InlineData("shop/cash.proto", "No item MuxProto has a path that ends in 'shop/cash.proto'. Add the file: <MuxProto Include=\"shop/cash.proto\" />")]
    public void An_import_that_is_not_there_is_told_with_what_to_do(string import, string problem)
    {
        var file = $"syntax = \"proto3\";\nimport \"{import}\";\nimport \"shop/money.proto\";";
        var run = ImportRun.Of(string.Empty, [], [("money.proto", "ProtoRoot", "protos")], s_shop[0], ("/src/app/bad.proto", file));
        Assert.StartsWith($"MUX0089 /src/app/bad.proto:2:8 'bad.proto' cannot be imported: {problem}", Assert.Single(run.Told()), StringComparison.Ordinal);
    }

    [Fact]
    public void A_type_that_no_file_declares_is_the_compilers_to_explain()
    {
        const string code = "[Mux.MuxService(\"s\")] public interface IBaskets { System.Threading.Tasks.ValueTask Add(Shop.V1.Cash tip); }";
        Assert.Contains("the compiler does not find a type of this name", Assert.Single(ImportRun.Of(code, s_shop).Told()), StringComparison.Ordinal);
    }

    [Fact]
    public void A_project_that_knows_nothing_of_contracts_gets_none()
    {
        var compilation = GeneratorRun.Compile("Alone", [], string.Empty);
        compilation = compilation.RemoveReferences(compilation.References.Where(static reference => Path.GetFileName(reference.Display) == "Mux.Abstractions.dll"));
        var run = GeneratorRun.Of(compilation, new ImportOptions([]), [new ContractText(s_shop[0].Path, s_shop[0].Text)]);
        Assert.Empty(run.Told());
        Assert.Empty(run.GeneratedTrees);
    }

    [Fact]
    public void An_access_that_is_none_is_told()
    {
        var run = ImportRun.Of(string.Empty, [], [("money.proto", "Access", "private")], s_shop[0]);
        Assert.Contains("its Access is 'private'; write Public or Internal", Assert.Single(run.Told()), StringComparison.Ordinal);
    }

    [Fact]
    public void Codecs_that_are_none_are_told_with_the_allowed_ones()
    {
        var run = ImportRun.Of(string.Empty, [], [("money.proto", "Codecs", "Some")], s_shop[0]);
        var told = Assert.Single(run.Told());
        Assert.StartsWith("MUX0091 /src/app/protos/shop/money.proto:1:1 ", told, StringComparison.Ordinal);
        Assert.Contains("its Codecs is 'Some'; write All or Reached", told, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData("Reached", false)]
    [InlineData("all", true)]
    [InlineData("All", true)]
    public void A_message_that_no_contract_reaches_has_a_codec_if_the_item_says_so(string? codecs, bool isMade)
    {
        (string File, string Name, string Value)[] metadata = codecs is null ? [] : [("money.proto", "Codecs", codecs)];
        var run = ImportRun.Of("class Uses { Shop.V1.Money? Money; }", [], metadata, s_shop[0]);
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
        Assert.Equal(isMade, run.GeneratedTrees.Any(static tree => Path.GetFileName(tree.FilePath) == "Shop_V1_Money_Codec.g.cs"));
        Assert.Equal(isMade, run.GeneratedTrees.Any(static tree => Path.GetFileName(tree.FilePath) == "RegisteredCodecs.g.cs"));
    }

    [Fact]
    public void All_codecs_of_a_file_are_those_of_nested_messages_and_of_what_other_files_add()
    {
        const string file = """
            syntax = "proto2"; package a;
            import "shop/money.proto"; import "google/protobuf/any.proto"; import "google/protobuf/timestamp.proto";
            message Outer {
              message Inner { map<string, Leaf> leaves = 1; map<bool, int32> flags = 2; message Leaf { optional int32 id = 1; } }
              optional group Part = 1 { optional int32 id = 1; }
              optional shop.v1.Money price = 2; optional google.protobuf.Any any = 3; optional google.protobuf.Timestamp at = 4;
            }
            enum Color { RED = 0; }
            message Empty { }
            """;
        var run = ImportRun.Of(string.Empty, [], [("a.proto", "Codecs", "All")], s_shop[0], ("/src/app/protos/a.proto", file));
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
        var registered = run.GeneratedFile("RegisteredCodecs.g.cs");
        Assert.All(
            ["Outer", "Outer.Types.Inner", "Outer.Types.Inner.Types.Leaf", "Outer.Types.Part", "Empty"],
            name => Assert.Contains($"GeneratedCodec<global::A.{name}>.Register(", registered, StringComparison.Ordinal));
        Assert.DoesNotContain("Money", registered, StringComparison.Ordinal);
        Assert.Contains(run.GeneratedTrees, static tree => tree.FilePath.EndsWith("Shop_V1_Money_Codec.g.cs", StringComparison.Ordinal));
    }

    [Fact]
    public void All_codecs_of_a_file_leave_those_of_its_contracts_as_they_are()
    {
        var before = ImportRun.Of(string.Empty, s_shop);
        var after = ImportRun.Of(string.Empty, [], [("orders.proto", "Codecs", "All"), ("money.proto", "Codecs", "All")], s_shop);
        Assert.Empty(after.Told());
        Assert.Empty(after.Errors());
        Assert.Equal(before.GeneratedFile("Shop_V1_Order_Codec.g.cs"), after.GeneratedFile("Shop_V1_Order_Codec.g.cs"));
        Assert.Equal(before.GeneratedTrees.Count() + 1, after.GeneratedTrees.Count());
    }

    [Fact]
    public void All_codecs_of_a_file_are_made_for_the_types_of_a_referenced_project()
    {
        var other = ImportRun.Of(string.Empty, s_shop[0]).ToReference("Other");
        var run = ImportRun.Of(string.Empty, [other], [("money.proto", "Codecs", "All")], s_shop[0]);
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
        Assert.Contains("GeneratedCodec<global::Shop.V1.Money>.Register(", run.GeneratedFile("RegisteredCodecs.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void An_extension_of_a_message_is_told_with_its_place_and_an_option_is_not()
    {
        var run = ImportRun.Of(string.Empty, ("/src/app/a.proto", """
            syntax = "proto2";
            import "google/protobuf/descriptor.proto";
            extend google.protobuf.FieldOptions { optional string mine = 50001; }
            message Open { extensions 100 to 199; optional int32 id = 1 [(mine) = "x"]; }
            extend Open { optional string more = 100; }
            """));
        Assert.StartsWith("MUX0092 /src/app/a.proto:5:8 'a.proto': Mux does not support extensions: those of Open are left out", Assert.Single(run.Told()), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{ option (mux.method) = { format: \"json\" }; }", "has the format 'json'")]
    [InlineData("{ option (mux.method) = { timeout_milliseconds: -5 }; }", "MUX0037: ")]
    [InlineData("{ option (mux.method) = { one_way: true }; }", "MUX0")]
    [InlineData("{ option (mux.method) = { arguments: \"A\" }; }", "has the option 'arguments' without a request stream")]
    [InlineData("{ option (mux.method) = { callbacks: \"shop.Nobody\" }; }", "names the callback 'shop.Nobody'")]
    public void A_service_that_Mux_cannot_call_is_told_and_not_made(string options, string problem)
    {
        var run = ImportRun.Of("class Uses { App.IFine? Contract; App.A? A; }", ("/src/app/a.proto", $$"""
            syntax = "proto3"; import "mux/options.proto";
            message A { }
            service Fine { rpc Do(A) returns (A); }
            service Odd { rpc Do(A) returns (A) {{options}} }
            """));
        var told = Assert.Single(run.Told());
        Assert.StartsWith("MUX0090 /src/app/a.proto:4:", told, StringComparison.Ordinal);
        Assert.Contains(problem, told, StringComparison.Ordinal);
        Assert.DoesNotContain(run.GeneratedTrees, static tree => tree.FilePath.EndsWith("IOdd_Service.g.cs", StringComparison.Ordinal));
    }

    [Fact]
    public void A_service_whose_callback_is_not_imported_is_not_made_either()
    {
        var run = ImportRun.Of(string.Empty, ("/src/app/a.proto", """
            syntax = "proto3"; import "mux/options.proto";
            message A { }
            service Desk { rpc Do(A) returns (A) { option (mux.method) = { callbacks: "Events" }; } }
            service Events { option (mux.service) = { callback: true }; rpc Odd(A) returns (A) { option (mux.method) = { format: "json" }; } }
            """));
        var told = run.Told().ToList();
        Assert.Equal(2, told.Count);
        Assert.Contains("names the callback 'Events', which is not imported", told.Single(static fault => fault.Contains("'Desk'", StringComparison.Ordinal)), StringComparison.Ordinal);
        Assert.Empty(run.Errors());
    }

    [Theory]
    [InlineData("A; class Injected {} namespace B")]
    [InlineData("A..B")]
    [InlineData("1A")]
    public void A_namespace_that_is_none_is_told(string space)
    {
        var run = ImportRun.Of("class Uses { Shop.A? A; }", ("/src/app/a.proto", $"syntax = \"proto3\"; package shop; option csharp_namespace = \"{space}\"; message A {{ }}"));
        Assert.Empty(run.Errors());
        Assert.All(run.Told(), told => Assert.StartsWith("MUX0091 /src/app/a.proto:1:1 'a.proto' cannot be imported as it is: '" + space, told, StringComparison.Ordinal));
    }

    [Fact]
    public void Names_that_CSharp_has_already_get_an_underscore()
    {
        const string code = """
            class Uses { object M(Shop.Status s) => new object?[] { s.Status_, s.Types_, s.GetType_, s.UnknownFields_, s.Foo, s.FooSpecified_, s.ShouldSerializeRaw_, s.Raw, s.Class, new Shop.@class(), new Shop.Bar_(), new Shop.Status.Types.Types_(), Shop.Status.Types.Kind.DarkRed }; }
            """;
        var run = ImportRun.Of(code, ("/src/app/a.proto", """
            syntax = "proto3"; package shop; import "b.proto";
            message Status {
              enum Kind { KIND_NONE = 0; KIND_DARK_RED = 1; }
              message Types { }
              string status = 1; int32 types = 2; int32 get_type = 3; bool unknown_fields = 4;
              int32 foo = 5; bool foo_specified = 6; bytes raw = 7; bool should_serialize_raw = 8; int32 class = 9;
              oneof choice { int32 none = 10; string choice_case = 11; }
            }
            message class { }
            message Bar { }
            """), ("/src/app/b.proto", "syntax = \"proto3\"; package shop.bar; message A { }"));
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
    }

    [Theory]
    [InlineData("message A { oneof c { int32 _ = 1; int32 __ = 2; } }")]
    [InlineData("message A { oneof c { int32 none = 1; int32 None = 2; int32 None_ = 3; } }")]
    [InlineData("message ShouldSerializeRaw { optional bytes raw = 1; required bytes own = 2; }")]
    [InlineData("message A { oneof should_serialize_foo { int32 x = 1; } required bytes foo_case = 2; }")]
    [InlineData("message A { optional int32 a_b = 1; optional int32 aB = 2; optional int32 a__b = 3; optional int32 a_b_ = 4; }")]
    [InlineData("message A { } service S { rpc do(A) returns (A); rpc Do(A) returns (A); rpc _do(A) returns (A); rpc equals(A) returns (A); rpc GetType(A) returns (A); }")]
    public void Names_that_are_alike_in_CSharp_compile(string text)
    {
        var run = ImportRun.Of(string.Empty, ("/src/app/a.proto", $"syntax = \"proto2\"; {text}"));
        Assert.DoesNotContain(run.Diagnostics, static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        Assert.Empty(run.Errors());
    }

    [Fact]
    public void Files_may_be_called_like_those_of_the_generator()
    {
        var run = ImportRun.Of("class Uses { App.A? A; App.B? B; App.C? C; App.D? D; }", ("/src/app/attributes", "syntax = \"proto3\"; message A { }"), ("/src/app/Descriptions", "syntax = \"proto3\"; message B { }"), ("/src/app/x/y.proto", "syntax = \"proto3\"; message C { }"), ("/src/app/x_Y.proto", "syntax = \"proto3\"; message D { }"));
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
    }

    [Fact]
    public void A_type_hides_none_of_a_referenced_assembly()
    {
        var run = ImportRun.Of("class Uses { System.DateTime Own; System.DateTime_? Made; Mux.MuxStatus Status; Mux.MuxStatus_ Other; }", ("/src/app/a.proto", "syntax = \"proto3\"; option csharp_namespace = \"System\"; message DateTime { }"), ("/src/app/b.proto", "syntax = \"proto3\"; package Mux; enum MuxStatus { Ok = 0; }"));
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
    }

    [Fact]
    public void A_type_of_two_referenced_projects_is_told_with_both()
    {
        var one = ImportRun.Of(string.Empty, [], [], s_shop[0]).ToReference("One");
        var other = ImportRun.Of(string.Empty, [], [], s_shop[0]).ToReference("Other");
        var told = ImportRun.Of(string.Empty, [one, other], [], s_shop[0]).Told();
        Assert.Contains("the assemblies 'One' and 'Other' both have the type 'Shop.V1.Money'", Assert.Single(told), StringComparison.Ordinal);
    }

    [Fact]
    public void A_public_file_that_names_an_internal_one_is_told()
    {
        var told = ImportRun.Of(string.Empty, [], [("money.proto", "Access", "Internal")], s_shop).Told();
        Assert.Contains(told, static text => text.StartsWith("MUX0091 /src/app/protos/shop/orders.proto:1:1 ", StringComparison.Ordinal) && text.EndsWith("it is public and names 'shop.v1.Money' of 'shop/money.proto', which is internal; give both items the same Access", StringComparison.Ordinal));
    }

    [Fact]
    public void Two_services_of_one_name_on_the_wire_are_told()
    {
        var told = ImportRun.Of(string.Empty, ("/src/app/a.proto", "syntax = \"proto3\"; import \"mux/options.proto\"; message A { }\nservice S { option (mux.service).name = \"x\"; rpc D(A) returns (A); }\nservice T { option (mux.service).name = \"x\"; rpc D(A) returns (A); }")).Told();
        Assert.StartsWith("MUX0090 /src/app/a.proto:3:9 The service 'T' is not imported: the service 'S' has the same name on the wire, 'x'", Assert.Single(told), StringComparison.Ordinal);
    }

    [Fact]
    public void A_oneof_may_have_thousands_of_members()
    {
        var fields = string.Concat(Enumerable.Range(1, 5_000).Select(static i => $"int32 f{i} = {i}; "));
        var run = ImportRun.Of("class Uses { App.A.ChoiceOneofCase Of(App.A a) => a.ChoiceCase; }", ("/src/app/a.proto", $"syntax = \"proto3\"; message A {{ oneof choice {{ {fields} }} }}"));
        Assert.Empty(run.Told());
        Assert.Empty(run.Errors());
    }

    [Fact]
    public void A_comment_cannot_end_the_documentation()
    {
        var run = ImportRun.Of("class Uses { App.A? A; }", ("/src/app/a.proto", "syntax = \"proto3\";\n// x\u2028public class Injected { }\n// </summary> */ \u0085 int y;\nmessage A { }"));
        Assert.Empty(run.Errors());
        Assert.Null(run.Output.GetTypeByMetadataName("App.Injected"));
    }

    [Fact]
    public void An_edit_of_code_reads_no_file_again()
    {
        var run = ImportRun.Of("class Other { }", s_shop);
        var edited = run.Input.ReplaceSyntaxTree(run.Input.SyntaxTrees[0], CSharpSyntaxTree.ParseText("class Other { int x; }", path: "App0.cs", cancellationToken: TestContext.Current.CancellationToken));
        var result = run.Driver.RunGenerators(edited, TestContext.Current.CancellationToken).GetRunResult().Results[0];
        Assert.All(result.TrackedSteps[ImportSteps.ReadStep].SelectMany(static step => step.Outputs), static output => Assert.Equal(IncrementalStepRunReason.Cached, output.Reason));
        Assert.All(result.TrackedOutputSteps.SelectMany(static step => step.Value).SelectMany(static step => step.Outputs),
            static output => Assert.True(output.Reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, $"{output.Reason}"));
    }
}
