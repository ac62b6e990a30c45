using System.Diagnostics;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;

namespace Mux.Core.Tests;

/// <summary>The tests before these have ended, and links that they closed may still give buffers back: waits until none has come or gone for a while.</summary>
public sealed class RestingBuffers : IAsyncLifetime
{
    private static readonly TimeSpan s_rest = TimeSpan.FromMilliseconds(300);

    public async ValueTask InitializeAsync()
    {
        long last = BufferPool.Outstanding, since = Stopwatch.GetTimestamp();
        await Eventually.Holds(
            () =>
            {
                if (BufferPool.Outstanding != last) (last, since) = (BufferPool.Outstanding, Stopwatch.GetTimestamp());
                return Stopwatch.GetElapsedTime(since) > s_rest;
            },
            () => $"buffers at rest; outstanding are {BufferPool.Outstanding}");
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    /// <summary>
    /// Waits until no more are outstanding than a test found. Fewer are right too: what the test found may belong to a link of an earlier test, which ends only now.
    /// </summary>
    /// <param name="found">How many it found.</param>
    /// <param name="work">Runs what others leave to the test, and may return some.</param>
    public static Task BackAt(long found, Action? work = null) => Eventually.Holds(
        () =>
        {
            work?.Invoke();
            return BufferPool.Outstanding <= found;
        },
        () => $"outstanding buffers back at {found}; there are {BufferPool.Outstanding}");
}
