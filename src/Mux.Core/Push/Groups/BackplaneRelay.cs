using Mux.Backplanes;

namespace Mux.Push;

/// <summary>Carries calls of groups by a backplane.</summary>
internal sealed class BackplaneRelay(MuxBackplane backplane) : GroupRelay
{
    public override bool TrySend(string group, byte[] message) => backplane.TrySend(group, message);

    public override IDisposable Subscribe(string group, Action<ReadOnlyMemory<byte>> received) =>
        backplane.Subscribe(group, new Subscriber(received), retained: 0);

    public override void OnUnreadable(string group, string reason) => backplane.OnUnreadable(group, reason);

    private sealed class Subscriber(Action<ReadOnlyMemory<byte>> received) : BackplaneSubscriber
    {
        public override void OnMessage(BackplaneMessage message) => received(message.Body);
    }
}
