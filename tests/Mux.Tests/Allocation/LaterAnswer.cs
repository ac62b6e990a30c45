using System.Threading.Tasks.Sources;
using Mux.Tests.Contracts;

namespace Mux.Tests.Allocation;

/// <summary>An answer that comes when the test says, again and again without an object for each.</summary>
internal sealed class LaterAnswer : IValueTaskSource<Point>
{
    private ManualResetValueTaskSourceCore<Point> _core;

    public ValueTask<Point> Take()
    {
        _core.Reset();
        return new ValueTask<Point>(this, _core.Version);
    }

    /// <summary>Whoever waits goes on here and now.</summary>
    public void Set(Point point) => _core.SetResult(point);

    public Point GetResult(short token) => _core.GetResult(token);

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) => _core.OnCompleted(continuation, state, token, flags);
}
