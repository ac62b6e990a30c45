using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>The C# that turns the streams of a contract into those of the runtime, and the other way.</summary>
internal static class StreamAdapter
{
    private const string ValueTask = "global::System.Threading.Tasks.ValueTask";
    private const string Task = "global::System.Threading.Tasks.Task";

    /// <summary>
    /// In the proxy: the items of the argument that is the request stream; null if that is null, of which the runtime makes the failure of the call.
    /// </summary>
    public static string ItemsOf(StreamForm form, string argument) => form switch
    {
        StreamForm.Items => argument,
        StreamForm.Channel => $"{argument}?.ReadAllAsync()",
        _ => $"ByteStreams.From({argument})",
    };

    /// <summary>In the proxy: what the contract returns, made of a call.</summary>
    public static string ResultOf(MethodModel method, string call, string token)
    {
        bool isBare = method.ReturnForm == ReturnForm.Bare;
        var result = method.ResponseStream switch
        {
            StreamForm.Channel => $"ItemStreams.ToChannel({call}, {token})",
            StreamForm.Bytes => $"ByteStreams.{(isBare ? "ToStream" : "OpenStreamAsync")}({call})",
            StreamForm.Pipe => $"ByteStreams.{(isBare ? "ToPipe" : "OpenPipeAsync")}({call})",
            _ => call,
        };
        bool isOpened = method.ResponseStream is StreamForm.Bytes or StreamForm.Pipe;
        return method.ReturnForm switch
        {
            ReturnForm.Bare => result,
            ReturnForm.Task => isOpened ? $"{result}.AsTask()" : $"{Task}.FromResult<{method.ResultType}>({result})",
            _ => isOpened ? result : $"new {ValueTask}<{method.ResultType}>({result})",
        };
    }

    /// <summary>At the server: the argument that is the request stream.</summary>
    public static string ArgumentOf(StreamForm form) => form switch
    {
        StreamForm.Items => "items",
        StreamForm.Channel => "ItemStreams.ToChannel(items, cancellationToken)",
        StreamForm.Bytes => "ByteStreams.ToStream(items)",
        _ => "ByteStreams.ToPipe(items)",
    };

    /// <summary>At the server: the items of what the implementation returned.</summary>
    public static string ItemsOfResult(MethodModel method, string call)
    {
        if (method.ResponseStream == StreamForm.Items) return call;
        var result = method.ReturnForm == ReturnForm.ValueTask ? call : $"new {ValueTask}<{method.ResultType}>({call})";
        return method.ResponseStream == StreamForm.Channel ? $"ItemStreams.FromResult({result})" : $"ByteStreams.FromResult({result})";
    }
}
