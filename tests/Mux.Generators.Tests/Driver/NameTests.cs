using Microsoft.CodeAnalysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>No name of a user meets one of the runtime, of the framework or of generated code: each is a message, a method and so on.</summary>
public sealed class NameTests
{
    private const string Message = "[global::System.Runtime.Serialization.DataContract]";
    private const string ValueTask = "global::System.Threading.Tasks.ValueTask";
    private const string Stream = "global::System.IO.Stream";

    private static readonly string[] s_framework =
    [
        "Task", "ValueTask", "List", "Dictionary", "String", "CancellationToken", "Action", "Func", "Enum", "Guid", "Type", "Object", "Array", "Span", "ReadOnlySpan",
        "Memory", "KeyValuePair", "Nullable", "Exception", "InvalidOperationException", "Uri", "DateTime", "TimeSpan", "Attribute", "Obsolete", "ObsoleteAttribute",
        "GeneratedCode", "Int32", "Boolean", "Void", "Stream", "PipeReader", "ChannelReader", "IAsyncEnumerable", "IEnumerable", "CollectionsMarshal", "UnsafeAccessor",
        "UnsafeAccessorKind", "RuntimeHelpers", "ModuleInitializer", "MethodImpl", "MethodImplOptions", "Collections", "Threading", "Tasks", "Runtime", "Generated",
        "Protobuf", "Serialization", "Contracts", "Callbacks",
    ];

    // The kinds of generated names behind a name of the user, as they are and as they were.
    private static readonly string[] s_kinds =
    [
        "_Codec", "Codec", "_Arguments", "Arguments", "_ArgumentsCodec", "ArgumentsCodec", "_Details", "Details", "_Method", "_Shape", "_Contract", "_Callback",
        "_Messages", "Messages", "_RequiredMessages", "_ValueCodec", "_Level300Codec", "_Service", "_Description", "Request", "Response", "Result", "Item", "_Get",
        "_Set", "_Field", "_IsWritten", "_NoteRead", "_Entry", "_Items", "_Value", "_", "__",
    ];

    private static readonly string[] s_fixed =
    [
        "Contract", "Proxy", "Registration", "Accessors", "Of_Accessors", "Fields", "Parts", "Schema", "PartSchema", "Write", "WritePart", "Read", "ReadPart", "ReadOther",
        "ReadRest", "ReadFields", "WriteFields", "Make", "TryMake", "MakeOwn", "Upgrade", "New", "Call_New", "Value", "Key", "Items", "Entry", "Name", "Describe", "Encode",
        "Decode", "Prepare", "CreateProxy", "Register", "GetType", "ReferenceEquals", "HasRest", "Field1", "Unknown", "Empty", "Message", "Result", "Sample", "value",
        "writer", "reader", "at", "tag", "run", "parts", "service", "request", "options", "cancellationToken", "items", "callbacks", "callback", "invoker", "visitor",
        "message", "body", "name", "detail", "number", "argument0", "argument1", "made", "secondPass", "child", "scan", "kept", "end", "found", "fields", "batch", "calls",
        "s_Ping", "s_context", "shape_Ping", "method_Ping", "contract_Ping", "Callback_Ping", "key", "_caller",
    ];

