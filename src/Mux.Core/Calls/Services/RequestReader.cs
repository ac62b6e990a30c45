using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Serialization;

namespace Mux.Calls;

/// <summary>The request stream of one call, read by its handler. Errors in the stream are thrown where the handler reads.</summary>
internal sealed class RequestReader<T> : IItemConsumer
{
    private readonly HandlerFailures _failures;
    private readonly MethodDescriptor _method;
    private readonly ReplyPort _replies;
    private readonly ushort _ordinal;
    private readonly bool _isForwarded;
    private int _isEnumerated;

    public RequestReader(HandlerFailures failures, MuxDispatchMode dispatch, ItemsOf<T> items, in InboundCall call)
    {
        _failures = failures;
        _method = items.Method;
        _replies = call.Replies;
        _ordinal = call.Ordinal;
        _isForwarded = call.IsForwarded;
        Items = StreamReaders.Create(items, this, dispatch);
    }

    public IStreamReader<T> Items { get; }

    IWorkOwner IItemConsumer.WorkOwner => _replies.Session.WorkOwner;

    /// <exception cref="InvalidOperationException">The stream was enumerated before: its items are gone, and an empty stream would look complete.</exception>
    bool IItemConsumer.OnEnumerated(CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isEnumerated, 1) != 0)
        {
            throw new InvalidOperationException($"The request stream of {_method.FullName} was enumerated before; it can be enumerated once. Keep its " +
                "items in a list to read them again.");
        }

        return false; // the peer owns the call
    }

    void IItemConsumer.OnDisposed()
    {
    }

    void IItemConsumer.OnUndecodable(Exception error)
    {
        // The gateway cannot tell it from what a handler decides, so it would not stop one client before all of its clients are refused here. It costs the peer
        // a call that runs.
        if (!_isForwarded) _replies.Session.OnUndecodable(_ordinal, isForwarded: false);
        if (error is not InvalidMessageException) _failures.OnItemUndecodable(error, _replies.Session.Clock);
        var thrown = UndecodableMessage.IsThrown(error) ? _failures.NameForCaller(error) : string.Empty;
        var text = UndecodableMessage.Request("An item of the request", error, _method, _replies.Fingerprints.Of(_ordinal), thrown);
        Items.End(new MuxException(UndecodableMessage.StatusOfRequest(error), text, error), Turn.Current, isTurns: true, drops: false);
    }

    void IItemConsumer.OnUserCodeFailed(Exception error) => _failures.OnThrown(error, _replies.Session.Clock);
}
