namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with methods whose calls come in batches.</summary>
internal static class BatchMistakes
{
    public static IEnumerable<DiagnosticCase> All =>
    [
        Method("no call", "[MuxMethod(Batched = 0)] ValueTask<int> [|M|](int x);", "has Batched = 0, but a batch has 1 to 1024 calls", "= 0", "= 1"),
        Method("too many calls", "[MuxMethod(Batched = 1025)] ValueTask<int> [|M|](int x);", "1 to 1024", "1025", "1024"),
        Method("a response stream", "[MuxMethod(Batched = 5)] IAsyncEnumerable<int> [|M|](int x);", "a method with a stream", "IAsyncEnumerable<int>", "ValueTask<int>"),
        Method("a request stream", "[MuxMethod(Batched = 5)] ValueTask<int> [|M|](IAsyncEnumerable<int> x);", "a method with a stream", "IAsyncEnumerable<int>", "int"),
        new("MUX0067", "a callback", "namespace Shop; [MuxCallback] public interface IBack { ValueTask C(); } [MuxService(\"s\")] public interface IService { [MuxMethod(Batched = 5)] ValueTask<int> [|M|](int x, IBack back); }", "a method with a stream", ", IBack back", ""),
        Method("one way", "[MuxMethod(Batched = 5, OneWay = true)] ValueTask [|M|](int x);", "have no results", ", OneWay = true", ""),
        Method("an order", "[MuxMethod(Batched = 5, Dispatch = MuxDispatchMode.Ordered, TimeoutMilliseconds = 5)] ValueTask [|M|]([MuxKey] int x);", "are not called together", "Ordered", "Pool"),
        Method("no argument", "[MuxMethod(Batched = 5)] ValueTask<int> [|M|](CancellationToken token);", "it takes 0 arguments", "M(", "M(int x, "),
        Method("two arguments", "[MuxMethod(Batched = 5)] ValueTask<int> [|M|](int x, int y);", "it takes 2 arguments", ", int y", ""),
        new("MUX0067", "no namespace", "[MuxService(\"s\")] public interface IService { [MuxMethod(Batched = 5)] ValueTask<int> [|M|](int x); }", "must be in a namespace", "[MuxService", "namespace Shop; [MuxService"),
    ];

    private static DiagnosticCase Method(string what, string method, string says, string replace, string with) =>
        new("MUX0067", what, $"namespace Shop; [MuxService(\"s\")] public interface IService {{ {method} }}", says, replace, with);
}
