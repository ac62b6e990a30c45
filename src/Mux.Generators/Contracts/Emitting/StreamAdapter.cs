using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>C# that converts between the streams of a contract and those of the runtime.</summary>
internal static class StreamAdapter
{
    private const string ValueTask = "global::System.Threading.Tasks.ValueTask";
    private const string Task = "global::System.Threading.Tasks.Task";

    /// <summary>For the proxy: the items of the request stream argument. Stays null if the argument is null; the runtime then fails the call.</summary>
    public static string ItemsOf(StreamForm form, string argument) => form switch
    {
        StreamForm.Items => argument,
        StreamForm.Channel => $"{argument}?.ReadAllAsync()",
        _ => $"ByteStreams.From({argument})",
    };

    /// <summary>For the proxy: converts a call to the return type of the contract.</summary>
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

    /// <summary>For the server: the argument for the request stream.</summary>
    public static string ArgumentOf(StreamForm form) => form switch
    {
        StreamForm.Items => "items",
        StreamForm.Channel => "ItemStreams.ToChannel(items, cancellationToken)",
        StreamForm.Bytes => "ByteStreams.ToStream(items)",
        _ => "ByteStreams.ToPipe(items)",
    };

    /// <summary>For the server: the items of the implementation's result.</summary>
    public static string ItemsOfResult(MethodModel method, string call)
    {
        if (method.ResponseStream == StreamForm.Items) return call;
        var result = method.ReturnForm == ReturnForm.ValueTask ? call : $"new {ValueTask}<{method.ResultType}>({call})";
        return method.ResponseStream == StreamForm.Channel ? $"ItemStreams.FromResult({result})" : $"ByteStreams.FromResult({result})";
    }
}