    private static readonly string[] s_names =
    [
        .. typeof(MuxServiceAttribute).Assembly.GetTypes().Where(static type => type.Namespace?.StartsWith("Mux", StringComparison.Ordinal) == true)
            .Select(static type => type.Name.Split('`')[0]).Where(static name => name.All(static c => char.IsLetterOrDigit(c) || c == '_'))
            .Concat(s_framework).Concat(s_kinds.SelectMany(static kind => new[] { "Ping" + kind, "Empty" + kind })).Concat(s_fixed).Append("Ping")
            .Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal),
    ];

    [Fact]
    public void As_messages_without_a_namespace()
    {
        var types = Each(s_names, static (name, i) => $"{Message} public class {name} {{ {Member(1, $"int Id{i}")} {Member(2, $"global::{name}? Next{i}")} }}");
        var methods = Each(s_names, static (name, i) => $"{ValueTask}<global::{name}> M{i}(global::{name} one, global::{name}? other);");
        Compile(types, Contract(methods + $"{ValueTask} Nothing(); {ValueTask} Tell(global::Empty empty); {ValueTask}<global::Ping> Ping();"));
    }

    [Fact]
    public void As_methods()
    {
        var several = Each(s_names, static (name, _) => $"{ValueTask}<int> {name}(int one, string other);");
        Compile(Contract(several), Contract(Each(s_names, static (name, _) => $"[global::Mux.MuxError<Failure>(1)] {ValueTask} {name}(Failure one);"), "Ones"),
            $"{Message} public class Failure {{ {Member(1, "int Id")} }}",
            Contract($"{ValueTask} Run(ICallbacks callbacks); {ValueTask} ICallbacks_Ping(int one, int other);", "Takers"),
            $"[global::Mux.MuxCallback] public interface ICallbacks {{ {Each(s_names, static (name, _) => $"{ValueTask}<int> {name}(int one, int other);")} }}");
    }

    [Fact]
    public void As_parameters()
    {
        var numbers = Each(s_names, static (name, i) => $"{ValueTask} M{i}(int {name}, string other);");
        var streams = Each(s_names, static (name, i) => $"{Stream} S{i}({Stream} {name}); global::System.Threading.Channels.ChannelReader<int> C{i}(global::System.Threading.CancellationToken {name});");
        var callbacks = Each(s_names, static (name, i) => $"{ValueTask} B{i}(ICallbacks {name});");
        var batched = Each(s_names, static (name, i) => $"[global::Mux.MuxMethod(Batched = 2)] {ValueTask}<int> A{i}(string {name}, global::Mux.MuxCallOptions? options{i} = null);");
        var own = Each(s_kinds, static (kind, i) => $"{ValueTask} Ping{i}(int Ping{i}{kind}, int other);");
        Compile(
            Contract(numbers + own), Contract(streams, "Streams"), Contract(callbacks, "Takers"), $"namespace Batches {{ {Contract(batched, "Batched")} }}",
            $"[global::Mux.MuxCallback] public interface ICallbacks {{ {Each(s_names, static (name, i) => $"{ValueTask}<int> M{i}(int {name}, int other);")} }}");
    }

    [Fact]
    public void As_namespaces()
    {
        var types = Each(s_names, static (name, _) => $"namespace {name} {{ {Message} public class Item {{ {Member(1, "int Id")} }} {Message} public class Value {{ }} }}");
        Compile(types, Contract(Each(s_names, static (name, i) => $"{ValueTask}<global::{name}.Item> M{i}(global::{name}.Value value);")));
    }

    [Fact]
    public void As_properties()
    {
        var direct = Each(s_names, static (name, i) => Member(i + 1, $"int {name} {{ get; set; }}"));
        var hidden = Each(s_names, static (name, i) => Member(i + 1, $"global::System.Collections.Generic.List<int>? {name} {{ get; private set; }}"));
        var maps = Each(s_names, static (name, i) => $"[global::ProtoBuf.ProtoMember({i + 1})] public global::System.Collections.Generic.Dictionary<string, string>? {name};");
        var passed = string.Join(", ", s_names.Where(static name => name is not ("Record" or "GetType" or "ReferenceEquals")).DistinctBy(static name => name.ToUpperInvariant()).Select(static (name, i) => $"[property: global::System.Runtime.Serialization.DataMember(Order = {i + 1})] int {name}"));
        Compile(
            $"{Message} public class Direct {{ {direct} }} {Message} public class Hidden {{ {hidden} }} {Message} public class Generic<T> {{ {hidden} }} {Message} public record Record({passed}) {{ {Member(5000, "int Rest")} }}",
            $"[global::ProtoBuf.ProtoContract] public class Maps {{ {maps} }}", GeneratorRun.ProtoBufSource,
            Contract($"{ValueTask}<Direct> A(Hidden one, Generic<int> other, Maps maps); {ValueTask}<Record> B(Record one);"));
    }

    [Fact]
    public void As_enums_and_their_values()
    {
        var types = Each(s_names, static (name, _) => $"public enum {name} {{ {name} }}");
        Compile(types, Contract(Each(s_names, static (name, i) => $"{ValueTask}<global::{name}> M{i}(global::{name} one, global::{name}? other);")));
    }

    [Fact]
    public void As_contracts()
    {
        var contracts = Each(s_names, static (name, i) => $"[global::Mux.MuxService(\"s{i}\")] public interface {name} {{ {ValueTask}<Item> Ping(Item item, int number); {ValueTask} Service(); }}");
        Compile(contracts, $"{Message} public class Item {{ {Member(1, "int Id")} }}");
    }

    [Fact]
    public void As_type_parameters()
    {
        var names = s_names.Where(static name => name is not ("Of_Accessors" or "Call_New")).ToArray();
        var types = Each(names, static (name, i) => $"{Message} public class Page{i}<{name}> {{ {Member(1, $"{name}? Id {{ get; private set; }}")} private Page{i}() {{ }} }}");
        Compile(types, Contract(Each(names, static (_, i) => $"{ValueTask} M{i}(Page{i}<string> page);")));
    }

    [Theory]
    [InlineData("class")]
    [InlineData("MuxUnit")]
    [InlineData("MessageReader")]
    [InlineData("1.Item-Codec")]
    [InlineData("System")]
    public void As_assemblies(string name)
    {
        var run = GeneratorRun.Of(GeneratorRun.Compile(
            name, [], $"{Message} public class Item {{ {Member(1, "int Id")} }}" + Contract($"{ValueTask}<Item> Ping(Item item, int number); {ValueTask} Stop();")));
        Check(run);
    }

    [Fact]
    public void A_type_with_the_name_of_the_interface_for_batches_is_told()
    {
        var run = GeneratorRun.Of($"namespace Shop {{ {Contract($"[global::Mux.MuxMethod(Batched = 2)] {ValueTask}<int> Ping(int number);", "IStock")} public class IStockBatch {{ }} }}");
        var told = Assert.Single(run.Mistakes);
        Assert.Equal("MUX0067", told.Id);
        Assert.Contains("has a type 'IStockBatch', which is the name of the generated interface", told.GetMessage(null), StringComparison.Ordinal);
    }

    private static string Each(IEnumerable<string> names, Func<string, int, string> source) => string.Join('\n', names.Select(source));

    private static string Member(int number, string code) => $"[global::System.Runtime.Serialization.DataMember(Order = {number})] public {code}{(code.EndsWith('}') ? "" : ";")}";

    private static string Contract(string methods, string name = "IService") => $"[global::Mux.MuxService(\"{name}\")] public interface {name} {{ {methods} }}";

    private static void Compile(params string[] sources) => Check(GeneratorRun.Of(GeneratorRun.Compile("Sample", [], sources)));

    private static void Check(GeneratorRun run)
    {
        Assert.Empty(run.Input.GetDiagnostics(TestContext.Current.CancellationToken).Where(static told => told.Severity == DiagnosticSeverity.Error).Take(5)); // mistakes of the test
        Assert.Empty(run.Diagnostics.Where(static told => told.Severity == DiagnosticSeverity.Error).Take(5));
        Assert.NotEmpty(run.GeneratedTrees);
        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static told => told.Severity == DiagnosticSeverity.Error).Take(8));
    }
}
