using Microsoft.CodeAnalysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>Whatever users write, what is generated for it compiles, without a warning of its own.</summary>
public sealed class EmittedCodeTests
{
    private const string Message = "[System.Runtime.Serialization.DataContract] public sealed class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id { get; set; } }\n";

    public static TheoryData<string, string> Sources => new()
    {
        { "no namespace", Message + "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask<Item> Get(Item item); }" },
        {
            "keywords everywhere",
            """
            namespace @namespace.@class;
            [System.Runtime.Serialization.DataContract] public class @event
            {
                [System.Runtime.Serialization.DataMember(Order = 1)] public int @int;
                [System.Runtime.Serialization.DataMember(Order = 2)] public @event @params { get; set; } = null!;
                [System.Runtime.Serialization.DataMember(Order = 3)] private string @string { get; set; } = "";
            }
            [Mux.MuxService("s")] public interface @interface
            {
                System.Threading.Tasks.Task<@event> @async(@event @await);
                System.Threading.Tasks.ValueTask @void(int @out, string @ref, System.Threading.CancellationToken @in = default);
            }
            """
        },
        {
            "names of the runtime and of the framework",
            """
            using Mux;
            namespace Shop
            {
                public class MessageReader; public class MuxUnit; public class System; public class Task; public class Mux1;
                [global::System.Runtime.Serialization.DataContract] public class MessageWriter { [global::System.Runtime.Serialization.DataMember(Order = 1)] public int HasRest; }
                [MuxService("s")] public interface IService { global::System.Threading.Tasks.ValueTask<MessageWriter> Get(MessageWriter writer, int reader, int value, int tag, int run, int invoker, int request, int service, int _Get); }
            }
            """
        },
        {
            "batches",
            """
            using System.Threading; using System.Threading.Tasks; using Mux;
            namespace @namespace.Shop;
            [System.Runtime.Serialization.DataContract] public class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id; }
            public interface IReader { [MuxMethod(Batched = 2)] Task<Item?> @event(string? @in, CancellationToken token); }
            [MuxService("s")] internal interface IStock : IReader { [MuxMethod(Batched = 5)] ValueTask Store(Item item, MuxCallOptions? options = null); ValueTask<MuxResult<int>> Count(); }
            internal sealed class Stock : IStockBatch
            {
                public ValueTask @event(MuxCalls<string?, Item?> calls) => default;
                public ValueTask Store(MuxCalls<Item, MuxUnit> calls) => default;
                public ValueTask<MuxResult<int>> Count() => default;
            }
            """
        },
        {
            "keys",
            """
            using System.Runtime.Serialization; using System.Threading.Tasks; using Mux;
            [assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]
            public enum Size : byte { Small }
            [DataContract] public sealed class Item { [DataMember(Order = 1), MuxKey] public string? @class; }
            [DataContract] public struct Box { [DataMember(Order = 1), MuxKey] public Item? @struct; }
            [MuxService("s")] public interface IService
            {
                ValueTask A([MuxKey] string key); ValueTask B([MuxKey] int? request); ValueTask C(int key, [MuxKey] Size @in); ValueTask D([MuxKey] byte[]? key);
                ValueTask E(int x, [MuxKey] System.ReadOnlyMemory<byte> @event); ValueTask F([MuxKey] System.ArraySegment<byte> key); ValueTask G(Box? box);
                ValueTask H(Item item, [MuxKey] System.Guid? id); ValueTask I(Item? item); ValueTask J([MuxKey] Item item, Box box); ValueTask K([MuxKey] ulong key);
            }
            """
        },
        {
            "nested types",
            """
            public static class Outer
            {
                [System.Runtime.Serialization.DataContract] internal struct Item { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id; }
                public static class Inner
                {
                    [System.Runtime.Serialization.DataContract] internal class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public Outer.Item Id; }
                    [Mux.MuxService("s")] internal interface IService { System.Threading.Tasks.ValueTask<Item> Get(Outer.Item item); }
                }
            }
            """
        },
        {
            "names that differ in the place of an underscore",
            """
            namespace A_ { [System.Runtime.Serialization.DataContract] public class B { [System.Runtime.Serialization.DataMember(Order = 1)] public A._B? Other; } }
            namespace A { [System.Runtime.Serialization.DataContract] public class _B { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id; } }
            [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask<A_.B> Get(A._B item); }
            """
        },
        {
            "the same name in several places",
            """
            namespace A { [System.Runtime.Serialization.DataContract] public class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public B.Item? Other; } }
            namespace B { [System.Runtime.Serialization.DataContract] public class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public A.Item? Other; } }
            namespace B { [System.Runtime.Serialization.DataContract] public class item { } [System.Runtime.Serialization.DataContract] public class A_Item { } }
            namespace B.A { [System.Runtime.Serialization.DataContract] public class Item { } }
            [Mux.MuxService("a")] public interface IService { System.Threading.Tasks.ValueTask<A.Item> Get(B.Item item); System.Threading.Tasks.ValueTask<B.item> GET(B.A.Item item, B.A_Item other); }
            namespace B { [Mux.MuxService("b")] public interface IService { System.Threading.Tasks.ValueTask<A.Item> Get(B.Item item); } }
            """
        },
        {
            "a base class that is no message",
            """
            public class Base { public int Ignored; protected int X; }
            [System.Runtime.Serialization.DataContract] public class Item : Base { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id { get; protected set; } }
            [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask<Item> Get(Item item); }
            """
        },
        {
            "obsolete and experimental members",
            """
            [System.Obsolete("old")] [System.Runtime.Serialization.DataContract] public class Item
            {
                [System.Obsolete("older")] [System.Runtime.Serialization.DataMember(Order = 1)] public int Id { get; set; }
            }
            #pragma warning disable CS0612, CS0618
            [Mux.MuxService("s")] public interface IService { [System.Obsolete] System.Threading.Tasks.ValueTask<Item> Get(Item item); }
            """
        },
        {
            "constructors of all kinds",
            """
            using System.Runtime.Serialization;
            using System.Collections.Generic;
            [DataContract] public record Positional([property: DataMember(Order = 1)] string Name, [property: DataMember(Order = 2)] List<int>? Numbers);
            [DataContract] public record More([property: DataMember(Order = 1)] string Name) { [DataMember(Order = 2)] public int Rest { get; init; } [DataMember(Order = 3)] public List<string> Filled { get; } = new(); }
            [DataContract] public sealed class GetOnly { public GetOnly(int id, string text) { Id = id; Text = text; } [DataMember(Order = 1)] public int Id { get; } [DataMember(Order = 2)] public string Text { get; } }
            [DataContract] public class Required { [DataMember(Order = 1)] public required string Name { get; set; } }
            [DataContract] public class RequiredBySet { [System.Diagnostics.CodeAnalysis.SetsRequiredMembers] public RequiredBySet() { Name = ""; } [DataMember(Order = 1)] public required string Name { get; set; } }
            [DataContract] public record RequiredParameter([property: DataMember(Order = 1)] int Id) { [DataMember(Order = 2)] public required string Name { get; init; } }
            [DataContract] public readonly record struct Pair([property: DataMember(Order = 1)] int Left, [property: DataMember(Order = 2)] int Right);
            [DataContract] public readonly struct ReadOnly { public ReadOnly(int a) { A = a; } [DataMember(Order = 1)] public readonly int A; }
            [DataContract] public struct Computed { private int _a; public Computed(int a) { _a = a; } [DataMember(Order = 1)] public int A => _a; }
            [ProtoBuf.ProtoContract(SkipConstructor = true)] public class Skipped { public Skipped(int other) { } [ProtoBuf.ProtoMember(1)] public int Id { get; private set; } }
            [DataContract] public record Page<T>([property: DataMember(Order = 1)] List<T> Items, [property: DataMember(Order = 2)] int Total);
            [DataContract] public class SetByMethod { private int _id; [DataMember(Order = 1)] public int Id => _id; public void SetId(int id) => _id = id; }
            [Mux.MuxService("s")] public interface IService
            {
                System.Threading.Tasks.ValueTask<Positional> A(More more);
                System.Threading.Tasks.ValueTask<GetOnly> B(Required required);
                System.Threading.Tasks.ValueTask<RequiredBySet> C(RequiredParameter required);
                System.Threading.Tasks.ValueTask<Pair> D(ReadOnly value);
                System.Threading.Tasks.ValueTask<Computed> E(Skipped value);
                System.Threading.Tasks.ValueTask<Page<Pair>> F(Page<Positional> value);
                System.Threading.Tasks.ValueTask<SetByMethod> G(Page<Page<Pair>> value, Pair? other);
            }
            """
        },
        {
            "streams and options under names of keywords and of what is generated",
            """
            #nullable enable
            namespace System2.Threading; // what is generated names the framework from its root
            [System.Runtime.Serialization.DataContract] public class ByteStreams { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id; }
            [System.Runtime.Serialization.DataContract] public struct Result { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id; }
            [Mux.MuxService("s"), Mux.MuxError<ByteStreams>(1), Mux.MuxError<Result>(2)] public interface IService
            {
                System.Collections.Generic.IAsyncEnumerable<string?> A(System.Collections.Generic.IAsyncEnumerable<string?> @params, int items, int request, Mux.MuxCallOptions? @default, System.Threading.CancellationToken options);
                System.Threading.Channels.ChannelReader<System.Collections.Generic.List<ByteStreams>> B(int cancellationToken, System.Threading.Channels.ChannelReader<ByteStreams[]> @this, int service);
                System.Threading.Tasks.ValueTask<System.Threading.Channels.ChannelReader<byte[]>> C(System.IO.Stream items);
                System.Threading.Tasks.Task<System.Threading.Channels.ChannelReader<int?>> D(System.IO.Pipelines.PipeReader? items);
                System.IO.Stream E(); System.Threading.Tasks.ValueTask<System.IO.Stream> F(); System.Threading.Tasks.Task<System.IO.Stream> G();
                System.IO.Pipelines.PipeReader H(); System.Threading.Tasks.ValueTask<System.IO.Pipelines.PipeReader> I(); System.Threading.Tasks.Task<System.IO.Pipelines.PipeReader> J(Mux.MuxCallOptions detail);
                System.Threading.Tasks.ValueTask K(System.IO.Stream? value, Mux.MuxCallOptions options); System.Threading.Tasks.Task L(System.Collections.Generic.IAsyncEnumerable<Result> invoker);
                System.Threading.Tasks.ValueTask<Mux.MuxResult<Result>> M(Mux.MuxCallOptions? _M); System.Threading.Tasks.Task<Mux.MuxResult<string?>> N(); System.Threading.Tasks.Task<Mux.MuxResult<Mux.MuxUnit>> O();
                System.Threading.Tasks.Task<Mux.MuxResult<ByteStreams>> P(); System.Threading.Tasks.ValueTask<Mux.MuxResult<int[]>> Q();
            }
            """
        },
        {
            "inherited interfaces of all kinds",
            """
            #nullable enable
            using System.Collections.Generic;
            using System.Threading.Tasks;
            namespace @base
            {
                public interface @interface<T> { ValueTask<T?> @void(T? @out); IAsyncEnumerable<T> Stream(T @in); }
                internal interface IHidden { Task<List<int>?> Hidden(params_ x); string Name => "n"; static int Count { get; set; } const int Size = 3; enum Kind { A } }
                [System.Runtime.Serialization.DataContract] internal class params_ { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id { get; set; } }
                public class Outer<T> { public interface IInner<U> { ValueTask<U?> Inner(T? t); } }
            }
            public interface IRoot { ValueTask A(); ValueTask B() => A(); ValueTask C() => default; [Mux.MuxMethod("D2")] ValueTask D() => default; private ValueTask E() => default; protected ValueTask F() => default; }
            public interface IUp : IRoot { ValueTask IRoot.A() => default; }
            public interface IDown : IRoot { abstract ValueTask IRoot.B(); ValueTask IRoot.C() => A(); }
            public interface IAcross : IRoot { ValueTask IRoot.C() => B(); } // which of the two is C is decided by the proxy
            [Mux.MuxService("s")] internal interface IService : @base.@interface<string?>, @base.IHidden, @base.Outer<byte[]>.IInner<int?>, IUp { ValueTask A(int x); }
            [Mux.MuxService("t")] public interface IOther : IDown, IAcross { [Mux.MuxMethod("A2")] ValueTask<int> A(int x, int y); [Mux.MuxMethod("Z")] new ValueTask D(); }
            [Mux.MuxService("u")] public interface IEmpty : IRoot { ValueTask IRoot.A() => default; }
            """
        },
        {
            "serializers of all kinds of values under names of what is generated",
            """
            #nullable enable
            using Mux.Serialization;
            namespace System2.Threading
            {
                [PayloadFormat("x")] public struct PayloadGuard : IPayloadSerializer { public static void Write<T>(ref MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; }
                public class Keeper<T1> { [PayloadFormat("y")] internal class @class : IPayloadSerializer { public static void Write<T>(ref MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; public static void Prepare<T>() { } } }
                public class Item<T> { }
                [Mux.MuxService("s", Serializer = typeof(PayloadGuard)), Mux.MuxError<Item<string>>(1), Mux.MuxError<int[]>(2)] public interface IService
                {
                    System.Threading.Tasks.ValueTask<int?> A(string? writer); System.Threading.Tasks.Task<Item<string?>?> B(Item<string?[]?>? body); System.Threading.Tasks.ValueTask C((int x, string? y) value);
                    System.Threading.Tasks.Task<Mux.MuxResult<Item<int>?>> D(int? request); System.Threading.Tasks.ValueTask<Mux.MuxResult<Mux.MuxUnit>> E(object? any);
                    System.Collections.Generic.IAsyncEnumerable<string?> F(System.Collections.Generic.IAsyncEnumerable<int[]?> items, object? one); System.IO.Stream G(System.IO.Stream content, System.Guid id); System.Threading.Tasks.ValueTask H();
                    [Mux.MuxMethod(OneWay = true, Serializer = typeof(Keeper<Item<string?>>.@class))] System.Threading.Tasks.ValueTask I(System.Action<string?> done);
                }
            }
            """
        },
        {
            "collections and maps under names of keywords and of what is generated",
            """
            using System.Collections.Generic;
            using System.Collections.Immutable;
            using ProtoBuf;
            public class Numbers : List<int> { }
            [ProtoContract] public class Item
            {
                [ProtoMember(1)] public Dictionary<string, Item?>? @class { get; set; }
                [ProtoMember(2)] public IReadOnlyDictionary<int, List<string?>>? Value { get; init; }
                [ProtoMember(3)] private ImmutableArray<Pair> Entry { get; set; }
                [ProtoMember(4), NullWrappedValue, NullWrappedCollection] public IReadOnlyList<int?>? Key { get; private set; }
                [ProtoMember(5, OverwriteList = true)] public Stack<Item> Items { get; } = new();
                [ProtoMember(6, IsPacked = true)] public required IEnumerable<float> Packed { get; set; }
                [ProtoMember(7)] public ImmutableDictionary<Kind, ImmutableDictionary<Kind, Pair?>>? Nested { get; set; }
                [ProtoMember(8), NullWrappedValue] public Dictionary<int, string?>? Wrapped { get; set; }
                [ProtoMember(9), NullWrappedValue] public string? Text { get; set; }
                [ProtoMember(10)] public Numbers Own { get; set; } = [];
                [ProtoMember(11), ProtoMap(DisableMap = true)] public SortedList<Pair, byte[]>? Pairs { get; set; }
                [ProtoMember(12)] public HashSet<Kind?>? Kinds;
                [ProtoMember(13, OverwriteList = true)] public int[]? Array { get; set; }
                [ProtoMember(14, OverwriteList = true)] public byte[]? Bytes { get; set; }
                [ProtoMember(15)] public ICollection<Pair?>? Holes { get; set; }
            }
            public enum Kind { None }
            [ProtoContract] public struct Pair { [ProtoMember(1)] public int A; [ProtoMember(2)] public LinkedList<Pair>? More; [ProtoMember(3)] public IDictionary<int, Pair>? Map; }
            [ProtoContract] public record Positional([property: ProtoMember(1)] ImmutableList<string> Names, [property: ProtoMember(2)] IReadOnlyDictionary<string, int> Map, [property: ProtoMember(3), NullWrappedCollection] ISet<int>? Set);
            [ProtoContract] public class Page<T> { [ProtoMember(1)] public ISet<T>? Items { get; set; } [ProtoMember(2)] public Dictionary<string, T>? Map { get; set; } }
            [Mux.MuxService("s")] public interface IService
            {
                System.Threading.Tasks.ValueTask<Dictionary<int, Dictionary<int, string?>?>> A(Item item);
                System.Threading.Tasks.ValueTask<Positional> B(IReadOnlyList<string>? values, Dictionary<int, Pair> @event, ImmutableArray<int> reader);
                System.Threading.Tasks.ValueTask<ImmutableArray<Item>> C(Page<Pair> page);
                System.Collections.Generic.IAsyncEnumerable<HashSet<int>> D(IAsyncEnumerable<Dictionary<string, Item>> items);
                System.Threading.Tasks.ValueTask<Mux.MuxResult<Queue<int>>> E(Page<string> page);
            }
            """
        },
        {
            "defaults of all kinds",
            """
            using System.ComponentModel;
            using System.Runtime.Serialization;
            public enum Kind : sbyte { Low = -5 }
            [DataContract] public class Item
            {
                [DataMember(Order = 1), DefaultValue(true)] public bool A { get; set; }
                [DataMember(Order = 2), DefaultValue('\'')] public char B { get; set; }
                [DataMember(Order = 3), DefaultValue(long.MinValue)] public long C { get; set; }
                [DataMember(Order = 4), DefaultValue(float.NaN)] public float D { get; set; }
                [DataMember(Order = 5), DefaultValue(0.1)] public float E { get; set; }
                [DataMember(Order = 6), DefaultValue(double.NegativeInfinity)] public double F { get; set; }
                [DataMember(Order = 7), DefaultValue("a\"\\\n")] public string? G { get; set; }
                [DataMember(Order = 8), DefaultValue(Kind.Low)] public Kind H { get; set; }
                [DataMember(Order = 9), DefaultValue(5)] public nint I { get; set; }
                [DataMember(Order = 10), DefaultValue(7)] public ulong? J { get; set; }
                [DataMember(Order = 11), DefaultValue(null)] public int K { get; set; }
                [DataMember(Order = 12), DefaultValue("12")] public short L { get; set; }
                [DataMember(Order = 13), DefaultValue(int.MinValue)] public int M { get; set; }
                [DataMember(Order = 14), DefaultValue(-1)] public Kind? N { get; set; }
                [DataMember(Order = 15), DefaultValue(null)] public System.Collections.Generic.List<int>? O { get; set; }
            }
            [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask<Item> Get(Item item); }
            """
        },
    };

