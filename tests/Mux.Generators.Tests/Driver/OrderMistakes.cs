namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with methods whose calls run one after the other.</summary>
internal static class OrderMistakes
{
    public static IEnumerable<DiagnosticCase> All =>
    [
        new("MUX0065", "no key", "[MuxService(\"s\")] public interface IService { [MuxMethod(Dispatch = MuxDispatchMode.Ordered, TimeoutMilliseconds = 5)] ValueTask [|M|](int x); }", "Method 'IService.M(int)' has Dispatch = Ordered, but it has no key", "int x", "[MuxKey] int x"),
        new("MUX0065", "no key, with the mode of the service", "[MuxService(\"s\", Dispatch = MuxDispatchMode.Ordered, TimeoutMilliseconds = 5)] public interface IService { ValueTask [|M|](int x); }", "it has no key", "Ordered", "Serial"),
        new("MUX0065", "an ordered stream", "[MuxService(\"s\", TimeoutMilliseconds = 5)] public interface IService { [MuxMethod(Dispatch = MuxDispatchMode.Ordered)] IAsyncEnumerable<int> [|M|]([MuxKey] int x); }", "a stream, or callbacks, would keep", "MuxDispatchMode.Ordered", "MuxDispatchMode.Pool"),
        new("MUX0065", "a serial stream", "[MuxService(\"s\", Dispatch = MuxDispatchMode.Serial, TimeoutMilliseconds = 5)] public interface IService { ValueTask<int> [|M|](IAsyncEnumerable<int> items); }", "has Dispatch = Serial, but a stream", "Mode.Serial", "Mode.Inline"),
        new("MUX0066", "no deadline", "[MuxService(\"s\")] public interface IService { [MuxMethod(Dispatch = MuxDispatchMode.Ordered)] ValueTask [|M|]([MuxKey] int x); }", "waits for itself without end", "(\"s\")", "(\"s\", TimeoutMilliseconds = 5)"),
        new("MUX0066", "no deadline on a connection", "[MuxService(\"s\", Dispatch = MuxDispatchMode.Serial)] public interface IService { ValueTask<int> [|M|](int x); }", "has no TimeoutMilliseconds", "\"s\", ", "\"s\", TimeoutMilliseconds = 5, "),
        new("MUX0066", "no deadline, and not awaited", "[MuxService(\"s\", Dispatch = MuxDispatchMode.Serial)] public interface IService { ValueTask [|M|](int x); }", "has no TimeoutMilliseconds", "ValueTask M", "[MuxMethod(OneWay = true)] ValueTask M"),
    ];
}
