using System.Text;
using Mux.Contracts;

namespace Mux.Tool.Contracts;

/// <summary>Makes calls of any shape and prints what comes, one line of JSON each, when it comes.</summary>
/// <param name="channel">Where to.</param>
/// <param name="method">The method.</param>
/// <param name="metadata">Metadata to send; null for none.</param>
/// <param name="timeout">The longest time of the call; infinite for none. That of a channel limits no stream.</param>
internal sealed class MethodCall(MuxChannel channel, CalledMethod method, MuxMetadata? metadata, TimeSpan timeout)
{
    private readonly RawCaller _caller = method.CreateCaller(channel);
    private readonly MuxCallOptions _options = new() { Metadata = metadata, Timeout = timeout };

    /// <summary>Gets how many messages were printed.</summary>
    public long Printed { get; private set; }

    /// <summary>Gets which of several requests is being called; empty with one request.</summary>
    public string Place { get; private set; } = "";

    /// <summary>Gets which requests are not sent if that call fails; null if there is none.</summary>
    public string? Unsent { get; private set; }

    /// <summary>Makes the call, or one call for each request where the method has no request stream.</summary>
    /// <exception cref="MuxException">The call failed; the requests after it were not sent.</exception>
    /// <exception cref="ToolException">A message cannot be read or shown.</exception>
    public async Task RunAsync(CallInput input, CancellationToken cancellationToken)
    {
        if (!method.Method.IsRequestStream)
        {
            var requests = await RequestInput.ReadAsync(input, method, cancellationToken).ConfigureAwait(false);
            for (int i = 0; i < requests.Count; i++)
            {
                SetPlace(i + 1, requests.Count);
                await CallAsync(requests[i].Message, cancellationToken).ConfigureAwait(false);
            }

            return;
        }

        var arguments = await input.ReadArgumentsAsync(method.Arguments, cancellationToken).ConfigureAwait(false);
        try
        {
            var items = input.ReadItemsAsync(method.Request, cancellationToken);
            if (!method.Method.IsResponseStream)
                await PrintReplyAsync(_caller.CallAsync(arguments, items, _options, cancellationToken))
                    .ConfigureAwait(false);
            else
                await PrintAsync(_caller.StreamAsync(arguments, items, _options, cancellationToken), long.MaxValue)
                    .ConfigureAwait(false);
        }
        catch (Exception) when (input.Failure is not null)
        {
            throw input.Failure;
        }
    }

    /// <summary>Prints a response stream, until so many messages are printed in all.</summary>
    /// <exception cref="MuxException">The call failed.</exception>
    /// <exception cref="ToolException">A message cannot be shown.</exception>
    public Task StreamAsync(ReadOnlyMemory<byte> request, long count, CancellationToken cancellationToken) =>
        PrintAsync(_caller.StreamAsync(request, items: null, _options, cancellationToken), count);

    private Task CallAsync(ReadOnlyMemory<byte> request, CancellationToken cancellationToken) => method.Method.IsResponseStream
        ? StreamAsync(request, long.MaxValue, cancellationToken)
        : PrintReplyAsync(_caller.CallAsync(request, _options, cancellationToken));

    private void SetPlace(int number, int count)
    {
        if (count == 1) return;
        Place = $"Request {number} of {count}: ";
        int rest = count - number;
        Unsent = rest switch { 0 => null, 1 => $"request {count}", _ => $"requests {number + 1} to {count}" };
    }

    private async Task PrintReplyAsync(ValueTask<byte[]> reply)
    {
        var message = await reply.ConfigureAwait(false);
        if (!method.Method.IsOneWay) Print(message);
    }

    private async Task PrintAsync(IAsyncEnumerable<byte[]> messages, long count)
    {
        await foreach (var message in messages.ConfigureAwait(false))
        {
            Print(message);
            if (Printed >= count) return;
        }
    }

    private void Print(byte[] message)
    {
        try
        {
            Console.Out.WriteLine(Encoding.UTF8.GetString(method.Response.Write(message)));
        }
        catch (InvalidDataException error)
        {
            throw new ToolException(ExitCode.Faulty, $"{Place}{error.Message}", error);
        }

        Console.Out.Flush();
        Printed++;
    }
}
