using Microsoft.Extensions.Logging;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>
/// Tells once that code reads <see cref="MuxCallContext.Current"/> while handlers have no context. Without it, a handler takes every caller for anonymous, and
/// nothing shows why. Contexts are not given to all handlers, because each costs allocations. Safe for concurrent use.
/// </summary>
/// <param name="logger">Logs it. Never throws.</param>
/// <param name="side">What serves: a server or a client.</param>
internal sealed class MissedContext(ILogger logger, string side)
{
    private int _hasTold; // 0 or 1

    public void Watch() => MuxCallContext.Missed += Tell;

    public void End() => MuxCallContext.Missed -= Tell;

    private void Tell()
    {
        if (Interlocked.Exchange(ref _hasTold, 1) == 0) ServerLog.CallContextMissed(logger, side); // first: what enriches logs may read it again
    }
}
