namespace Mux.Conformance.Contract;

/// <summary>Every kind of call, with options, for handlers that follow a script.</summary>
[MuxService("conformance.Stage")]
[MuxError<Trouble>(1)]
public interface IStage
{
    /// <summary>One request, one reply.</summary>
    ValueTask<Payload> Ask(Payload request, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>A stream of requests, one reply.</summary>
    ValueTask<Payload> Collect(IAsyncEnumerable<Payload> requests, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>One request, a stream of replies.</summary>
    IAsyncEnumerable<Payload> List(Payload request, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>A stream each way.</summary>
    IAsyncEnumerable<Payload> Talk(IAsyncEnumerable<Payload> requests, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>A failure that is a value.</summary>
    ValueTask<MuxResult<Payload>> Attempt(Payload request, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>One request, no reply.</summary>
    [MuxMethod(OneWay = true)]
    ValueTask Tell(Payload request, MuxCallOptions? options = null, CancellationToken cancellationToken = default);
}
