namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with streams, options, results and errors of contract methods.</summary>
internal static class StreamMistakes
{
    private const string NotFound = "[DataContract] public class NotFound { [DataMember(Order = 1)] public int Id; } [DataContract] public class Busy { [DataMember(Order = 1)] public int Left; }\n";

    public static IEnumerable<DiagnosticCase> All =>
    [
        Method("MUX0029", "two streams", "ValueTask M(IAsyncEnumerable<int> one, int x, ChannelReader<int> [|two|]);", "takes the streams 'one' and 'two'", ", ChannelReader<int> two", ""),
        Method("MUX0029", "two streams of bytes", "ValueTask M(Stream one, PipeReader [|two|]);", "takes the streams 'one' and 'two'", "PipeReader two", "int two"),
        Method("MUX0030", "in a task", "Task<IAsyncEnumerable<int>> [|M|]();", "return IAsyncEnumerable<T> without a task", "Task<IAsyncEnumerable<int>>", "IAsyncEnumerable<int>"),
        Method("MUX0030", "in a list", "ValueTask M(List<IAsyncEnumerable<int>> [|all|]);", "a stream stands alone", "List<IAsyncEnumerable<int>>", "IAsyncEnumerable<List<int>>"),
        Method("MUX0030", "in a result that is a list", "ValueTask<Stream[]> [|M|]();", "a stream stands alone", "Stream[]", "Stream"),
        Method("MUX0030", "in a stream", "IAsyncEnumerable<ChannelReader<int>> [|M|]();", "a stream stands alone", "ChannelReader<int>", "int"),
        new("MUX0030", "in a message", "[DataContract] public class Item { [DataMember(Order = 1)] public PipeReader? [|Content|]; }" + Service("ValueTask M(Item item);"), "'Item.Content' has the type", "PipeReader? Content", "byte[]? Content"),
        Method("MUX0031", "a request stream", "[MuxMethod(OneWay = true)] ValueTask [|M|](Stream content);", "is one-way and has a stream", "OneWay = true", "OneWay = false"),
        Method("MUX0031", "a response stream", "[MuxMethod(OneWay = true)] IAsyncEnumerable<int> [|M|]();", "is one-way and has a stream", "OneWay = true", "OneWay = false"),
        Method("MUX0032", "items", "IAsyncEnumerable<MuxResult<int>> [|M|]();", "a stream reports failures by an exception", "MuxResult<int>", "int"),
        Method("MUX0032", "around a stream", "ValueTask<MuxResult<Stream>> [|M|]();", "a stream reports failures by an exception", "MuxResult<Stream>", "Stream"),
        Method("MUX0032", "beside a stream", "ValueTask<MuxResult<int>> [|M|](IAsyncEnumerable<int> items);", "a stream reports failures by an exception", "MuxResult<int>", "int"),
        Method("MUX0033", "options first", "ValueTask M(MuxCallOptions? [|options|], int x, CancellationToken token);", "'options' of", "MuxCallOptions? options, int x", "int x, MuxCallOptions? options"),
        Method("MUX0033", "options before a stream", "ValueTask M(MuxCallOptions? [|options|], Stream x);", "'options' of", "MuxCallOptions? options, Stream x", "Stream x, MuxCallOptions? options"),
        Method("MUX0033", "two options", "ValueTask M(MuxCallOptions? [|one|], MuxCallOptions? two, CancellationToken token);", "'one' of", "MuxCallOptions? one, ", ""),
        Method("MUX0009", "options after the token", "ValueTask M(CancellationToken [|token|], MuxCallOptions? options);", "'token'", "CancellationToken token, MuxCallOptions? options", "MuxCallOptions? options, CancellationToken token"),
        Method("MUX0014", "options inside", "ValueTask M(List<MuxCallOptions> [|options|]);", "options are not sent", "List<MuxCallOptions>", "MuxCallOptions"),
        Method("MUX0014", "a result as an argument", "ValueTask M(MuxResult<int> [|x|]);", "is supported only as the result of a method", "MuxResult<int>", "int"),
        Method("MUX0014", "a result in a result", "ValueTask<MuxResult<MuxResult<int>>> [|M|]();", "is supported only as the result of a method", "MuxResult<MuxResult<int>>", "MuxResult<int>"),
        Method("MUX0014", "a particular stream", "ValueTask M(MemoryStream [|x|]);", "declare it as Stream", "MemoryStream", "Stream"),
        Method("MUX0014", "a channel writer", "ValueTask M(ChannelWriter<int> [|x|]);", "ChannelReader<T> is supported", "ChannelWriter", "ChannelReader"),
        Method("MUX0014", "a pipe writer", "ValueTask M(PipeWriter [|x|]);", "PipeReader is supported", "PipeWriter", "PipeReader"),
        Error("MUX0034", "zero", "[MuxError<NotFound>(0)] ValueTask [|M|]();", "has the number 0", "(0)", "(1)"),
        Error("MUX0034", "three bytes", "[MuxError<NotFound>(65536)] ValueTask [|M|]();", "has the number 65536", "65536", "65535"),
        Error("MUX0035", "a number twice", "[MuxError<NotFound>(1), MuxError<Busy>(1)] ValueTask [|M|]();", "the number 1 twice", "Busy>(1)", "Busy>(2)"),
        Error("MUX0035", "a type twice", "[MuxError<NotFound>(1), MuxError<NotFound>(2)] ValueTask [|M|]();", "the type 'NotFound' twice", "MuxError<NotFound>(2)", "MuxError<Busy>(2)"),
        new("MUX0035", "a number of the service", NotFound + "[MuxService(\"s\"), MuxError<NotFound>(1)] public interface IService { [MuxError<Busy>(1)] ValueTask [|M|](); }", "the number 1 twice", "Busy>(1)", "Busy>(2)"),
        new("MUX0035", "twice at the service", NotFound + "[MuxService(\"s\"), MuxError<NotFound>(1), MuxError<Busy>(1)] public interface [|IService|] { ValueTask M(); ValueTask N(); }", "the number 1 twice", "Busy>(1)", "Busy>(2)"),
        Error("MUX0036", "a number", "[MuxError<int>(1)] ValueTask [|M|]();", "'int', which is not a message", "<int>", "<Busy>"),
        new("MUX0036", "a service without methods", "[MuxService(\"s\"), MuxError<int>(1)] public interface [|IService|] { }", "'int', which is not a message", ", MuxError<int>(1)", ""),
        Error("MUX0036", "a list", "[MuxError<List<Busy>>(1)] ValueTask [|M|]();", "which is not a message", "List<Busy>", "Busy"),
        Method("MUX0037", "no deadline", "[MuxMethod(TimeoutMilliseconds = 0)] ValueTask [|M|]();", "TimeoutMilliseconds = 0", "TimeoutMilliseconds = 0", "TimeoutMilliseconds = 1"),
        Method("MUX0037", "a negative limit", "[MuxMethod(MaxMessageBytes = -1)] ValueTask [|M|]();", "MaxMessageBytes = -1", "MaxMessageBytes = -1", "MaxMessageBytes = 1"),
        Method("MUX0037", "no member", "[MuxMethod(Priority = (MuxCallPriority)3)] ValueTask [|M|]();", "Priority = 3", "(MuxCallPriority)3", "MuxCallPriority.Low"),
        Method("MUX0037", "no member of another", "[MuxMethod(Dispatch = (MuxDispatchMode)6)] ValueTask [|M|]();", "Dispatch = 6", "(MuxDispatchMode)6", "MuxDispatchMode.Adaptive"),
        new("MUX0037", "at the service", "[MuxService(\"s\", TimeoutMilliseconds = -5)] public interface [|IService|] { ValueTask M(); ValueTask N(); }", "TimeoutMilliseconds = -5", "-5", "5"),
    ];

    private static string Service(string method) => $" [MuxService(\"s\")] public interface IService {{ {method} }}";

    private static DiagnosticCase Method(string id, string what, string method, string says, string replace, string with) => new(id, what, Service(method), says, replace, with);

    private static DiagnosticCase Error(string id, string what, string method, string says, string replace, string with) => new(id, what, NotFound + Service(method), says, replace, with);
}