    [Theory]
    [MemberData(nameof(Sources))]
    public void It_compiles_without_warnings(string what, string source)
    {
        var run = GeneratorRun.Of(GeneratorRun.ProtoBufSource, source);
        Assert.True(run.Diagnostics.IsEmpty, $"{what}: {string.Join('\n', run.Diagnostics)}");
        var expected = what.StartsWith("obsolete", StringComparison.Ordinal) ? ["CS0612", "CS0618"] : (string[])["CS0649", "CS0169", "CS8981", "CS8618"];
        var problems = run.CompilerDiagnostics().Where(diagnostic => !expected.Contains(diagnostic.Id));
        Assert.True(!problems.Any(), $"{what}:\n{string.Join('\n', problems)}");
        run.Load();
    }

    [Fact]
    public void It_compiles_where_arithmetic_is_checked_and_nullable_is_off()
    {
        var source = Sources.First(static row => row.Data.Item1 == "constructors of all kinds").Data.Item2;
        const string streams = "[Mux.MuxService(\"t\")] public interface IStreams { System.IO.Stream Get(System.Collections.Generic.IAsyncEnumerable<string> items, Mux.MuxCallOptions options); }";
        var compilation = GeneratorRun.Compile("Checked", [], GeneratorRun.ProtoBufSource, source, streams);
        var options = compilation.Options.WithOverflowChecks(true).WithNullableContextOptions(NullableContextOptions.Disable).WithGeneralDiagnosticOption(ReportDiagnostic.Error);
        var run = GeneratorRun.Of(compilation.WithOptions(options));
        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static diagnostic => diagnostic is { Severity: DiagnosticSeverity.Error, Id: not "CS8632" }));
    }

    [Fact]
    public void Two_contracts_share_the_codecs_of_their_messages()
    {
        var run = GeneratorRun.Of(
            Message + "[Mux.MuxService(\"a\")] public interface IA { System.Threading.Tasks.ValueTask<Item> Get(); }",
            "[Mux.MuxService(\"b\")] public interface IB { System.Threading.Tasks.ValueTask<Item> Get(); }");
        Assert.Equal(
            ["IA_Service.g.cs", "IB_Service.g.cs", "Item_Codec.g.cs", "Registration.g.cs"],
            run.GeneratedTrees.Select(static tree => Path.GetFileName(tree.FilePath)).Order(StringComparer.Ordinal));
        run.Load();
    }

    [Fact]
    public void Assemblies_that_see_the_internals_of_each_other_do_not_clash()
    {
        var messages = GeneratorRun.Compile("Messages", [], Message);
        const string service = "[Mux.MuxService(\"NAME\")] public interface INAME { System.Threading.Tasks.ValueTask<Item> Get(Item item); }";
        var lower = GeneratorRun.Of(GeneratorRun.Compile(
            "Lower", [messages.ToMetadataReference()],
            "[assembly: System.Runtime.CompilerServices.InternalsVisibleTo(\"Upper\")]" + service.Replace("NAME", "Lower", StringComparison.Ordinal)));
        var upper = GeneratorRun.Of(GeneratorRun.Compile(
            "Upper", [messages.ToMetadataReference(), lower.Output.ToMetadataReference()], service.Replace("NAME", "Upper", StringComparison.Ordinal)));
        Assert.Empty(lower.CompilerDiagnostics());
        Assert.Empty(upper.CompilerDiagnostics());
    }

    [Fact]
    public void Messages_of_an_assembly_that_knows_nothing_of_the_generator_are_taken()
    {
        using var image = new MemoryStream();
        var messages = GeneratorRun.Compile(
            "Foreign", [],
            """
            using System.Runtime.Serialization;
            namespace Foreign;
            [DataContract] public class Item { [DataMember(Order = 1)] public int Id { get; set; } [DataMember(Order = 2)] public Kind Kind { get; init; } [DataMember(Order = 3)] public readonly string? Text; [DataMember(Order = 4)] public System.Collections.Generic.List<Item> Items { get; } = new(); }
            public enum Kind { None }
            [DataContract] public record Positional([property: DataMember(Order = 1)] int Id);
            """);
        Assert.True(messages.Emit(image, cancellationToken: TestContext.Current.CancellationToken).Success);
        var run = GeneratorRun.Of(GeneratorRun.Compile(
            "Home", [MetadataReference.CreateFromImage(image.ToArray())],
            "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask<Foreign.Item> Get(Foreign.Positional item); }"));
        Assert.Empty(run.Diagnostics);
        Assert.Empty(run.CompilerDiagnostics());
    }

    [Fact]
    public void A_project_without_contracts_gets_nothing()
    {
        Assert.Empty(GeneratorRun.Of(Message).GeneratedTrees);
    }
}
