using Mux.Backplanes;

namespace Mux.Core.Tests.Topics.Sharing;

/// <summary>A backplane that runs code of the test before it takes an item, or a subscription.</summary>
internal sealed class HookedBackplane : MuxBackplane
{
    private readonly MuxBackplane _inner;
    private readonly Action<string>? _beforePublish;
    private readonly Action? _beforeSubscribe;

    public HookedBackplane(MuxBackplane inner, Action<string>? beforePublish, Action? beforeSubscribe)
        : base("hooked")
    {
        (_inner, _beforePublish, _beforeSubscribe) = (inner, beforePublish, beforeSubscribe);
        TryEnter(BackplaneState.Connected);
    }

    public override int Queued => _inner.Queued;

    public override bool TrySend(string channel, ReadOnlyMemory<byte> message) => _inner.TrySend(channel, message);

    public override bool TryPublish(string channel, ReadOnlyMemory<byte> message, int retain, long tag)
    {
        _beforePublish?.Invoke(channel);
        return _inner.TryPublish(channel, message, retain, tag);
    }

    public override IDisposable Subscribe(string channel, BackplaneSubscriber subscriber, int retained)
    {
        _beforeSubscribe?.Invoke();
        return _inner.Subscribe(channel, subscriber, retained);
    }
}
