using Microsoft.CodeAnalysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>Generic messages that lead to larger ones of themselves: the member that begins again is told, and the compiler ends.</summary>
public sealed class EndlessTypeTests
{
    private const string Usings = """
        using System.Collections.Concurrent;
        using System.Collections.Generic;
        using System.Collections.Immutable;
        using System.Threading.Tasks;
        using Mux;
        using ProtoBuf;


        """;

    public static TheoryData<string, string, string> Endless => new()
    {
        { "directly", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Node<List<T>>? Next; }", "Node<T>.Next" },
        { "in a property", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Node<T[]>? Next { get; set; } }", "Node<T>.Next" },
        { "over two", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Other<T>? A; } [ProtoContract] public class Other<T> { [ProtoMember(1)] public Node<List<T>>? B; }", "Other<T>.B" },
        { "over two in turn", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Other<T, int>? A; } [ProtoContract] public class Other<T, U> { [ProtoMember(1)] public Node<Pair<T, U>>? B; } [ProtoContract] public class Pair<T, U> { }", "Other<T, U>.B" },
        { "in the second place", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Pair<List<List<List<T>>>, int>? A; } [ProtoContract] public class Pair<T, U> { [ProtoMember(1)] public Pair<T, List<U>>? B; }", "Pair<T, U>.B" },
        { "in turn", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Pair<T, string>? A; } [ProtoContract] public class Pair<T, U> { [ProtoMember(1)] public Pair<U, List<T>>? B; }", "Pair<T, U>.B" },
        { "twice as large each time", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Node<Pair<T, T>>? A; [ProtoMember(2)] public int B; [ProtoMember(3)] public List<int>? C; } [ProtoContract] public class Pair<T, U> { }", "Node<T>.A" },
        { "as items of a list", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public List<Node<List<T>>>? Next; }", "Node<T>.Next" },
        { "as items of an array", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Node<List<T>>[]? Next; }", "Node<T>.Next" },
        { "as items of a set", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public ImmutableHashSet<Node<Node<T>>>? Next; }", "Node<T>.Next" },
        { "as items of a collection of its own", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Nodes<T>? Next; } public class Nodes<T> : List<Node<List<T>>> { }", "Node<T>.Next" },
        { "as an argument that is a collection of its own", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Box<Nodes<T>>? Next; } public class Nodes<T> : List<Node<List<T>>> { } [ProtoContract] public class Box<T> { [ProtoMember(1)] public T? Value; }", "Nodes<T>" },
        { "as values of a map", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Dictionary<string, Node<List<T>>>? Next; }", "Node<T>.Next" },
        { "as keys of a map", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Dictionary<Node<List<T>>, int>? Next; }", "Node<T>.Next" },
        { "as values of a map of maps", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public IDictionary<int, ConcurrentDictionary<int, Node<List<T>>>>? Next; }", "Node<T>.Next" },
        { "in a tuple", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public (int, Node<List<T>>) Next; }", "Node<T>.Next" },
        { "in what looks like a tuple", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Link<T>? Next; } public class Link<T> { public Link(Node<List<T>> target) => Target = target; public Node<List<T>> Target { get; } }", "Link<T>.Target" },
        { "in an inherited member of what looks like a tuple", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Link<T>? Next; } public class Base<T> { public Node<List<T>>? Target { get; protected set; } } public class Link<T> : Base<T> { public Link(Node<List<T>> target) => Target = target; }", "Base<T>.Target" },
        { "as a nullable value", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Nodes<int>? Next; } [ProtoContract] public class Nodes<T> where T : struct { [ProtoMember(1)] public List<Nodes<(T?, int)>>? Next; }", "Nodes<T>.Next" },
        { "through a surrogate", "[ProtoContract(Surrogate = typeof(Wire<>))] public class Node<T> { } [ProtoContract] public class Wire<T> { [ProtoMember(1)] public Node<List<T>>? Next; public static implicit operator Wire<T>(Node<T> node) => null!; public static implicit operator Node<T>(Wire<T> node) => null!; }", "Wire<T>.Next" },
        { "through a base", "[ProtoContract, ProtoInclude(1, typeof(Leaf))] public class Base { } [ProtoContract] public class Leaf : Base { [ProtoMember(1)] public Deep<int>? Start; } [ProtoContract] public class Node<T> { [ProtoMember(1)] public Base? Value; } [ProtoContract] public class Deep<T> { [ProtoMember(1)] public Deep<List<T>>? Next; }", "Deep<T>.Next" },
        { "through a generic base", "[ProtoContract, ProtoInclude(9, typeof(Node<int>))] public class Base<T> { [ProtoMember(1)] public Base<List<T>>? Next; } [ProtoContract] public class Node<T> : Base<T> { }", "Base<T>.Next" },
        { "as a wrapped value", "[ProtoContract] public class Node<T> { [ProtoMember(1), NullWrappedValue] public List<Node<List<T>>>? Next; }", "Node<T>.Next" },
        { "as a wrapped collection", "[ProtoContract] public class Node<T> { [ProtoMember(1), NullWrappedCollection] public List<Node<List<T>>>? Next; }", "Node<T>.Next" },
        { "in a nested type", "public static class Outer<T> { [ProtoContract] public class Item { [ProtoMember(1)] public Outer<List<T>>.Item? Next; } } [ProtoContract] public class Node<T> { [ProtoMember(1)] public Outer<T>.Item? A; }", "Outer<T>.Item.Next" },
        { "as a group", "[ProtoContract(IsGroup = true)] public class Node<T> { [ProtoMember(1, DataFormat = DataFormat.Group)] public Node<List<T>>? Next; }", "Node<T>.Next" },
        { "as its own argument", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Node<Node<T>>? Next; }", "Node<T>.Next" },
        { "as one of several cases", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public OneOf<int, Node<List<T>>>? Next; } [ProtoContract] public class OneOf<T1, T2> { [ProtoMember(1)] public T1? First; [ProtoMember(2)] public T2? Second; }", "Node<T>.Next" },
        { "as all fields", "[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Node<T> { public Node<List<T>>? Next; }", "Node<T>.Next" },
        { "as a map that is its own value", "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Map<T>? Next; } public class Map<T> : Dictionary<int, Map<List<T>>> { }", "Node<T>.Next" },
    };

