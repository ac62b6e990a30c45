using System.Security.Claims;

namespace Mux.Tests.Groups;

/// <summary>A peer without a connection, as tests of handlers make them.</summary>
internal sealed class FakePeer(int number) : MuxPeer, IDisposable
{
    private readonly CancellationTokenSource _closing = new();

    public Listener Listener { get; } = new();

    public override string Id { get; } = $"fake-{number}";

    public override string Address => "nowhere";

    public override ClaimsPrincipal? User => null;

    public override CancellationToken Closed => _closing.Token;

    /// <summary>It goes.</summary>
    public void Close() => _closing.Cancel();

    public void Dispose() => _closing.Dispose();

    public override TState State<TState>(Func<TState> create) => create();

    protected override TService GetProxy<TService>() => (TService)(object)Listener;
}
