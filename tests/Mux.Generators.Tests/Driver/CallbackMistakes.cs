namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with callbacks and the methods that take them.</summary>
internal static class CallbackMistakes
{
    private const string Taker = "[MuxService(\"s\")] public interface IService { ValueTask M(IBack back); }\n";

    public static IEnumerable<DiagnosticCase> All =>
    [
        Method("beside a stream", "ValueTask M(IBack [|back|], IAsyncEnumerable<int> items);", "and the stream 'items'", ", IAsyncEnumerable<int> items", ""),
        Method("beside a response stream", "IAsyncEnumerable<int> M(IBack [|back|]);", "and returns a stream", "IAsyncEnumerable<int>", "ValueTask<int>"),
        Method("one-way", "[MuxMethod(OneWay = true)] ValueTask M(IBack [|back|]);", "is one-way", "OneWay = true", "OneWay = false"),
        Method("beside a result", "ValueTask<MuxResult<int>> M(IBack [|back|]);", "returns a MuxResult", "MuxResult<int>", "int"),
        Method("that may be null", "ValueTask M(IBack? [|back|]);", "which may be null", "IBack?", "IBack"),
        Method("with a default", "ValueTask M(IBack [|back|] = null!);", "which may be null", " = null!", ""),
        Method("in a list", "MUX0013", "ValueTask M(List<IBack> [|backs|]);", "a callback is a parameter of a contract method", "List<IBack>", "IBack"),
        Method("as a result", "MUX0013", "ValueTask<IBack> [|M|]();", "a callback is a parameter of a contract method", "ValueTask<IBack>", "ValueTask"),
        Method("as a key", "MUX0061", "ValueTask M([MuxKey] IBack [|back|]);", "only an argument", "[MuxKey] ", ""),
        Method("of a call in order", "MUX0065", "[MuxMethod(Dispatch = MuxDispatchMode.Serial)] ValueTask [|M|](IBack back);", "a stream, or callbacks, would keep", "Mode.Serial", "Mode.Pool"),
        Back("a stream", "ValueTask [|C|](IAsyncEnumerable<int> items);", "takes the stream 'items'", "IAsyncEnumerable<int>", "int"),
        Back("a response stream", "IAsyncEnumerable<int> [|C|]();", "returns a stream", "IAsyncEnumerable<int>", "ValueTask<int>"),
        Back("a result", "ValueTask<MuxResult<int>> [|C|]();", "returns a MuxResult", "MuxResult<int>", "int"),
        Back("a callback", "ValueTask [|C|](IBack other);", "takes the callback 'other'", "IBack other", ""),
        Back("options", "ValueTask [|C|](MuxCallOptions? options);", "takes MuxCallOptions", "MuxCallOptions? options", ""),
        Back("a timeout", "[MuxMethod(TimeoutMilliseconds = 5)] ValueTask [|C|]();", "sets TimeoutMilliseconds", "(TimeoutMilliseconds = 5)", ""),
        Back("access", "[MuxAuthorize] ValueTask [|C|]();", "has the attribute Mux.MuxAuthorizeAttribute", "[MuxAuthorize] ", ""),
        new("MUX0088", "without methods", Taker + "[MuxCallback] public interface [|IBack|] { }", "no method that could be called back", "IBack { }", "IBack { ValueTask C(); }"),
        new("MUX0037", "with no callback at a time", Taker + "[MuxCallback(Concurrent = 0)] public interface [|IBack|] { ValueTask C(); }", "allowed are 1 to 64", "Concurrent = 0", "Concurrent = 64"),
        new("MUX0037", "with too many at a time", Taker + "[MuxCallback(Concurrent = 65)] public interface [|IBack|] { ValueTask C(); }", "Concurrent = 65", "65", "64"),
        new("MUX0005", "with a property", Taker + "[MuxCallback] public interface IBack { ValueTask C(); int [|Size|] { get; } }", "a property", "int Size { get; }", ""),
        new("MUX0005", "with an event", Taker + "[MuxCallback] public interface IBack { ValueTask C(); event System.Action [|Went|]; }", "an event", "event System.Action Went;", ""),
        new("MUX0006", "with a generic method", Taker + "[MuxCallback] public interface IBack { ValueTask [|C|]<T>(); }", "C", "C<T>", "C"),
        new("MUX0007", "that returns a value", Taker + "[MuxCallback] public interface IBack { int [|C|](); }", "int", "int C", "ValueTask<int> C"),
        new("MUX0009", "whose token is first", Taker + "[MuxCallback] public interface IBack { ValueTask C(CancellationToken [|token|], int x); }", "token", "CancellationToken token, int x", "int x, CancellationToken token"),
        new("MUX0011", "with overloads", Taker + "[MuxCallback] public interface IBack { ValueTask C(); ValueTask [|C|](int x); }", "C", "ValueTask C(int x)", "[MuxMethod(\"D\")] ValueTask C(int x)"),
        new("MUX0012", "one-way with a result", Taker + "[MuxCallback] public interface IBack { [MuxMethod(OneWay = true)] ValueTask<int> [|C|](); }", "one-way", "ValueTask<int>", "ValueTask"),
    ];

    private static DiagnosticCase Method(string what, string method, string says, string replace, string with) => Method(what, "MUX0064", method, says, replace, with);

    private static DiagnosticCase Method(string what, string id, string method, string says, string replace, string with) =>
        new(id, "a callback " + what, $"[MuxCallback] public interface IBack {{ ValueTask C(); }} [MuxService(\"s\")] public interface IService {{ {method} }}", says, replace, with);

    private static DiagnosticCase Back(string what, string method, string says, string replace, string with) =>
        new("MUX0088", "a callback with " + what, Taker + $"[MuxCallback] public interface IBack {{ ValueTask Other(); {method} }}", says, replace, with);
}
