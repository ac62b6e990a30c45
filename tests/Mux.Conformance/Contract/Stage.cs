using System.Runtime.CompilerServices;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Contract;

/// <summary>Handlers that follow a script.</summary>
public sealed class Stage(Script script) : IStage
{
    /// <summary>What handlers do from now on.</summary>
    public Script Script { get; set; } = script;

    /// <summary>Handlers that have begun.</summary>
    public Counter Started { get; } = new("handlers that have begun");

    /// <summary>Requests that handlers have been given.</summary>
    public Counter Read { get; } = new("requests that were read");

    /// <summary>Handlers whose token fired before they were over.</summary>
    public Counter Cancelled { get; } = new("handlers whose token fired");

    /// <summary>Handlers whose script is over, disposed of what they held.</summary>
    public Counter Ended { get; } = new("handlers that are over");

    public ValueTask<Payload> Ask(Payload request, MuxCallOptions? options, CancellationToken cancellationToken) => LastAsync(Play(One(request), options!, cancellationToken));

    public ValueTask<Payload> Collect(IAsyncEnumerable<Payload> requests, MuxCallOptions? options, CancellationToken cancellationToken) => LastAsync(Play(requests, options!, cancellationToken));

    public IAsyncEnumerable<Payload> List(Payload request, MuxCallOptions? options, CancellationToken cancellationToken) => Play(One(request), options!, cancellationToken);

    public IAsyncEnumerable<Payload> Talk(IAsyncEnumerable<Payload> requests, MuxCallOptions? options, CancellationToken cancellationToken) => Play(requests, options!, cancellationToken);

    public async ValueTask<MuxResult<Payload>> Attempt(Payload request, MuxCallOptions? options, CancellationToken cancellationToken) => await Ask(request, options, cancellationToken);

    public async ValueTask Tell(Payload request, MuxCallOptions? options, CancellationToken cancellationToken) => await Ask(request, options, cancellationToken);

    private async IAsyncEnumerable<Payload> Play(IAsyncEnumerable<Payload> requests, MuxCallOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Started.Add();
        int told = 0;
        using var registration = cancellationToken.Register(Tell);
        try
        {
            await foreach (var reply in Script(Counted(requests, cancellationToken), options, cancellationToken)) yield return reply;
        }
        finally
        {
            if (cancellationToken.IsCancellationRequested) Tell(); // what the script has registered runs first, and may end it
            Ended.Add();
        }

        void Tell()
        {
            if (Interlocked.Exchange(ref told, 1) == 0) Cancelled.Add();
        }
    }

    private async IAsyncEnumerable<Payload> Counted(IAsyncEnumerable<Payload> requests, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var request in requests.WithCancellation(cancellationToken))
        {
            Read.Add();
            yield return request;
        }
    }

    private static async IAsyncEnumerable<Payload> One(Payload request)
    {
        await Task.CompletedTask;
        yield return request;
    }

    private static async ValueTask<Payload> LastAsync(IAsyncEnumerable<Payload> replies)
    {
        var last = new Payload();
        await foreach (var reply in replies) last = reply;
        return last;
    }
}
