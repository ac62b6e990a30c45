using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;

namespace Mux.TestSupport.Connections;

/// <summary>A call with streams that remembers its outcome. More than one is a failure of the test.</summary>
internal sealed class ProbeStreamCall : OutgoingStreamCall
{
    private readonly ProbeItems? _items;

    public ProbeStreamCall(MethodDescriptor method)
    {
        Method = method;
        if (HasRequestStream) Options = RequestOptions.Stream;
        if (HasResponseStream) _items = new ProbeItems();
        IsStreamed = HasResponseStream;
    }

    public override IInboundItems? Items => _items;

    /// <inheritdoc cref="ProbeItems.MayBeginAgain"/>
    public bool MayBeginAgain
    {
        init => _items!.MayBeginAgain = value;
    }

    /// <summary>What came of the response stream.</summary>
    public ProbeItems Received => _items!;

    public byte[]? Response { get; private set; }

    public CallFailure? Failure { get; private set; }

    public bool IsAppended { get; private set; }

    public bool IsDone => Response is not null || Failure is not null;

    /// <summary>Sends one item at once.</summary>
    /// <returns>False: the call is over.</returns>
    public bool Send(ReadOnlySpan<byte> item) => Send(Requests!, item);

    /// <summary>Sends one item of a stream at once.</summary>
    public static bool Send(OutboundStream stream, ReadOnlySpan<byte> item)
    {
        var writer = stream.BeginItem();
        writer.Write(item);
        bool goesOn = stream.CommitItem(ref writer) && stream.Flush();
        stream.Release();
        return goesOn;
    }

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        Assert.False(IsDone, "A call was completed twice.");
        tally.Add(Method, MuxStatus.Ok);
        Response = body.ToArray();
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        Assert.False(IsDone, "A call was completed twice.");
        Failure = failure;
    }

    public override void OnAppended() => IsAppended = true;
}
