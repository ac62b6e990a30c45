using System.CommandLine;
using Mux.Tool.Commands;

namespace Mux.Tool.Contracts;

/// <summary>What commands have in common that call a method by its name.</summary>
internal sealed class CallArguments
{
    private readonly Argument<string> _address = new("ADDRESS")
    {
        Description = $"The server: {CheckedOption.Addresses}",
    };

    private readonly Argument<string> _method = new("METHOD")
    {
        Description = "The method as SERVICE/METHOD, such as shop.Orders/Find",
    };

    private readonly Option<MuxMetadata?> _metadata = CallMetadata.Create();
    private readonly ServerOptions _server = new();
    private readonly Option<bool> _defaults = new("--emit-defaults")
    {
        Description =
            "Print fields of replies also where they are zero or empty; those that know whether they are there stay away",
    };

    private readonly Option<ByteCount> _maxMessage = CheckedOption.Bytes(
        "--max-message", ServerTarget.DefaultMaxMessage, ServerTarget.LeastMaxMessage, MessageText.LargestMessage,
        "Bytes of the largest reply or item that is taken");

    private readonly SourceOptions _sources = new();

    private readonly Option<string?> _data = new(CallInput.Name, "-d")
    {
        Description =
            "The request as JSON, or where it is: @FILE, or @- for the standard input. Several requests, one after the " +
            "other or as an array, are a call each. Of a request stream they are the items of one call, behind the " +
            "message before the stream if there is one [default: @- for a request stream]. A request or an item that is " +
            "an array must be inside an array",
        HelpName = "JSON",
    };

    public void AddTo(ToolCommand command)
    {
        command.Arguments.Add(_address);
        command.Arguments.Add(_method);
        command.Add(OptionGroup.Calls, _data, _metadata, _maxMessage, _defaults);
        _sources.AddTo(command);
        _server.AddTo(command);
    }

    /// <summary>Finds the method, calls it, and tells how that failed.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="command">Name of the command.</param>
    /// <param name="call">Calls the method with the input.</param>
    /// <param name="cancellationToken">Ends it, as Ctrl-C does.</param>
    public async Task<int> RunAsync(
        ParseResult result, string command, Func<MethodCall, CalledMethod, CallInput, CancellationToken, Task> call,
        CancellationToken cancellationToken)
    {
        using var interrupt = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        using var signals = new InterruptSignals(interrupt);
        var target = _server.Read(result, result.GetRequiredValue(_address));
        CalledMethod? method = null;
        MethodCall? made = null;
        try
        {
            var source = _sources.Read(result) ?? new ReflectedContracts(target);
            method = await CalledMethod.FindAsync(source, result.GetRequiredValue(_method), interrupt.Token,
                result.GetValue(_defaults)).ConfigureAwait(false);
            using var input = new CallInput(result.GetValue(_data));
            var channel = target.CreateChannel((int)result.GetValue(_maxMessage).Value);
            await using var channelEnd = channel.ConfigureAwait(false);
            made = new MethodCall(channel, method, result.GetValue(_metadata), TimeoutOf(method, result, target));
            await call(made, method, input, interrupt.Token).ConfigureAwait(false);
            return ExitCode.Success;
        }
        catch (MuxException error) when (method is not null && !interrupt.IsCancellationRequested)
        {
            IEnumerable<string> lines = CallFailure.Lines(error, method);
            if (made?.Unsent is { } unsent) lines = lines.Append($"  not sent: {unsent}");
            Console.Error.WriteLine($"mux {command}: {made?.Place}{string.Join(Environment.NewLine, lines)}");
            return ServerTarget.ExitCodeOf(error);
        }
        catch (Exception error)
            when (error is OperationCanceledException or MuxException && interrupt.IsCancellationRequested)
        {
            throw new ToolException(ExitCode.Interrupted, "Interrupted.", error);
        }
    }

    /// <summary>Gets the time limit: a stream has none, unless the command line sets one.</summary>
    private TimeSpan TimeoutOf(CalledMethod method, ParseResult result, ServerTarget target)
    {
        if (_server.HasTimeout(result)) return target.Timeout;
        bool isStream = method.Method.IsRequestStream || method.Method.IsResponseStream;
        return method.Method.Timeout ?? (isStream ? Timeout.InfiniteTimeSpan : target.Timeout);
    }
}