    [Theory]
    [MemberData(nameof(Endless))]
    public async Task A_message_without_end_is_told_at_the_member_that_begins_again(string how, string source, string member)
    {
        var run = await WithinAsync(() => GeneratorRun.Of(Usings + source + "[MuxService(\"s\")] public interface IService { ValueTask<Node<int>> Get(Node<int> node, Node<string> other); }", GeneratorRun.ProtoBufSource));
        var told = Assert.Single(run.Diagnostics, static told => told.Severity == DiagnosticSeverity.Error);
        Assert.True(told.Id == "MUX0095", $"{how}: {told}");
        Assert.Contains(member + "' makes '", told.GetMessage(null), StringComparison.Ordinal);
        Assert.True(told.Location.IsInSource, how);
        Assert.Empty(run.GeneratedTrees);
        var all = await AnalyzerRun.DiagnosticsOfAsync(run.Input, TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        Assert.Contains(all, static found => found.Id == "MUX0095");
    }

    [Theory]
    [InlineData("ValueTask A(Node<List<int>> node);")]
    [InlineData("ValueTask<Node<Node<int>>> A();")]
    [InlineData("IAsyncEnumerable<Node<int>> A();")]
    [InlineData("ValueTask A(IAsyncEnumerable<List<Node<int>>> nodes);")]
    [InlineData("ValueTask<MuxResult<Node<int>>> A();")]
    [InlineData("[MuxError<Node<int>>(1)] ValueTask A();")]
    [InlineData("ValueTask A(ICalls calls);")]
    [InlineData("ValueTask<Dictionary<int, Node<int>>> A();")]
    public async Task It_is_told_wherever_the_contract_mentions_it(string method)
    {
        const string node = "[ProtoContract] public class Node<T> { [ProtoMember(1)] public Node<List<T>>? Next; } [MuxCallback] public interface ICalls { ValueTask Tell(Node<int> node); }\n";
        var run = await WithinAsync(() => GeneratorRun.Of($"{Usings}{node}[MuxService(\"s\")] public interface IService {{ {method} }}", GeneratorRun.ProtoBufSource));
        Assert.Equal("MUX0095", Assert.Single(run.Mistakes).Id);
    }

    [Fact]
    public async Task A_map_that_is_its_own_value_is_told()
    {
        var run = await WithinAsync(() => GeneratorRun.Of(Usings + "public class Tree : Dictionary<string, Tree> { } [MuxService(\"s\")] public interface IService { ValueTask<Tree> Get(); }"));
        var told = Assert.Single(run.Mistakes);
        Assert.Equal("MUX0014", told.Id);
        Assert.Contains("a map of maps of its own type, without end", told.GetMessage(null), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_key_that_ends_in_no_value_is_told_in_few_words()
    {
        const string node = "[ProtoContract] public class Node<T> { [ProtoMember(1), MuxKey] public Node<(T, T)>? Next; }\n";
        var run = await WithinAsync(() => GeneratorRun.Of($"{Usings}{node}[MuxService(\"s\")] public interface IService {{ ValueTask A(Node<int> node); }}", GeneratorRun.ProtoBufSource));
        Assert.Equal(["MUX0061", "MUX0095"], run.Mistakes.Select(static told => told.Id).Order());
        Assert.All(run.Mistakes, static told => Assert.InRange(told.GetMessage(null).Length, 1, 500));
    }

    [Fact]
    public async Task A_struct_that_contains_itself_many_times_is_left_to_the_compiler()
    {
        var fields = string.Concat(Enumerable.Range(1, 30).Select(static i => $"[ProtoMember({i})] public Item F{i}; "));
        var run = await WithinAsync(() => GeneratorRun.Of(
            $"{Usings}[ProtoContract] public struct Item {{ {fields} }} [MuxService(\"s\")] public interface IService {{ ValueTask A(Item item); }}", GeneratorRun.ProtoBufSource));
        Assert.Empty(run.Mistakes);
        Assert.Contains(run.Output.GetDiagnostics(TestContext.Current.CancellationToken), static told => told.Id == "CS0523");
    }

    [Theory]
    [InlineData("[ProtoContract] public class Node<T> { [ProtoMember(1)] public Node<T>? Next; [ProtoMember(2)] public T? Value; }", "Node<List<int>>")]
    [InlineData("[ProtoContract] public class Node<T> { [ProtoMember(1)] public T? Value; }", "Node<Node<Node<Node<Node<Node<Node<Node<Node<Node<List<int>>>>>>>>>>>")]
    [InlineData("[ProtoContract] public class Node<T> { [ProtoMember(1)] public Closed? Value; } [ProtoContract] public class Closed { [ProtoMember(1)] public Node<List<int>>? A; [ProtoMember(2)] public Node<Node<List<int>>>? B; }", "Node<int>")]
    [InlineData("[ProtoContract] public class Node<T> { [ProtoMember(1)] public Pair<T, List<T>>? Value; } [ProtoContract] public class Pair<T, U> { [ProtoMember(1)] public Pair<U, T>? Turned; [ProtoMember(2)] public T? Left; }", "Node<int>")]
    [InlineData("[ProtoContract] public class Node<T> { [ProtoMember(1)] public A<List<T>>? Value; } [ProtoContract] public class A<T> { [ProtoMember(1)] public B<A1<T>>? Value; } [ProtoContract] public class B<T> { [ProtoMember(1)] public C<A1<A1<T>>>? Value; } [ProtoContract] public class C<T> { [ProtoMember(1)] public T? Value; } [ProtoContract] public class A1<T> { [ProtoMember(1)] public T? Value; }", "Node<int>")]
    [InlineData("[ProtoContract] public class Node<T> { [ProtoMember(1)] public Id<Node<List<T>>>? Parent; } [ProtoContract] public class Id<T> { [ProtoMember(1)] public int Value; }", "Node<int>")]
    [InlineData("[ProtoContract] public class Node<T> { [ProtoMember(1)] public Closed? Value; public Node<List<T>> Wrap() => new(); } [ProtoContract] public class Closed { [ProtoMember(1)] public Node<List<int>>? A; }", "Node<int>")]
    [InlineData("[ProtoContract] public class Node<T> { [ProtoMember(1)] public Node<Node<int>>? Value; }", "Node<string>")]
    [InlineData("[ProtoContract] public class Node<T> { [ProtoMember(1)] public Dictionary<int, Dictionary<int, Dictionary<int, Dictionary<int, Dictionary<int, Dictionary<int, T>>>>>>? Value; }", "Node<List<int>>")]
    public async Task Generic_messages_that_have_an_end_are_generated(string source, string argument)
    {
        var run = await WithinAsync(() => GeneratorRun.Of($"{Usings}{source}[MuxService(\"s\")] public interface IService {{ ValueTask Send({argument} item); }}", GeneratorRun.ProtoBufSource));
        Assert.Empty(run.Mistakes);
        run.Load();
    }

    // A compiler that never ends would otherwise end no test run.
    private static async Task<T> WithinAsync<T>(Func<T> compile)
    {
        var compiled = Task.Run(compile, TestContext.Current.CancellationToken);
        try
        {
            return await compiled.WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
        }
        catch (TimeoutException)
        {
            throw new TimeoutException("The generator did not end within 60 s.");
        }
    }
}
