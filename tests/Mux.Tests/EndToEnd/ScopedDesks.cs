using Mux.Services;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>Gives each call a desk of its own, and notes when it is disposed.</summary>
internal sealed class ScopedDesks(Func<Desk> create) : ServiceSource<IDesk>
{
    public Counter Opened { get; } = new("opened scopes");

    public Counter Disposed { get; } = new("disposed scopes");

    /// <summary>What disposal does, once it was counted.</summary>
    public Func<ValueTask> OnDispose { get; set; } = static () => default;

    public override ServiceLease<IDesk> Open()
    {
        Opened.Add();
        return new(create(), new Scope(this));
    }

    private sealed class Scope(ScopedDesks owner) : IAsyncDisposable
    {
        public ValueTask DisposeAsync()
        {
            owner.Disposed.Add();
            return owner.OnDispose();
        }
    }
}
