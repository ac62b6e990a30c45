using System.Runtime.CompilerServices;
using Mux.Conformance.Contract;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Suite;

/// <summary>Calls of any kind, made and observed in one way.</summary>
public static class StageCalls
{
    public static CallKind[] Kinds => Enum.GetValues<CallKind>();

    public static bool StreamsRequests(this CallKind kind) => kind is CallKind.RequestStream or CallKind.BothStreams;

    public static bool StreamsReplies(this CallKind kind) => kind is CallKind.ResponseStream or CallKind.BothStreams;

    /// <summary>A call whose replies are a stream; of a kind without streams, a stream of one.</summary>
    public static IAsyncEnumerable<Payload> Stream(this IStage stage, CallKind kind, IAsyncEnumerable<Payload> requests, MuxCallOptions? options = null, CancellationToken cancellationToken = default) => kind switch
    {
        CallKind.ResponseStream => stage.List(new Payload(), options, cancellationToken),
        CallKind.BothStreams => stage.Talk(requests, options, cancellationToken),
        _ => Once(stage, kind, requests, options, cancellationToken),
    };

    /// <summary>A call from its start to its end, whichever that is.</summary>
    public static Task<Outcome> CallAsync(this IStage stage, CallKind kind, IAsyncEnumerable<Payload> requests, MuxCallOptions? options = null, CancellationToken cancellationToken = default) =>
        ObserveAsync(stage.Stream(kind, requests, options, cancellationToken)).Within($"the end of a call of kind {kind}");

    /// <inheritdoc cref="CallAsync(IStage, CallKind, IAsyncEnumerable{Payload}, MuxCallOptions?, CancellationToken)"/>
    public static Task<Outcome> CallAsync(this IStage stage, CallKind kind, MuxCallOptions? options = null, CancellationToken cancellationToken = default) =>
        stage.CallAsync(kind, Payloads.Numbered(1), options, cancellationToken);

    public static async Task<Outcome> ObserveAsync(IAsyncEnumerable<Payload> replies)
    {
        var items = new List<Payload>();
        try
        {
            await foreach (var reply in replies) items.Add(reply);
            return new Outcome(items, null);
        }
        catch (Exception error)
        {
            return new Outcome(items, error);
        }
    }

    private static async IAsyncEnumerable<Payload> Once(IStage stage, CallKind kind, IAsyncEnumerable<Payload> requests, MuxCallOptions? options, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        if (kind == CallKind.RequestStream) yield return await stage.Collect(requests, options, cancellationToken);
        else yield return await stage.Ask(new Payload(), options, cancellationToken);
    }
}
