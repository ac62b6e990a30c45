using System.CommandLine;
using Mux.Tool.Commands;
using Mux.Tool.Reporting;
using Mux.Tool.Serving;

namespace Mux.Tool.Contracts;

/// <summary><c>mux watch</c>: prints a response stream, and calls again when the connection is lost.</summary>
internal static class WatchCommand
{
    private const string Name = "watch";

    private static readonly TimeSpan s_minPause = TimeSpan.FromMilliseconds(100), s_maxPause = TimeSpan.FromSeconds(5);

    public static Command Create()
    {
        var arguments = new CallArguments();
        var count = CheckedOption.Number("--count", 1, int.MaxValue, "End after so many items", "none");
        var command = new ToolCommand(Name,
            "Prints the items of a response stream as JSON, one a line, each when it comes, and calls again when the connection is lost. Ends when the " +
            "stream ends, after --count items, or at Ctrl-C.")
        {
            Examples =
            [
                new("mux watch mux://127.0.0.1:7070 shop.Orders/Watch -d '{}'", "Until Ctrl-C"),
                new("mux watch mux://127.0.0.1:7070 shop.Orders/Watch -d '{}' --count 1", "The next item"),
            ],
        };
        command.Add(OptionGroup.Calls, count);
        arguments.AddTo(command);
        command.SetAction((result, cancellationToken) => arguments.RunAsync(
            result,
            Name,
            (call, method, input, interrupt) =>
                WatchAsync(call, method, input, result.GetValue(count) ?? long.MaxValue, interrupt),
            cancellationToken));
        return command;
    }

    private static async Task WatchAsync(
        MethodCall call, CalledMethod method, CallInput input, long count, CancellationToken cancellationToken)
    {
        if (method.Method.IsRequestStream || !method.Method.IsResponseStream)
            throw new ToolException(ExitCode.Usage,
                $"'{method.Name}' has {(method.Method.IsRequestStream ? "a request stream" : "no response stream")}: 'mux call' calls it.");
        if (await RequestInput.ReadAsync(input, method, cancellationToken).ConfigureAwait(false) is not [{ Message: var request }])
            throw new ToolException(ExitCode.Usage,
                $"{CallInput.Name} has several requests: expected one, whose stream is watched; 'mux call' sends several.");
        var pause = s_minPause;
        while (true)
        {
            long before = call.Printed;
            try
            {
                await call.StreamAsync(request, count, cancellationToken).ConfigureAwait(false);
                return;
            }
            catch (MuxException error)
                when (error.Status == MuxStatus.Unavailable && !cancellationToken.IsCancellationRequested)
            {
                if (call.Printed > before) pause = s_minPause;
                Console.Error.WriteLine(PrintableText.Of(
                    $"mux {Name}: {FlagNames.In(error.Message)} Calling again in {new Duration(pause)}."));
            }

            await Task.Delay(pause, TimeProvider.System, cancellationToken).ConfigureAwait(false);
            pause = pause * 2 < s_maxPause ? pause * 2 : s_maxPause;
        }
    }
}
