using System.Runtime.CompilerServices;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Contract;

/// <summary>Scripts that many tests use.</summary>
public static class Scripts
{
    /// <summary>Gives back each request as it comes.</summary>
    public static Script Echo { get; } = (requests, _, _) => requests;

    /// <summary>Reads all requests and replies with nothing but these.</summary>
    public static Script Replies(params Payload[] replies)
    {
        return Run;

        async IAsyncEnumerable<Payload> Run(IAsyncEnumerable<Payload> requests, MuxCallOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            await foreach (var _ in requests.WithCancellation(cancellationToken))
            {
                // To their end.
            }

            foreach (var reply in replies) yield return reply;
        }
    }

    /// <summary>Replies so many times, numbered from 0, and then waits for a signal, or for its token if there is none.</summary>
    public static Script Hold(int replies, Signal? until = null)
    {
        return Run;

        async IAsyncEnumerable<Payload> Run(IAsyncEnumerable<Payload> requests, MuxCallOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            for (int i = 0; i < replies; i++) yield return new Payload { Number = i };
            if (until is not null) await until.WaitAsync();
            else await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
        }
    }

    /// <summary>Reads everything as it comes, replies so many times in front of it, and then waits for its token.</summary>
    public static Script ReadAndHold(int replies)
    {
        return Run;

        async IAsyncEnumerable<Payload> Run(IAsyncEnumerable<Payload> requests, MuxCallOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            for (int i = 0; i < replies; i++) yield return new Payload { Number = i };
            await foreach (var _ in requests.WithCancellation(cancellationToken))
            {
                // As fast as they come.
            }

            await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
        }
    }

    /// <summary>Adds metadata to the reply, replies so many times, and fails.</summary>
    public static Script Fail(MuxException error, int after = 0, Action<MuxMetadata>? metadata = null)
    {
        return Run;

        async IAsyncEnumerable<Payload> Run(IAsyncEnumerable<Payload> requests, MuxCallOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
        {
            metadata?.Invoke(options.ResponseMetadata!);
            await Task.CompletedTask;
            for (int i = 0; i < after; i++) yield return new Payload { Number = i };
            throw error;
        }
    }
}
