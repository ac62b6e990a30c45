namespace Mux.Conformance.Contract;

/// <summary>What a handler of <see cref="IStage"/> does, whatever kind of call it handles: a single request is a stream of one, and a single reply is the last of the script.</summary>
public delegate IAsyncEnumerable<Payload> Script(IAsyncEnumerable<Payload> requests, MuxCallOptions options, CancellationToken cancellationToken);
