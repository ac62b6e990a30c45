namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with contract interfaces and their methods.</summary>
internal static class ContractMistakes
{
    public static IEnumerable<DiagnosticCase> All =>
    [
        new("MUX0001", "no name", "[MuxService(\"\")] public interface [|IService|] { ValueTask M(); }", "'' of contract 'IService' must be 1 to 127", "\"\"", "\"s\""),
        new("MUX0001", "a space", "[MuxService(\"a b\")] public interface [|IService|] { ValueTask M(); }", "'a b'", "a b", "a.b_c-d9"),
        new("MUX0001", "a long name", $"[MuxService(\"{new string('x', 128)}\")] public interface [|IService|] {{ ValueTask M(); }}", "1 to 127", new string('x', 128), new string('x', 127)),
        new("MUX0002", "generic", "[MuxService(\"s\")] public interface [|IService|]<T> { ValueTask M(); }", "'IService<T>' is generic", "<T>", ""),
        new("MUX0002", "in a generic type", "public class Outer<T> { [MuxService(\"s\")] public interface [|IService|] { ValueTask M(); } }", "is generic", "Outer<T>", "Outer"),
        new("MUX0003", "disposal", "[MuxService(\"s\")] public interface [|IService|] : System.IDisposable { ValueTask M(); }", "inherits 'System.IDisposable'", " : System.IDisposable", ""),
        new("MUX0003", "inherited disposal", "public interface IBase : System.IAsyncDisposable { } [MuxService(\"s\")] public interface [|IService|] : IBase { ValueTask M(); }", "inherits 'System.IAsyncDisposable'", " : System.IAsyncDisposable", ""),
        new("MUX0004", "private", "public class Outer { [MuxService(\"s\")] private interface [|IService|] { ValueTask M(); } }", "'Outer.IService' cannot be reached", "private", "internal"),
        new("MUX0004", "file-local", "[MuxService(\"s\")] file interface [|IService|] { ValueTask M(); }", "cannot be reached", "file", "internal"),
        new("MUX0005", "a property", "[MuxService(\"s\")] public interface IService { ValueTask M(); int [|Size|] { get; } }", "'IService.Size' is a property", "int Size { get; }", ""),
        new("MUX0005", "an event", "[MuxService(\"s\")] public interface IService { event System.Action [|Changed|]; }", "is an event", "event System.Action Changed;", ""),
        new("MUX0005", "an indexer", "[MuxService(\"s\")] public interface IService { int [|this|][int i] { get; } }", "is an indexer", "int this[int i] { get; }", ""),
        new("MUX0005", "an inherited property", "public interface IBase { int [|Size|] { get; } } [MuxService(\"s\")] public interface IService : IBase { ValueTask M(); }", "'IBase.Size' is a property", "{ get; }", "=> 3;"),
        new("MUX0005", "static without a body", "[MuxService(\"s\")] public interface IService { ValueTask M(); static abstract ValueTask [|N|](); }", "is static and without a body", "static abstract ValueTask N();", "static ValueTask N() => default;"),
        new("MUX0005", "an attribute on a body that stays", "[MuxService(\"s\")] public interface IService { [MuxMethod] sealed ValueTask [|M|]() => default; }", "cannot be overridden", "sealed ", ""),
        new("MUX0005", "a protected method", "[MuxService(\"s\")] public interface IService { protected ValueTask [|M|](); }", "is hidden from the code", "protected ", ""),
        new("MUX0006", "generic", "[MuxService(\"s\")] public interface IService { ValueTask [|M|]<T>(); }", "is generic", "<T>", ""),
        new("MUX0007", "no task", "[MuxService(\"s\")] public interface IService { int [|M|](); }", "returns 'int'", "int M", "ValueTask<int> M"),
        new("MUX0007", "void", "[MuxService(\"s\")] public interface IService { void [|M|](); }", "returns 'void'", "void", "Task"),
        new("MUX0007", "another task", "public class ValueTask<T> { } [MuxService(\"s\")] public interface IService { global::ValueTask<int> [|M|](); }", "returns 'ValueTask<int>'", "global::ValueTask<int> M", "System.Threading.Tasks.ValueTask<int> M"),
        new("MUX0008", "ref", "[MuxService(\"s\")] public interface IService { ValueTask M(ref int [|x|]); }", "'x' of 'IService.M(ref int)' is 'ref'", "ref ", ""),
        new("MUX0008", "out", "[MuxService(\"s\")] public interface IService { ValueTask M(out int [|x|]); }", "is 'out'", "out ", ""),
        new("MUX0008", "in", "[MuxService(\"s\")] public interface IService { ValueTask M(in int [|x|]); }", "is 'in'", "in int", "int"),
        new("MUX0008", "params", "[MuxService(\"s\")] public interface IService { ValueTask M(params int[] [|x|]); }", "is 'params'", "params ", ""),
        new("MUX0009", "a token first", "[MuxService(\"s\")] public interface IService { ValueTask M(CancellationToken [|token|], int x); }", "'token'", "CancellationToken token, int x", "int x, CancellationToken token"),
        new("MUX0009", "two tokens", "[MuxService(\"s\")] public interface IService { ValueTask M(CancellationToken [|one|], CancellationToken two); }", "'one'", "CancellationToken one, ", ""),
        new("MUX0010", "a method name", "[MuxService(\"s\")] public interface IService { [MuxMethod(\"a/b\")] ValueTask [|M|](); }", "'a/b' of method 'IService.M()'", "a/b", "a.b"),
        new("MUX0010", "letters beyond ASCII", "[MuxService(\"s\")] public interface IService { ValueTask [|Größe|](); }", "'Größe'", "ValueTask Größe", "[MuxMethod(\"Size\")] ValueTask Größe"),
        new("MUX0011", "overloads", "[MuxService(\"s\")] public interface IService { ValueTask M(int x); ValueTask [|M|](string x); }", "the same wire name 'M'", "ValueTask M(string", "[MuxMethod(\"M2\")] ValueTask M(string"),
        new("MUX0011", "Async", "[MuxService(\"s\")] public interface IService { ValueTask M(); ValueTask [|MAsync|](); }", "the same wire name 'M'", "MAsync", "NAsync"),
        new("MUX0011", "two of one generic interface", "public interface IStore<T> { ValueTask [|M|](T x); } [MuxService(\"s\")] public interface IService : IStore<int>, IStore<string> { }", "'IStore<int>.M(int)' and 'IStore<string>.M(string)'", ", IStore<string>", ""),
        new("MUX0011", "a hidden method", "public interface IBase { ValueTask [|M|](); } [MuxService(\"s\")] public interface IService : IBase { new ValueTask M(); }", "'IService.M()' and 'IBase.M()'", "new ValueTask", "[MuxMethod(\"N\")] new ValueTask"),
        new("MUX0012", "a result", "[MuxService(\"s\")] public interface IService { [MuxMethod(OneWay = true)] ValueTask<int> [|M|](); }", "is one-way and returns", "ValueTask<int>", "ValueTask"),
    ];
}
